// What people say about a match: a room, live while its panel is open.

import { get, language, me, persistent, send } from "../api.js";
import { $, ask, attempt, confirmed, h, toast } from "../dom.js";
import { listen } from "../live/live.js";
import { ago, t, when } from "../words.js";
import { setUnread } from "./unread.js";

const GATHER_MS = 3_000; // how long new messages are gathered before they are spoken or marked as read
const panel = $("talk");
const form = panel.querySelector("form");
const list = panel.querySelector("ol");
const older = panel.querySelector("[data-older]");
const { text, phrase, room: rooms } = form.elements;
const path = () => `v1/matches/${panel.dataset.match}/talk/${rooms.value}`;
let end = () => {};
let gathered = [];
let previous;

/** Show the room while its panel is open. */
export function showTalk() {
  end();
  end = () => {};
  if (panel.open) read();
}

const read = persistent(async () => {
  end();
  const shown = path();
  const { data } = await get(shown);
  if (!panel.open || shown !== path()) return;
  list.replaceChildren(...data.messages.map(item));
  list.scrollTop = list.scrollHeight;
  showOlder(data.previous);
  if (phrase.length < 2) phrase.append(...data.phrases.map(({ key, text: said }) => h("option", { value: key }, said)));
  text.parentElement.hidden = data.can_say !== "text";
  panel.querySelector("[data-new]").hidden = data.can_say !== "phrases";
  panel.querySelector("[data-say]").hidden = data.can_say === "nothing";
  markRead();
  end = listen(`${shown}/stream`, { params: { language }, after: String(data.position), kinds: Object.keys(ON), onEvent: (kind, change) => ON[kind](change) });
}, toast);

const ON = {
  said: add,
  removed: ({ number }) => find(number)?.remove(),
  reset: read,
};

const find = (number) => list.querySelector(`[data-number="${number}"]`);

/** Show a new message, unless it is there already. */
function add(message) {
  if (find(message.number)) return;
  const isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 40;
  list.append(item(message));
  if (isAtEnd) list.scrollTop = list.scrollHeight;
  if (message.player === me) return;
  if (!gathered.length) setTimeout(announce, GATHER_MS);
  gathered.push(message);
}

/** Say politely what is new: one message in full, of more their number. */
function announce() {
  const [{ name, text: said }] = gathered;
  panel.querySelector("[aria-live]").textContent = gathered.length > 1 ? t("talk_new", { count: gathered.length }) : `${name}: ${said}`;
  gathered = [];
  if (panel.open) markRead();
}

function markRead() {
  const number = Number(list.lastElementChild?.dataset.number ?? 0);
  const [room] = rooms.selectedOptions;
  setUnread(room, 0, Math.max(number, room.dataset.last));
  if (number) send("PUT", `${path()}/read`, { number }).catch(() => {}); // the next message marks it, too
}

function showOlder(number) {
  previous = number;
  older.hidden = !number;
}

const item = (message) =>
  h("li", { "data-number": message.number },
    h("b", { dir: "auto" }, message.name), " ",
    h("time", { datetime: message.at, title: when(message.at), class: "soft" }, ago(message.at)),
    h("button", { type: "button", class: "plain", title: t("talk_act"), "aria-label": t("talk_act"), onclick: () => attempt(() => act(message)) }, "…"),
    h("span", { dir: "auto" }, message.text),
  );

/** What the visitor can do about a message: remove their own, mute or report that of another. */
async function act({ number, player, name, text: said }) {
  if (player === me) {
    if (!(await confirmed(t("talk_remove_sure"), t("talk_remove")))) return;
    await send("DELETE", `${path()}/${number}`);
    find(number)?.remove();
    return;
  }
  const chosen = await ask(`${name}: ${said}`, [
    { value: null, label: t("cancel") },
    { value: "report", label: t("talk_report") },
    { value: "mute", label: t("talk_mute", { name }) },
  ]);
  if (chosen === "mute") {
    await send("PUT", `v1/me/mutes/${player}`, {});
    read();
  } else if (chosen) {
    await send("POST", `${path()}/${number}/report`, {});
    toast(t("talk_reported"));
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const said = phrase.value ? { phrase: phrase.value } : { text: text.value };
    add((await send("POST", path(), said)).data);
    form.text.value = form.phrase.value = "";
  });
});
rooms.addEventListener("change", showTalk);
older.addEventListener("click", () => attempt(async () => {
  const { data } = await get(path(), { before: previous });
  list.prepend(...data.messages.map(item));
  showOlder(data.previous);
}));
panel.querySelector("[data-muted]").addEventListener("click", () => attempt(async () => {
  const { players } = (await get("v1/me/mutes")).data;
  const chosen = await ask(players.length ? t("talk_unmute") : t("talk_none_muted"), [
    { value: null, label: t("close") },
    ...players.map(({ id, name }) => ({ value: id, label: name })),
  ]);
  if (!chosen) return;
  await send("DELETE", `v1/me/mutes/${chosen}`);
  read();
}));
