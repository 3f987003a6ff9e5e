// The time of a shared worker: timers run when a test lets time pass, each at most once.

const timers = new Map();
let [now, last] = [0, 0];
globalThis.setTimeout = (run, ms = 0) => (timers.set(++last, { due: now + ms, run }), last);
globalThis.clearTimeout = (id) => timers.delete(id);

const test = new BroadcastChannel("test");
test.onmessage = ({ data: ms }) => {
  now += ms;
  for (const [id, { due, run }] of [...timers].sort(([, one], [, other]) => one.due - other.due)) {
    if (due <= now && timers.delete(id)) run();
  }
  test.postMessage(traffic);
};
test.postMessage("started");
