// Server-sent events of the service, over few connections.

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const SILENCE_MS = 36_000; // three heartbeats
const BEAT = "beat";
const MAX_OPEN = 4; // without TLS a browser has six connections to a host, for all its pages
const TURN_MS = 1_000;

const streams = []; // the first have a connection; if there are more, they take turns
let timer;

/**
 * Call `send` with each event of a stream, `{kind, data, id}`; with `{kind: "state", connected}`
 * when that changes; and with `{kind: "reset"}` if something may have changed before the first event.
 * Returns a function that ends this. Subscribers with equal keys share a stream, if they have seen
 * the same events or, without `after`, none.
 */
export function subscribe({ key, address, after, kinds }, send) {
  let stream = streams.find((one) => one.key === key && (after === undefined || one.after === after));
  if (stream) stream.welcome(send);
  else streams.push((stream = new Stream(key, address, after, kinds)));
  stream.subscribers.add(send);
  takeTurns();
  return () => {
    if (!stream.subscribers.delete(send) || stream.subscribers.size) return;
    stream.close();
    streams.splice(streams.indexOf(stream), 1);
    takeTurns();
  };
}

function takeTurns() {
  for (const stream of streams.slice(0, MAX_OPEN)) stream.open();
  if (streams.length > MAX_OPEN) timer ??= setTimeout(endTurn, TURN_MS);
}

/** Let the stream that was open longest wait, in favour of the one that has waited longest. */
function endTurn() {
  timer = null;
  if (streams.length <= MAX_OPEN) return;
  streams[0].close();
  streams.push(streams.shift());
  takeTurns();
}

/** A stream that goes on after its last event. Without a heartbeat it is dead, even if it seems open. */
class Stream {
  constructor(key, address, after, kinds) {
    Object.assign(this, { key, address, after, kinds, subscribers: new Set(), connected: false, delay: MIN_DELAY_MS });
  }

  /** Tell a further subscriber what the others know. */
  welcome(send) {
    if (this.connected) send({ kind: "state", connected: true });
    if (this.connected && this.zero) send({ kind: BEAT, data: { now: this.zero + performance.now() } });
    send({ kind: "reset" });
  }

  open() {
    if (this.source || this.timer) return;
    const address = new URL(this.address);
    if (this.after !== undefined) address.searchParams.set("after", this.after);
    this.source = new EventSource(address);
    this.source.onopen = () => this.begin();
    this.source.onerror = () => this.retry();
    for (const kind of [BEAT, ...this.kinds]) {
      this.source.addEventListener(kind, ({ data, lastEventId: id }) => this.receive({ kind, data: JSON.parse(data), id }));
    }
    this.watch();
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    this.source?.close();
    this.source = this.timer = null;
  }

  begin() {
    this.delay = MIN_DELAY_MS;
    this.setConnected(true);
    if (this.after === undefined) this.send({ kind: "reset" });
  }

  receive(event) {
    this.watch();
    this.after = event.id || this.after;
    if (event.kind === BEAT) this.zero = new Date(event.data.now) - performance.now();
    this.send(event);
  }

  retry() {
    this.close();
    this.timer = setTimeout(() => ((this.timer = null), this.open()), this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(2 * this.delay, MAX_DELAY_MS);
    this.setConnected(false);
  }

  watch() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.retry(), SILENCE_MS);
  }

  setConnected(connected) {
    this.connected = connected;
    this.send({ kind: "state", connected });
  }

  send(message) {
    for (const send of [...this.subscribers]) send(message);
  }
}
