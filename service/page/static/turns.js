// Whose turn it is, everywhere: on the badge, in the title, on the icon, and by a notification.

import { get, me, root } from "./api.js";
import { prefs } from "./prefs.js";
import { t } from "./words.js";
import { listen } from "./live.js";

const PATIENCE_MS = 400;
const own = document.title;
const others = new BroadcastChannel(`annals.${me}`);
const heard = []; // what wants to know of changes
let known = null; // the matches that wait, as the last answer had them

/** Call this whenever a match of one's own may have changed. */
export const onNews = (call) => heard.push(call);

/** Follow one's matches: one page of a browser listens and tells the others. */
export function watchTurns() {
  others.onmessage = take;
  const hear = () =>
    new Promise(() =>
      listen("v1/me/stream", {
        kinds: ["match", "gone", "reset"],
        always: true,
        onEvent: tell,
        onState: (connected, after) => connected && !after && tell(),
      }),
    );
  if (navigator.locks) navigator.locks.request(`annals.${me}`, hear);
  else hear();
  count();
}

function tell() {
  others.postMessage(null);
  take();
}

function take() {
  for (const call of heard) call();
  clearTimeout(take.timer);
  take.timer = setTimeout(count, PATIENCE_MS);
}

async function count() {
  try {
    show((await get("v1/me/turns")).data.turns);
  } catch {
    // what was known stays, until something changes again
  }
}

function show(turns) {
  document.getElementById("badge").textContent = turns.length || "";
  document.title = turns.length ? `(${turns.length}) ${own}` : own;
  const icon = document.querySelector('link[rel="icon"]');
  icon.dataset.calm ??= icon.getAttribute("href");
  icon.href = turns.length ? icon.dataset.turn : icon.dataset.calm;
  const fresh = turns.filter(({ match }) => known && !known.has(match));
  known = new Set(turns.map(({ match }) => match));
  if (fresh.length && document.hidden && prefs.get("notify") === "on") notify(fresh[0].match);
}

function notify(match) {
  if (window.Notification?.permission !== "granted") return;
  // Of one tag there is one notification, also if several pages are open.
  const icon = document.querySelector('link[rel="apple-touch-icon"]').href;
  const shown = new Notification("Annals", { body: t("your_turn"), icon, tag: match });
  shown.onclick = () => {
    focus();
    location.href = `${root}matches/${match}`;
  };
}
