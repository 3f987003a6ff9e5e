// The switch of push messages in the settings.

import { attempt } from "../dom.js";
import { isOn, obstacle, turnOff, turnOn } from "./push.js";

const box = document.getElementById("push-here"), main = document.getElementById("push-on");

/** Show whether this browser is subscribed, or why it can't be. */
export function showSwitch() {
  show();
  main.addEventListener("change", () => attempt(() => change().finally(show)));
}

/** Subscribe or unsubscribe; the table of notices changes, too. */
async function change() {
  await (main.checked ? turnOn() : turnOff());
  location.reload();
}

function show() {
  const found = obstacle();
  box.hidden = !!found && !isOn();
  for (const note of document.querySelectorAll("[data-obstacle]")) note.hidden = note.dataset.obstacle !== found;
  main.checked = isOn() && !found;
}
