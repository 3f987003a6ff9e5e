// The lobby: a match against bots, or solo, in two clicks; and the list of tables.

import "./frame.js";
import { openTable } from "./account.js";
import { attempt } from "./dom.js";
import { refreshSoon } from "./live/lists.js";
import { listen } from "./live/live.js";
import { onChange } from "./turns.js";

document.addEventListener("click", (event) => {
  const { target } = event;
  const opens = target.closest("[data-play]");
  if (opens) document.getElementById(`bots-${opens.dataset.play}`).showModal();
  if (target.closest("[data-close]")) target.closest("dialog").close();
  const level = target.closest("[data-level]");
  if (level) play(level.closest("dialog"), level.dataset.level);
  const solo = target.closest("button[data-mode]");
  if (solo) open(solo.closest("dialog"), solo.dataset.mode);
});

/** Open a match with bots of one level. */
function play(box, level) {
  const [seats] = box.querySelector("[name=seats]").selectedOptions;
  open(box, seats.dataset.mode, Array.from({ length: seats.value - 1 }, () => ({ bot: level })));
}

/** Open a match with these bots, in a mode or the default one, and go there. */
async function open(box, mode, bots = []) {
  const disable = (busy) => box.querySelectorAll("button").forEach((button) => (button.disabled = busy));
  const table = { game: box.dataset.game, seats: [{ me: true }, ...bots], options: mode ? { mode } : {} };
  disable(true);
  disable(await attempt(() => openTable(table)));
}

const filter = document.querySelector("[data-filter]");
filter.querySelector("[data-submit]").hidden = true;
filter.addEventListener("change", () => filter.requestSubmit());

const game = filter.elements.game.value;
listen("v1/lobby/stream", {
  params: { game: game || undefined },
  kinds: ["match", "reset"],
  onEvent: () => refreshSoon("matches"),
});
onChange(() => refreshSoon("news"));
