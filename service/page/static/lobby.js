// The entrance: a match against bots, or alone, in two clicks, and tables as they open and close.

import "./frame.js";
import { openTable } from "./account.js";
import { attempt } from "./dom.js";
import { listen } from "./live.js";
import { renewSoon } from "./renew.js";

document.addEventListener("click", (event) => {
  const { target } = event;
  const opens = target.closest("[data-play]");
  if (opens) document.getElementById(`bots-${opens.dataset.play}`).showModal();
  if (target.closest("[data-close]")) target.closest("dialog").close();
  const level = target.closest("[data-level]");
  if (level) play(level.closest("dialog"), level.dataset.level);
  const alone = target.closest("button[data-mode]");
  if (alone) open(alone.closest("dialog"), alone.dataset.mode);
});

/** Play against bots of one level, or with them. */
function play(box, level) {
  const [seats] = box.querySelector("[name=seats]").selectedOptions;
  open(box, seats.dataset.mode, Array.from({ length: seats.value - 1 }, () => ({ bot: level })));
}

/** Open a match in a mode, the usual one if none is named, with these bots; and go there. */
async function open(box, mode, bots = []) {
  const wait = (busy) => box.querySelectorAll("button").forEach((button) => (button.disabled = busy));
  const table = { game: box.dataset.game, seats: [{ me: true }, ...bots], options: mode ? { mode } : {} };
  wait(true);
  wait(await attempt(() => openTable(table)));
}

const filter = document.querySelector("[data-filter]");
filter.querySelector("[data-submit]").hidden = true;
filter.addEventListener("change", () => filter.requestSubmit());

const game = filter.elements.game.value;
listen("v1/lobby/stream", {
  params: { game: game || undefined },
  kinds: ["match", "reset"],
  onEvent: () => renewSoon("matches"),
  onState: (connected, after) => connected && !after && renewSoon("matches"),
});
