// The entrance: a match against bots in two clicks, and tables as they open and close.

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
});

/** Open a match against bots of one level, and go there. */
async function play(box, level) {
  const seats = Number(box.querySelector("[name=seats]").value);
  const bots = Array.from({ length: seats - 1 }, () => ({ bot: level }));
  const wait = (busy) => box.querySelectorAll("button").forEach((button) => (button.disabled = busy));
  wait(true);
  wait(await attempt(() => openTable({ game: box.dataset.game, seats: [{ me: true }, ...bots] })));
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
