// The choices of a decision: as buttons, by kind, and in words.

import { fill, h } from "../dom.js";
import { t } from "../words.js";
import { listChoices } from "./picture/instead.js";

const parts = [...document.getElementById("all").children]; // the last one has what has no place on the board
const partOf = (name) => parts.find(({ dataset }) => dataset.kind === name.split(":")[0]) ?? parts.at(-1);

export function buttonsOf(names, labelOf, allowed) {
  return names.map((name) => h("button", { type: "button", "data-touch": name, class: allowed.includes(name) && "allowed" }, labelOf(name)));
}

/** Show all choices by their kind. */
export function fillKinds(names, labelOf, allowed) {
  for (const part of parts) {
    const own = names.filter((name) => partOf(name) === part);
    part.hidden = !own.length;
    fill(part.lastElementChild, buttonsOf(own, labelOf, allowed));
  }
}

/** What is touched, and what comes next; null before the first touch. */
export function describeTouches({ before, chosen, open }, labelOf) {
  if (!before.length) return null;
  const kindOf = (name) => (partOf(name) === parts.at(-1) ? labelOf(name) : partOf(name).firstElementChild.textContent);
  const next = [...new Set(open.map(kindOf))];
  const touched = chosen.map(labelOf).filter(Boolean);
  return [...touched.map((one) => h("span", { class: "named" }, one)), next.length ? t("touch_next", { names: listChoices(next) }) : t("touch_done")];
}
