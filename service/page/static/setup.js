// The form with the settings of the house.

import { root } from "./api.js";
import "./frame.js";

const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

const form = document.getElementById("setup");
const address = form?.elements.public_url;

// Only the browser knows how it got here through proxies.
if (address && !address.value && !LOOPBACK.test(location.hostname)) {
  address.value = new URL(root, location.href).href.replace(/\/$/, "");
}

form?.addEventListener("submit", () => (form.querySelector("button").disabled = true));
