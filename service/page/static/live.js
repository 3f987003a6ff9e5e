// Server-sent events, taken up again where they broke off.

import { url } from "./api.js";

const SOON_MS = 500;
const LATE_MS = 15_000;
const ASLEEP_MS = 20_000;

/**
 * Listen to a stream from a place on: `onEvent(kind, data, id)` for each event of these kinds,
 * `onState(connected)` whenever that changes. Returns a function that ends it.
 */
export function listen(path, { params = {}, after, kinds = ["entry"], onEvent, onState = () => {} }) {
  let source, timer, hidden;
  let pause = SOON_MS;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url(path, { ...params, after }));
    source.onopen = () => ((pause = SOON_MS), onState(true));
    source.onerror = () => {
      source.close();
      timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
      pause = Math.min(2 * pause, LATE_MS);
      onState(false); // may end it
    };
    for (const kind of kinds) {
      source.addEventListener(kind, ({ data, lastEventId }) => {
        after = lastEventId || after;
        onEvent(kind, JSON.parse(data), lastEventId);
      });
    }
  }

  /** Who slept may not know that the connection is gone. */
  function woken() {
    if (document.hidden) hidden = Date.now();
    else if (Date.now() - hidden > ASLEEP_MS || source.readyState === EventSource.CLOSED) open();
  }

  const stop = new AbortController();
  document.addEventListener("visibilitychange", woken, { signal: stop.signal });
  addEventListener("online", open, { signal: stop.signal });
  open();
  return () => {
    stop.abort();
    clearTimeout(timer);
    source.close();
  };
}
