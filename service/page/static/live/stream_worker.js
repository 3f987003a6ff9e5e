// Holds the streams of all pages of a browser, as a shared worker.

import { subscribe } from "./streams.js";

/** Each page sends what it subscribes to, with a port for the events; the page ends it by a message. */
addEventListener("connect", ({ ports: [page] }) => {
  page.onmessage = ({ data, ports: [port] }) => {
    const end = subscribe(data, (message) => port.postMessage(message));
    port.onmessage = port.onclose = end; // the page may have crashed
  };
});
