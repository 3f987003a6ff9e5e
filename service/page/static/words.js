// Texts and times in the language of the page.

import { language } from "./api.js";

const texts = JSON.parse(document.getElementById("texts")?.textContent || "{}");
const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1_000]];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** The text of a key, with `parts` for its placeholders. */
export function t(key, parts = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}

/** A time (ISO 8601) in local form, absolute and relative. */
export function when(iso) {
  return `${absolute.format(new Date(iso))} (${ago(iso)})`;
}

/** A time (ISO 8601) relative to now. */
export function ago(iso) {
  const ms = new Date(iso) - Date.now();
  const [unit, size] = UNITS.find(([, size]) => Math.abs(ms) >= size) || UNITS.at(-1);
  return relative.format(Math.trunc(ms / size), unit);
}

/** Show each time below an element in local form. */
export function localizeTimes(element) {
  for (const time of element.querySelectorAll("time[datetime]")) {
    time.textContent = ago(time.dateTime);
    time.title = absolute.format(new Date(time.dateTime));
  }
}
