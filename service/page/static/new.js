// The form for a new table.

import "./frame.js";
import { root, send } from "./api.js";
import { nonce, somebody } from "./account.js";
import { toast } from "./dom.js";

const form = document.getElementById("new");
const seats = [...form.querySelectorAll("[data-seat]")];
const taken = () => seats.slice(0, Number(form.elements.seats.value));

form.addEventListener("change", arrange);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button.main");
  button.disabled = true;
  try {
    await somebody();
    const { data } = await send("POST", "v1/matches", plan());
    location.href = `${root}matches/${data.id}`;
  } catch (problem) {
    toast(problem);
    button.disabled = false;
  }
});
arrange();

/** Show the seats that there are, and a field for the name of whoever is invited. */
function arrange() {
  const shown = taken();
  for (const seat of seats) {
    seat.hidden = !shown.includes(seat);
    const invite = seat.querySelector("[name=invite]");
    invite.required = !seat.hidden && seat.querySelector("[name=who]").value === "invite";
    invite.closest("label").hidden = !invite.required;
  }
}

/** What is chosen, as the service reads it. */
function plan() {
  const value = (name) => form.elements[name].value;
  const chairs = taken().map(chair);
  return {
    game: form.dataset.game,
    seats: chairs,
    options: options(),
    clock: JSON.parse(value("clock")),
    on_timeout: value("on_timeout"),
    undo: value("undo"),
    visibility: value("visibility"),
    nonce: chairs.some(({ me }) => me) ? nonce() : null,
  };
}

function chair(seat) {
  const who = seat.querySelector("[name=who]").value;
  if (who === "invite") return { invite: seat.querySelector("[name=invite]").value };
  return who.startsWith("bot:") ? { bot: who.slice(4) } : { [who]: true };
}

function options() {
  const chosen = {};
  for (const one of form.querySelectorAll("[data-option]")) {
    const kinds = { checkbox: () => one.checked, number: () => Number(one.value) };
    chosen[one.dataset.option] = (kinds[one.type] ?? (() => one.value))();
  }
  for (const list of form.querySelectorAll("[data-list]")) {
    const values = [...list.querySelectorAll("select")].map((one) => one.value).filter(Boolean);
    if (values.length) chosen[list.dataset.list] = values;
  }
  return chosen;
}
