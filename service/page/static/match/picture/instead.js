// What to touch instead of a refused thing.

import { language } from "../../api.js";
import { t } from "../../words.js";
import { center, createSvg, distance } from "./shapes.js";

const [MAX_ARROWS, MAX_NAMED, ARROW_PX] = [12, 4, 11];
const kindOf = (name) => name.split(":")[0];

/** The choices of the kind of a refused name if there are any, or all; the nearest first. */
export function findAlike(choices, refused, things) {
  const find = (name) => things.find(({ thing }) => thing.dataset.at === name)?.thing;
  const from = center(find(refused) ?? document.body);
  const apart = (name) => (find(name) ? distance(find(name), from) : 1e6);
  const alike = choices.filter((name) => kindOf(name) === kindOf(refused));
  return (alike.length ? alike : choices).toSorted((one, other) => apart(one) - apart(other)).slice(0, MAX_ARROWS);
}

/** A sentence with some labels of `count` choices. */
export function nameChoices(labels, count) {
  const names = labels.slice(0, MAX_NAMED);
  if (count > names.length) names.push(t("more_choices", { count: count - names.length }));
  return t("instead", { names: new Intl.ListFormat(language, { type: "disjunction" }).format(names) });
}

/** An arrow at a thing from above, or from below at the upper edge. */
export function drawArrow(root, thing) {
  const { left, width, top, bottom } = thing.getBoundingClientRect();
  const matrix = root.getScreenCTM();
  const size = ARROW_PX / matrix.a;
  const below = top - ARROW_PX < root.getBoundingClientRect().top;
  const { x, y } = new DOMPoint(left + width / 2, below ? bottom : top).matrixTransform(matrix.inverse());
  return createSvg("path", { class: "allowed", d: `M${x} ${y}l${-size / 2} ${below ? size : -size}h${size}z` });
}
