// Follows streams of the service, together with the other pages of this browser.

import { me, url } from "../api.js";
import { subscribe } from "./streams.js";

const SILENCE_MS = 60_000; // a worker that lives says something earlier
const GRACE_MS = 5_000; // after sleep the worker, too, has to notice first that time has passed

let worker = window.SharedWorker && new SharedWorker(new URL("./stream_worker.js", import.meta.url), { type: "module" });
worker?.addEventListener("error", () => (worker = null));

/**
 * Follow a stream after a cursor: `onEvent(kind, data)` for each event of these kinds, `onState(connected)`
 * when that changes, `onBeat({now})` with the service's time. Returns a function that stops it. A
 * hidden page leaves its connection to others, unless it follows `always` what all pages share.
 */
export function listen(path, { params, after, kinds, onEvent, onState = () => {}, onBeat = () => {}, always }) {
  const address = new URL(url(path, params), location.href).href;
  const key = `${me} ${address}`; // another tab may have signed in since
  const stop = new AbortController();
  let watchdog;
  let end = () => {};

  function receive({ kind, data, id, connected }) {
    watch();
    if (after !== undefined) after = id || after;
    if (kind === "state") onState(connected);
    else if (kind === "beat") onBeat(data);
    else if (kinds.includes(kind)) onEvent(kind, data);
  }

  function watch() {
    clearTimeout(watchdog);
    if (worker) watchdog = setTimeout(() => (watchdog = setTimeout(giveUp, GRACE_MS)), SILENCE_MS);
  }

  function giveUp() {
    worker = null;
    update();
  }

  function leave() {
    clearTimeout(watchdog);
    end();
  }

  /** After sleep a lost connection may seem open. */
  function update() {
    leave();
    if (document.hidden && !(always && worker)) return;
    const wanted = { key, address, after, kinds };
    end = worker ? subscribeShared(wanted, receive) : subscribe(wanted, receive);
    watch();
  }

  for (const [target, kind] of [[document, "visibilitychange"], [window, "online"], ...(worker ? [[worker, "error"]] : [])]) {
    target.addEventListener(kind, update, { signal: stop.signal });
  }
  addEventListener("pagehide", leave, { signal: stop.signal });
  update();
  return () => {
    stop.abort();
    leave();
  };
}

function subscribeShared(wanted, send) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => send(data);
  worker.port.postMessage(wanted, [port2]);
  return () => {
    port1.onmessage = null;
    port1.postMessage(null);
  };
}
