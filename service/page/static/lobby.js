// The entrance: a match against bots in two clicks, and tables as they open and close.

import "./frame.js";
import { root, send } from "./api.js";
import { nonce, somebody } from "./account.js";
import { toast } from "./dom.js";
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
  const buttons = box.querySelectorAll("button");
  buttons.forEach((button) => (button.disabled = true));
  try {
    await somebody();
    const { data } = await send("POST", "v1/matches", {
      game: box.dataset.game,
      seats: [{ me: true }, ...Array.from({ length: seats - 1 }, () => ({ bot: level }))],
      nonce: nonce(),
    });
    location.href = `${root}matches/${data.id}`;
  } catch (problem) {
    toast(problem);
    buttons.forEach((button) => (button.disabled = false));
  }
}

const filter = document.querySelector("[data-filter]");
filter.querySelector("[data-submit]").hidden = true;
filter.addEventListener("change", () => filter.requestSubmit());

const { game } = Object.fromEntries(new FormData(filter));
listen("v1/lobby/stream", {
  params: { game: game || undefined },
  kinds: ["match", "reset"],
  onEvent: () => renewSoon("matches"),
});
