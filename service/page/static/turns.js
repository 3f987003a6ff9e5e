// Shows on every page whether it is my turn: badge, title, icon, notification.

import { getAll, house, me, persistent, root } from "./api.js";
import { play, prefs } from "./prefs.js";
import { t } from "./words.js";
import { listen } from "./live/live.js";

const DELAY_MS = 400;
const title = document.title;
const shown = document.getElementById("match")?.dataset.match;
const callbacks = [];
let timer;
const badge = document.getElementById("badge");
const invitations = new Set(badge.dataset.invitations.split(" ").filter(Boolean));
let known = null; // the waiting matches of the last response

/** Call this with the kind and data of an event when one of my matches may have changed. */
export const onChange = (callback) => callbacks.push(callback);

/** Follow my matches: visible pages and, if all share a stream, hidden ones. */
export function watchTurns() {
  listen("v1/me/stream", { kinds: ["match", "gone", "reset"], always: true, onEvent: handleChange });
  count();
}

function handleChange(kind, data) {
  if (kind === "match") invitations[data.invited && data.match.status === "open" ? "add" : "delete"](data.match.id);
  if (kind === "gone") invitations.delete(data.id);
  for (const callback of callbacks) callback(kind, data);
  clearTimeout(timer);
  timer = setTimeout(count, DELAY_MS);
}

const count = persistent(() => getAll("v1/me/turns", "turns").then(show));

function show(turns) {
  const waiting = turns.length + invitations.size;
  badge.textContent = waiting || "";
  const here = turns.some(({ match }) => match === shown) ? `${t("your_turn")} · ` : "";
  document.title = waiting ? `(${waiting}) ${here}${title}` : title;
  const icon = document.querySelector('link[rel="icon"]');
  icon.dataset.calm ??= icon.getAttribute("href");
  icon.href = turns.length ? icon.dataset.turn : icon.dataset.calm;
  const pushed = prefs.get("push") === me;
  if (pushed) navigator.setAppBadge?.(turns.length); // as the last message did
  const fresh = turns.filter(({ match }) => known && !known.has(match));
  known = new Set(turns.map(({ match }) => match));
  if (fresh.length) play("turn");
  if (fresh.length && document.hidden && prefs.get("notify") === "on" && !pushed) notify(fresh[0].match);
}

/** Whether pages of this browser can notify: Chrome on Android refuses all, others only such data. */
export function canNotify() {
  try {
    new Notification("", { data: canNotify });
  } catch (problem) {
    return isSecureContext && problem.name === "DataCloneError";
  }
  return isSecureContext;
}

function notify(match) {
  if (!canNotify() || Notification.permission !== "granted") return;
  // One notification per tag, even with several open pages.
  const icon = document.querySelector('link[rel="apple-touch-icon"]').href;
  const shown = new Notification(house, { body: t("your_turn"), icon, tag: match });
  shown.onclick = () => {
    focus();
    location.href = `${root}matches/${match}`;
  };
}
