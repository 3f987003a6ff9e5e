// Small signs with letters or numbers, drawn again above the lights and rings that would cross them.

import { inherited, matrix, setAttributes } from "./shapes.js";

const SIGNS = "g[transform]:has(text):not(:has(g[transform]))";
const INHERITED = ["fill", "font-size", "font-weight", "stroke-linejoin", "text-anchor"];
const STROKE_PX = 4; // how far a light or ring reaches to both sides of its edge
const MAX_SIDE = 0.7; // larger signs are the things that the lights surround

/** Copies of the signs of a picture that its lights cross, for a layer above these. */
export function copyCrossed(layer, picture, lights) {
  const boxes = lights.map((one) => Object.assign(one.getBoundingClientRect(), { line: one.querySelector(".reach") }));
  const isCrossed = (box) => boxes.some((light) => (light.line || side(box) < MAX_SIDE * side(light)) && crosses(light, box));
  const signs = new Set(boxes.length ? [...picture.querySelectorAll("text")].map((one) => one.closest(SIGNS) ?? one) : []);
  return [...signs].filter((sign) => isCrossed(sign.getBoundingClientRect())).map((sign) => copySign(layer, sign));
}

function copySign(layer, sign) {
  const copy = setAttributes(sign.cloneNode(true), { class: "above", transform: matrix(layer, sign), "aria-hidden": true });
  copy.removeAttribute("data-at");
  for (const name of INHERITED) copy.setAttribute(name, inherited(sign, name));
  return copy;
}

const side = ({ width, height }) => Math.max(width, height);

/** Whether the edge of a light goes through a box, or its line along it. */
function crosses({ left, right, top, bottom, line }, box) {
  if (line) return isOnLine(line, box);
  const meets = (by) => box.left < right + by && left - by < box.right && box.top < bottom + by && top - by < box.bottom;
  const isWithin = left + STROKE_PX <= box.left && box.right <= right - STROKE_PX && top + STROKE_PX <= box.top && box.bottom <= bottom - STROKE_PX;
  return meets(STROKE_PX) && !isWithin;
}

function isOnLine(line, { left, top, width, height }) {
  const inverse = line.getScreenCTM().inverse();
  const points = [0, 0.25, 0.5, 0.75, 1].flatMap((x) => [0, 0.5, 1].map((y) => new DOMPoint(left + x * width, top + y * height)));
  return points.some((point) => line.isPointInStroke(point.matrixTransform(inverse)));
}
