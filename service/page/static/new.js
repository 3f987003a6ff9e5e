// The form for a new table.

import "./frame.js";
import { openTable } from "./account.js";
import { attempt } from "./dom.js";

const form = document.getElementById("new");
const seats = [...form.querySelectorAll("[data-seat]")];
const usedSeats = () => seats.slice(0, Number(form.elements.seats.value));
const modes = JSON.parse(form.dataset.modes);

form.addEventListener("change", updateForm);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button.main");
  button.disabled = true;
  button.disabled = await attempt(() => openTable(plan()));
});
updateForm();

/** Show the options, seats and numbers of players of the mode, and a name field for invitations. */
function updateForm() {
  const mode = form.querySelector("[data-option=mode]")?.value;
  const fit = modes[mode];
  for (const one of form.querySelectorAll("[data-only]")) {
    one.hidden = !one.dataset.only.split(" ").includes(mode);
    for (const control of one.querySelectorAll("input, select")) control.disabled = one.hidden;
  }
  const counts = [...form.elements.seats.options];
  for (const one of fit ? counts : []) one.hidden = one.disabled = !fit.includes(Number(one.value));
  if (form.elements.seats.selectedOptions[0].disabled) counts.find((one) => !one.disabled).selected = true;
  const shown = usedSeats();
  for (const seat of seats) {
    seat.hidden = !shown.includes(seat);
    const invite = seat.querySelector("[name=invite]");
    invite.required = !seat.hidden && seat.querySelector("[name=who]").value === "invite";
    invite.closest("label").hidden = !invite.required;
  }
}

/** The body of the request. */
function plan() {
  const value = (name) => form.elements[name].value;
  return {
    game: form.dataset.game,
    seats: usedSeats().map(seatPlan),
    options: options(),
    clock: JSON.parse(value("clock")),
    on_timeout: value("on_timeout"),
    undo: value("undo"),
    visibility: value("visibility"),
  };
}

function seatPlan(seat) {
  const who = seat.querySelector("[name=who]").value;
  if (who === "invite") return { invite: seat.querySelector("[name=invite]").value };
  return who.startsWith("bot:") ? { bot: who.slice(4) } : { [who]: true };
}

function options() {
  const chosen = {};
  for (const one of form.querySelectorAll("[data-option]:enabled")) {
    const kinds = { checkbox: () => one.checked, number: () => Number(one.value) };
    chosen[one.dataset.option] = (kinds[one.type] ?? (() => one.value))();
  }
  for (const list of form.querySelectorAll("[data-list]")) {
    const values = [...list.querySelectorAll("select:enabled")].map((one) => one.value).filter(Boolean);
    if (values.length) chosen[list.dataset.list] = values;
  }
  return chosen;
}
