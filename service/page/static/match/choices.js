// The choices of a decision: as buttons, by kind, and in words.

import { language } from "../api.js";
import { $, fill, h } from "../dom.js";
import { t } from "../words.js";
import { listChoices } from "./picture/instead.js";

const parts = [...$("all").children]; // the last one has what has no place on the board
const list = new Intl.ListFormat(language);
const partOf = (name) => parts.find(({ dataset }) => dataset.kind === name.split(":")[0]) ?? parts.at(-1);

/** The labels of touches of one kind that come together, such as the parts of a payment. */
export const labelsOf = (names, { labelOf }) => list.format(names.map(labelOf));

export function buttonsOf(names, labelOf, allowed) {
  return names.map((name) => h("button", { type: "button", "data-touch": name, class: allowed.includes(name) && "allowed" }, labelOf(name)));
}

/** Show all choices by their kind, and name the kinds if there are several. */
export function fillKinds(names, labelOf, allowed) {
  for (const part of parts) {
    const own = names.filter((name) => partOf(name) === part);
    part.hidden = !own.length;
    fill(part.lastElementChild, buttonsOf(own, labelOf, allowed));
  }
  const kinds = parts.filter(({ hidden }) => !hidden).map((part) => part.firstElementChild.textContent);
  fill("kinds", kinds.length > 1 ? [listChoices(kinds)] : []);
}

/** What is touched, and a request for what comes next; nothing before the first touch. */
export function describeTouches({ before, chosen, open }, { labelOf, requestOf }) {
  if (!before.length) return "";
  const next = [...new Set(open.map(requestOf))];
  const touched = chosen.map(labelOf).filter(Boolean);
  const request = next.length ? capitalize(t("touch_next", { requests: listChoices(next) })) : t("touch_done");
  return h("span", { class: "touches" }, touched.map((one) => h("span", { class: "named" }, one)), request);
}

/** Names of spaces, such as `b1`, stay as they are. */
export function capitalize(text) {
  return text.replace(/^\D(?!\d)/, (first) => first.toUpperCase());
}
