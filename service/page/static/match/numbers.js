// Numbers beside the map that a move would change, as "12→15" above them.

import { createSvg } from "./shapes.js";

const NUMBER = /\d+/g;
const PADDING = 3; // around the letters, in their own units

/** A layer for the view of a panel: the numbers that differ in the picture after a move. */
export function markNumbers(view, picture, after) {
  const layer = createSvg("g", { class: "ghosts numbers", "aria-hidden": true });
  const later = new Map(textsOf(after).map((text) => [placeOf(text), text.textContent]));
  for (const text of textsOf(picture)) {
    for (const change of changes(text.textContent, later.get(placeOf(text)) ?? "")) layer.append(mark(view, text, change));
  }
  return layer;
}

const textsOf = (picture) => [...picture.querySelectorAll("text")].filter(({ textContent }) => textContent.match(NUMBER));

/** Where a text is in its panel. */
function placeOf(text) {
  let found = `${text.getAttribute("x")},${text.getAttribute("y")}`;
  for (let group = text; group && !group.dataset.panel; group = group.parentElement) found += group.getAttribute("transform");
  return found;
}

/** The numbers that differ between texts with as many numbers. */
function changes(before, after) {
  const next = after.match(NUMBER) ?? [];
  if (before.match(NUMBER).length !== next.length) return [];
  return [...before.matchAll(NUMBER)].map(({ 0: from, index }, place) => ({ from, index, to: next[place] })).filter(({ from, to }) => from !== to);
}

function mark(view, text, { from, to, index }) {
  const [first, last] = [text.getExtentOfChar(index), text.getExtentOfChar(index + from.length - 1)];
  const [middle, height] = [(first.x + last.x + last.width) / 2, first.height];
  const { a, b, c, d, e, f } = view.getScreenCTM().inverse().multiply(text.getScreenCTM());
  const size = Number(text.closest("[font-size]")?.getAttribute("font-size")) || 0.85 * height;
  const words = `${from}→${to}`;
  const width = 0.62 * size * words.length + 2 * PADDING;
  const group = createSvg("g", { transform: `matrix(${[a, b, c, d, e, f]})` });
  const letters = createSvg("text", { x: middle, y: text.getAttribute("y"), "font-size": size, "text-anchor": "middle" });
  letters.textContent = words;
  group.append(createSvg("rect", { x: middle - width / 2, y: first.y - PADDING / 2, width, height: height + PADDING, rx: 4 }), letters);
  return group;
}
