// Server-sent events with reconnection.

import { url } from "./api.js";

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const SILENCE_MS = 36_000; // three heartbeats
const BEAT = "beat";

/**
 * Follow a stream after a cursor: `onEvent(kind, data, id)` for each event of these kinds,
 * `onState(connected, after)` when that changes, `onBeat({now})` with the service's time. Returns a
 * function that stops it. A hidden page keeps its connection only with `always`: a browser has few
 * for all its pages. A stream without a heartbeat is dead, even if it seems open.
 */
export function listen(path, { params = {}, after, kinds = ["entry"], onEvent, onState = () => {}, onBeat = () => {}, always }) {
  let source, timer, watchdog;
  let delay = MIN_DELAY_MS;

  function open() {
    close();
    source = new EventSource(url(path, { ...params, after }));
    watch();
    source.onopen = () => ((delay = MIN_DELAY_MS), onState(true, after));
    source.onerror = reopen;
    source.addEventListener(BEAT, ({ data }) => (watch(), onBeat(JSON.parse(data))));
    for (const kind of kinds) {
      source.addEventListener(kind, ({ data, lastEventId }) => {
        watch();
        after = lastEventId || after;
        onEvent(kind, JSON.parse(data), lastEventId);
      });
    }
  }

  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(reopen, SILENCE_MS);
  }

  function reopen() {
    close();
    timer = setTimeout(open, delay * (0.75 + Math.random() / 2));
    delay = Math.min(2 * delay, MAX_DELAY_MS);
    onState(false); // may stop the stream
  }

  function close() {
    clearTimeout(timer);
    clearTimeout(watchdog);
    source?.close();
  }

  /** After sleep a lost connection may seem open. */
  const update = () => (always || !document.hidden ? open() : close());

  const stop = new AbortController();
  document.addEventListener("visibilitychange", update, { signal: stop.signal });
  addEventListener("online", update, { signal: stop.signal });
  update();
  return () => {
    stop.abort();
    close();
  };
}
