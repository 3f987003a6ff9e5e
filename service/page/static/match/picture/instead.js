// What to touch instead of a refused thing.

import { language } from "../../api.js";
import { t } from "../../words.js";
import { center, createSvg, distance, isLine } from "./shapes.js";

const [MAX_ARROWS, MAX_NAMED, ARROW_PX, SIGN_PX] = [12, 4, 11, 6];
const SHARES = [0.5, 0.75, 0.25, 0.9, 0.1]; // of the width of a thing
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

/** An arrow whose tip is on a thing: inside it where the arrow covers no text, or in the middle of a small one or a line. */
export function drawArrow(root, thing) {
  const { left, width, top, height } = thing.getBoundingClientRect();
  const matrix = root.getScreenCTM();
  const size = ARROW_PX / matrix.a;
  const texts = [...root.querySelectorAll("text")].map((one) => one.getBoundingClientRect());
  const heights = [Math.min(height / 2, 1.3 * ARROW_PX), height / 2];
  const points = heights.flatMap((y) => SHARES.map((share) => new DOMPoint(left + share * width, top + y)));
  const isFree = ({ x, y }) => !texts.some((one) => Math.abs(one.left + one.right - 2 * x) < one.width + ARROW_PX && one.top < y && y - ARROW_PX < one.bottom);
  const tip = isLine(thing)
    ? thing.getPointAtLength(thing.getTotalLength() / 2).matrixTransform(thing.getScreenCTM())
    : (points.find(isFree) ?? points[0]);
  const { x, y } = tip.matrixTransform(matrix.inverse());
  return createSvg("path", { class: "allowed", d: `M${x} ${y}l${-size / 2} ${-size}h${size}z` });
}

/** A barred circle on the upper right corner of a thing, within its picture. */
export function drawBarred(root, thing) {
  const [box, all, { a, e, f }] = [thing.getBoundingClientRect(), root.getBoundingClientRect(), root.getScreenCTM()];
  const r = SIGN_PX / a;
  const x = (Math.min(box.right, all.right - 2 * SIGN_PX) - e) / a;
  const y = (Math.max(box.top, all.top + 2 * SIGN_PX) - f) / a;
  const d = r * Math.SQRT1_2;
  return createSvg("path", { class: "sign", d: `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0zM${x - d} ${y - d}l${2 * d} ${2 * d}` });
}
