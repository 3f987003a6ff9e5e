// What a move would change beside ghosts: numbers count, and pieces leave the hand.

import { joinSums, sumsOf } from "./counting.js";
import { cross, hide, placeOf } from "./ghosts.js";
import { createSvg, matrix, setAttributes } from "./shapes.js";

const TEXTS = "text:not([data-at] *)"; // things to touch have names, not counts
const ARROWS = [[" → ", 1], ["→", 0.85], ["→", 0.7]]; // sizes, until it fits

/** Pairs of texts at the same place: before a move, and after it with other numbers. */
export function findCounts(picture, after) {
  const next = new Map([...after.querySelectorAll(TEXTS)].map((one) => [placeOf(one), one]));
  const pairs = [...picture.querySelectorAll(TEXTS)].map((one) => [one, next.get(placeOf(one))]);
  return pairs.filter(([one, other]) => other && isCounted(one, other));
}

/** Cross out the pieces of a hand that are no longer in it after a move; of equal ones the first. */
export function crossLeaving(layer, hand, after) {
  const gone = new Map();
  const add = ({ dataset }, by) => gone.set(dataset.at, (gone.get(dataset.at) ?? 0) + by).get(dataset.at);
  const [before, now] = [hand, after].map((one) => [...one.querySelectorAll("[data-at]")]);
  for (const one of before) add(one, 1);
  for (const one of now) add(one, -1);
  for (const one of before) if (add(one, -1) >= 0) place(layer, one, cross(one.getBBox()));
}

/** Show above the picture each number as it counts, such as `12 → 15`, instead of the old one. */
export function drawCounts(layer, pairs) {
  for (const [one, other] of pairs) {
    const text = place(layer, one, one.cloneNode());
    const style = getComputedStyle(one);
    for (const name of ["fill", "font-weight", "text-anchor"]) text.setAttribute(name, style.getPropertyValue(name));
    hide(one);
    for (const [arrow, part] of ARROWS) {
      text.textContent = joinSums(one.textContent, other.textContent, arrow);
      text.setAttribute("font-size", part * parseFloat(style.fontSize));
      if (fits(text, one)) break;
    }
    const { x, y, width, height } = text.getBBox();
    place(layer, one, createSvg("rect", { class: "ring", x: x - 3, y: y - 1, width: width + 6, height: height + 2, rx: 4 }));
  }
}

/** Show the hidden texts and pieces again. */
export function restore(picture) {
  for (const one of picture.querySelectorAll("[visibility]")) one.removeAttribute("visibility");
}

/** Whether only numbers differ between two texts and what is beside them. */
function isCounted(one, other) {
  const [before, now] = [one, other].map(({ textContent }) => sumsOf(textContent));
  const [beside, next] = [one, other].map(({ parentNode }) => parentNode.childElementCount);
  return before.length === now.length && String(before) !== String(now) && beside === next;
}

/** Add a shape to a layer, in the place of an element below it. */
function place(layer, below, shape) {
  layer.append(setAttributes(shape, { transform: matrix(layer, below) }));
  return shape;
}

/** Whether a text in the place of another covers no more than that. */
function fits(text, one) {
  const root = text.closest("svg");
  const [box, all] = [text, root].map((each) => each.getBoundingClientRect());
  const others = [...root.querySelectorAll("text:not([visibility])"), ...one.parentNode.children].filter((each) => each !== text);
  return all.left <= box.left && box.right <= all.right && !others.some((each) => overlap(text, each) && !overlap(one, each));
}

function overlap(element, other) {
  const [one, two] = [element, other].map((each) => each.getBoundingClientRect());
  return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
}
