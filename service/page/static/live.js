// Server-sent events, taken up again where they broke off.

import { url } from "./api.js";

const SOON_MS = 500;
const LATE_MS = 15_000;

/**
 * Listen to a stream from a place on: `onEvent(kind, data, id)` for each event of these kinds,
 * `onState(connected, after)` whenever that changes. Returns what ends it. A page that nobody sees
 * listens on only if it does so `always`: a browser has few connections for all its pages.
 */
export function listen(path, { params = {}, after, kinds = ["entry"], onEvent, onState = () => {}, always }) {
  let source, timer;
  let pause = SOON_MS;

  function open() {
    close();
    source = new EventSource(url(path, { ...params, after }));
    source.onopen = () => ((pause = SOON_MS), onState(true, after));
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

  function close() {
    clearTimeout(timer);
    source?.close();
  }

  /** Who slept may not know that the connection is gone. */
  const look = () => (always || !document.hidden ? open() : close());

  const stop = new AbortController();
  document.addEventListener("visibilitychange", look, { signal: stop.signal });
  addEventListener("online", look, { signal: stop.signal });
  look();
  return () => {
    stop.abort();
    close();
  };
}
