// Counts what is new in the talk about a match while its panel is closed.

import { get, me, persistent } from "../api.js";
import { $ } from "../dom.js";
import { listen } from "../live/live.js";
import { t } from "../words.js";

const panel = $("talk");
const badge = panel.querySelector(".badge");
const rooms = [...panel.querySelector("[name=room]").options];
const path = (room) => `v1/matches/${panel.dataset.match}/talk/${room.value}`;
let ends = [];

/** Show how many messages of a room are unread of those up to a number. */
export function setUnread({ dataset }, unread, last) {
  Object.assign(dataset, { unread, last });
  const count = rooms.reduce((sum, room) => sum + Number(room.dataset.unread), 0);
  badge.textContent = count || "";
  if (count) badge.setAttribute("aria-label", t("talk_unread", { count }));
}

function follow(room) {
  const { dataset } = room;
  const kinds = ["said", "removed", "reset"];
  const count = persistent(async () => {
    const { data } = await get(path(room), { limit: 1 });
    if (!panel.open) setUnread(room, data.unread, data.position);
  });
  return listen(`${path(room)}/stream`, { after: dataset.last, kinds, onEvent: (kind, change) => {
    const unread = Number(dataset.unread);
    if (kind === "said" && change.number > dataset.last) setUnread(room, change.player === me ? 0 : unread + 1, change.number);
    if (kind === "reset" || (kind === "removed" && unread)) count();
  } });
}

function update() {
  for (const end of ends) end();
  ends = panel.open ? [] : rooms.map(follow);
}

panel.addEventListener("toggle", update);
update();
