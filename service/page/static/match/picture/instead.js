// What to touch instead of a refused thing.

import { language } from "../../api.js";
import { t } from "../../words.js";
import { center, createSvg, distance, isLine } from "./shapes.js";

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

/** Some labels of `count` choices, as a list in words. */
export function listChoices(labels, count = labels.length) {
  const names = labels.slice(0, MAX_NAMED);
  if (count > names.length) names.push(t("more_choices", { count: count - names.length }));
  return new Intl.ListFormat(language, { type: "disjunction" }).format(names);
}

/** An arrow whose tip is on a thing: inside it, or in the middle of a small one or a line. */
export function drawArrow(root, thing) {
  const { left, width, top, height } = thing.getBoundingClientRect();
  const matrix = root.getScreenCTM();
  const size = ARROW_PX / matrix.a;
  const tip = isLine(thing)
    ? thing.getPointAtLength(thing.getTotalLength() / 2).matrixTransform(thing.getScreenCTM())
    : new DOMPoint(left + width / 2, top + Math.min(height / 2, 1.3 * ARROW_PX));
  const { x, y } = tip.matrixTransform(matrix.inverse());
  return createSvg("path", { class: "allowed", d: `M${x} ${y}l${-size / 2} ${-size}h${size}z` });
}
