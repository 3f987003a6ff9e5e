// Begins a lesson: a match that teaches a game.

import { ensurePlayer } from "../account.js";
import { root, send } from "../api.js";
import { attempt } from "../dom.js";

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-learn]");
  if (!button) return;
  const { learn } = button.dataset;
  button.disabled = true;
  button.disabled = await attempt(async () => {
    await ensurePlayer();
    const { data } = await send("POST", `v1/games/${learn}`);
    location.href = `${root}matches/${data.id}`;
  });
});
