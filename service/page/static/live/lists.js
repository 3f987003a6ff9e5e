// Keeps lists of matches current: where the visitor aims at something, nothing moves before they want it.

import { getPage, persistent, send } from "../api.js";
import { bindButtons, confirmed, h, toast } from "../dom.js";
import { refresh } from "../refresh.js";
import { t } from "../words.js";

const DELAY_MS = 700;
const AIMED_AT = ":hover, :focus-within";
const waiting = new Map(); // timers by id
const unread = new Set(); // ids of lists with changes
const readers = new Map();
const statusOf = (id) => document.getElementById(`${id}-changed`);
const isAimedAt = (id) => [document.getElementById(id), statusOf(id)].some((one) => one.matches(AIMED_AT));
const rowsOf = (list) => [...list.querySelectorAll("li[id]")].map((row) => row.id).join();

/** Refresh a list soon, once for several calls; not on a hidden page. While the visitor aims at something in it, offer new rows. */
export function refreshSoon(id) {
  unread.add(id);
  if (!waiting.has(id)) waiting.set(id, setTimeout(() => run(id), DELAY_MS * (1 + Math.random())));
}

async function run(id) {
  if (document.hidden) return document.addEventListener("visibilitychange", () => run(id), { once: true });
  if (!isAimedAt(id)) return update(id);
  if (unread.delete(id)) await offer(id).catch(() => unread.add(id));
  if (waiting.has(id)) waiting.set(id, setTimeout(() => run(id), DELAY_MS)); // else it was chosen meanwhile
}

/** Offer other rows in the status line above a list, which screen readers announce. */
async function offer(id) {
  const fresh = (await getPage()).getElementById(id);
  const [status, list] = [statusOf(id), document.getElementById(id)];
  if (status.firstChild || rowsOf(fresh) === rowsOf(list)) return;
  status.append(h("button", { type: "button", class: "main", onclick: () => show(id) }, t("list_changed")));
}

/** Show the rows and go to the first. */
async function show(id) {
  await update(id);
  document.getElementById(id).querySelector("a, button")?.focus();
}

async function update(id) {
  clearTimeout(waiting.get(id));
  waiting.delete(id);
  unread.delete(id);
  if (!readers.has(id)) readers.set(id, persistent(() => refresh(id)));
  await readers.get(id)();
  statusOf(id).replaceChildren();
}

bindButtons({ decline });

/** Decline an invitation; its row goes at once. */
async function decline({ match }) {
  if (!(await confirmed(t("decline_sure"), t("decline")))) return;
  await send("DELETE", `v1/matches/${match}/invitation`);
  document.getElementById(`m-${match}`)?.remove();
  const heading = document.querySelector("h1");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true }); // the focused button has gone
  toast(t("you_declined"));
}
