// Texts and times in the language of the page.

import { language } from "./api.js";

const texts = JSON.parse(document.getElementById("texts")?.textContent || "{}");
const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1_000]];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "always" });
const now = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(0, "second");
const absolute = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** The text of a key, with `parts` for its placeholders. */
export function t(key, parts = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}

/** A time (ISO 8601) in local form, absolute and relative. */
export function when(iso) {
  const [time, past] = [absolute.format(new Date(iso)), ago(iso)];
  return language.startsWith("zh") ? `${time}（${past}）` : `${time} (${past})`;
}

/** A time (ISO 8601) relative to now, such as "3 minutes ago". */
export function ago(iso) {
  const [count, unit] = distance(iso);
  return count ? closeUp(relative.format(count, unit)) : now;
}

/** Without the spaces around numbers that browsers put into Chinese. */
const closeUp = (text) => text.replace(/(\d)\s(?=[\u2e80-\u9fff])/g, "$1");

/** A share as a percentage; with a minus of the width of a digit. */
export function percent(share, signDisplay = "auto") {
  return share.toLocaleString(language, { style: "percent", signDisplay }).replace("-", "\u2212");
}

/** How long it is since a time (ISO 8601), such as "3 minutes". */
function lasting(iso) {
  const [count, unit] = distance(iso);
  const long = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  return closeUp(long.format(Math.abs(count)));
}

function distance(iso) {
  const ms = new Date(iso) - Date.now();
  const [unit, size] = UNITS.find(([, size]) => Math.abs(ms) >= size) || UNITS.at(-1);
  // What is ahead is rounded: a deadline set to three days says so a moment later.
  return [Math.max(Math.trunc(ms / size), Math.round(ms / size)), unit];
}

/** Show each time below an element in local form. */
export function localizeTimes(element) {
  for (const time of element.querySelectorAll("time[datetime]:not([data-short])")) {
    time.textContent = inWords(time.dateTime, time.dataset);
    time.title = absolute.format(new Date(time.dateTime));
  }
}

/** A time in words, perhaps in a text. */
function inWords(iso, { text = "{time}", lasting: duration }) {
  return duration ? duration.replace("{time}", lasting(iso)) : text.replace("{time}", ago(iso));
}
