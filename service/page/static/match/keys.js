// Keys that press the controls with `aria-keyshortcuts`, and the list of them.

import { $, ask, h, toast } from "../dom.js";
import { prefs } from "../prefs.js";
import { t } from "../words.js";

const SIGNS = { Plus: "+", "-": "−", ArrowLeft: "←", ArrowRight: "→" };
const keysOf = (control) => control.getAttribute("aria-keyshortcuts").split(" ");
const labelOf = (control) => control.ariaLabel ?? control.textContent;
const shortcuts = () => [...document.querySelectorAll("[aria-keyshortcuts]")];

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
  const types = target.closest("input, select, textarea") || document.querySelector("dialog[open]");
  const scrolls = /^(Arrow|Home|End)/.test(key) && target.closest("#board");
  if (taken || types || scrolls || (key.length === 1 && prefs.get("keys") === "off")) return;
  const name = key === "+" ? "Plus" : key.length === 1 ? key.toLowerCase() : key;
  const control = shortcuts().find((one) => keysOf(one).includes(name) && !one.closest("[hidden]"));
  if (!control) return;
  event.preventDefault();
  if (!control.matches("button")) control.focus();
  control.click();
});

/** Show all keys; single characters can be turned off, for example for voice control. */
export async function showKeys() {
  const { hidden: watches } = $("choices"); // only, or plays
  const rows = [
    ...(watches ? [] : [["← ↑ → ↓", t("key_arrows")], ["Enter", t("key_enter")]]),
    ...shortcuts().filter((control) => !watches || !control.closest("[hidden]")).map((control) => [keysOf(control)[0], labelOf(control)]),
  ];
  const list = h("table", {}, rows.map(([key, label]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, SIGNS[key] ?? key)), h("td", {}, label))));
  const other = prefs.get("keys") === "off" ? "on" : "off";
  const title = h("h2", {}, t("keys"));
  const buttons = [
    { value: "change", label: other === "on" ? t("keys_turn_on") : t("keys_turn_off") },
    { value: null, label: t("close"), kind: "main", focus: true },
  ];
  const note = other === "on" && h("p", { class: "note" }, t("keys_are_off"));
  if (!(await ask(h("div", {}, title, note || "", list), buttons))) return;
  prefs.set("keys", other);
  toast(other === "on" ? t("keys_are_on") : t("keys_are_off"));
}
