// What a move would change beside ghosts: numbers count, and pieces leave the hand.

import { joinSums, sumsOf } from "./counting.js";
import { cross, hide, placeOf } from "./ghosts.js";
import { createSvg, inherited, matrix, setAttributes } from "./shapes.js";

const TEXTS = "text:not([data-at] *, [data-sign] *)"; // things to touch have names, not counts, except those in a hand
const OWN_TEXTS = "text:not([data-sign] *)";
const ARROWS = [[" → ", 1], ["→", 0.85], ["→", 0.7]]; // sizes, until it fits
const MIN_SIZE = 11.8; // of letters, in the unit of the picture

/** Pairs of texts at the same place: before a move, and after it with other numbers. */
export function findCounts(picture, after) {
  const texts = after.dataset.role === "own" ? OWN_TEXTS : TEXTS;
  const keyOf = (one) => placeOf(one) + one.closest("[data-at]")?.dataset.at;
  const next = new Map([...after.querySelectorAll(texts)].map((one) => [keyOf(one), one]));
  const pairs = [...picture.querySelectorAll(texts)].map((one) => [one, next.get(keyOf(one))]);
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

/** Show above the picture each number as it counts, such as `12 → 15`, instead of the old one; without room only the new one. */
export function drawCounts(layer, pairs) {
  const isFree = pairs.length > 0 && lookAround(layer.closest("svg"));
  for (const [one, other] of pairs) {
    const text = place(layer, one, one.cloneNode());
    const style = getComputedStyle(one);
    for (const name of ["fill", "font-weight", "text-anchor"]) text.setAttribute(name, inherited(one, name));
    hide(one);
    const write = (content, part = 1) => {
      text.textContent = content;
      text.setAttribute("font-size", part * parseFloat(style.fontSize));
      return isFree(text, one);
    };
    const sizes = ARROWS.filter(([, part]) => part * parseFloat(style.fontSize) > MIN_SIZE);
    const hasRoom = sizes.some(([arrow, part]) => write(joinSums(one.textContent, other.textContent, arrow), part));
    if (!hasRoom) write(other.textContent);
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

/** Looks at all parts of a panel; returns whether a text in the place of another covers no more than that. */
function lookAround(root) {
  const all = root.getBoundingClientRect();
  const parts = [...root.querySelectorAll("[data-panel] :is(text, rect, circle, ellipse, polygon, path)")];
  const boxes = new Map(parts.map((one) => [one, one.getBoundingClientRect()]));
  return (text, one) => {
    const box = text.getBoundingClientRect();
    const isNew = (other) => overlap(box, other) && !overlap(boxes.get(one), other);
    const covers = () => [...boxes].some(([other, place]) => isNew(place) && !other.hasAttribute("visibility"));
    return all.left <= box.left && box.right <= all.right && !covers();
  };
}

const overlap = (one, two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
