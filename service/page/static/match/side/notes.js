// The visitor's own notes about a match, each at a version.

import { get, persistent, send } from "../../api.js";
import { $, attempt, h, toast } from "../../dom.js";
import { t } from "../../words.js";

const panel = $("notes");
let isReady = false;

/** Show the notes in their panel, which opens or closes; new ones are about the version that `replay` shows. */
export function openNotes(path, replay) {
  if (isReady) return;
  isReady = true;
  const form = panel.querySelector("form");
  const list = panel.querySelector("ul");
  let notes = [];
  let [at, known] = [null, ""]; // the version that the form is about, and its note

  const read = persistent(async () => {
    ({ notes } = (await get(`${path}/notes`)).data);
    list.replaceChildren(...notes.map(item));
    show();
    form.hidden = false; // not before: what one writes would replace a note that is not shown
  }, toast);

  const run = async (change) => (await attempt(change)) && read();

  const item = ({ version, text }) =>
    h("li", {},
      h("button", { type: "button", onclick: () => replay.go(version) }, String(version)),
      h("span", {}, text),
      h("button", { type: "button", class: "plain", title: t("note_remove"), "aria-label": t("note_remove"), onclick: () => run(() => send("DELETE", `${path}/notes/${version}`)) }, "×"),
    );

  /** Show the note at the shown version, to be changed, unless another one is being written. */
  function show() {
    if (form.text.value !== known) return;
    at = replay.shown;
    known = notes.find(({ version }) => version === at)?.text ?? "";
    form.querySelector("span").textContent = t("note_at", { version: at });
    form.text.value = known;
  }

  form.addEventListener("focusin", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(async () => {
      await send("PUT", `${path}/notes/${at}`, { text: form.text.value });
      known = form.text.value;
    });
  });
  read();
}
