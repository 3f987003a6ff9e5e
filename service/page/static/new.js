// The form for a new table.

import "./frame.js";
import { openTable } from "./account.js";
import { attemptForm } from "./forms.js";
import { t } from "./words.js";

const form = document.getElementById("new");
const seats = [...form.querySelectorAll("[data-seat]")];
const usedSeats = () => seats.slice(0, Number(form.elements.seats.value));
const modes = JSON.parse(form.dataset.modes);
const modeList = form.querySelector("[data-option=mode]");

form.addEventListener("change", updateForm);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button.main");
  button.disabled = true;
  button.disabled = await attemptForm(form, () => openTable(plan()));
});
updateForm();

/** Show the options and seats of the mode, and a name field for invitations. */
function updateForm(event) {
  fitMode(event?.target === form.elements.seats);
  for (const one of form.querySelectorAll("[data-only]")) {
    one.hidden = !one.dataset.only.split(" ").includes(modeList?.value);
    for (const control of one.querySelectorAll("input, select")) control.disabled = one.hidden;
  }
  const { clock, patience_days: patience } = form.elements;
  patience.disabled = patience.closest("label").hidden = clock.value !== "null";
  const shown = usedSeats();
  for (const seat of seats) {
    seat.hidden = !shown.includes(seat);
    const invite = seat.querySelector("[name=invite]");
    invite.required = !seat.hidden && seat.querySelector("[name=who]").value === "invite";
    invite.closest("label").hidden = !invite.required;
  }
  for (const one of form.querySelectorAll("[data-option] option[value^='seat:']")) {
    one.disabled = one.hidden = Number(one.value.slice(5)) >= shown.length;
    if (one.selected && one.disabled) one.parentElement.selectedIndex = 0;
  }
  for (const list of form.querySelectorAll("[data-by-seat]")) {
    for (const [seat, one] of placesOf(list).entries()) {
      one.closest("label").hidden = seat >= shown.length;
      one.disabled = list.hidden || seat >= shown.length;
    }
  }
}

/** Change the mode to one for that many players, or their number to one of the mode; say so. */
function fitMode(hasCount) {
  const { seats: list } = form.elements;
  const fits = (mode) => modes[mode].includes(Number(list.value));
  const isFit = !modeList || fits(modeList.value);
  if (!isFit && hasCount) modeList.value = Object.keys(modes).find(fits);
  else if (!isFit) list.value = modes[modeList.value][0];
  const [count, mode] = [list, modeList].map((one) => one?.selectedOptions[0].text);
  document.getElementById("fit").textContent = isFit ? "" : hasCount ? t("mode_changed", { count, mode }) : t("count_changed", { count, mode });
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
    patience_days: form.elements.patience_days.disabled ? undefined : Number(value("patience_days")) || undefined,
    min_reliability: JSON.parse(value("min_reliability")),
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
    const places = placesOf(list).filter((one) => !one.disabled);
    const values = places.map((one) => one.value);
    const some = values.filter(Boolean);
    if (some.length) chosen[list.dataset.list] = "bySeat" in list.dataset ? fillSeats(places, some) : some;
  }
  return chosen;
}

function placesOf(list) {
  return [...list.querySelectorAll("select")];
}

/** A value for each seat: the chosen one, or else the first that no seat has. */
function fillSeats(places, taken) {
  const free = [...places[0].options].map((one) => one.value).filter((value) => value && !taken.includes(value));
  return places.map((one) => one.value || free.shift());
}
