// What a move would change, drawn above the picture: what comes as ghosts, what goes crossed.

import { createSvg } from "./shapes.js";

const PARTS = "rect,circle,ellipse,polygon,path,text";
const MAX_CHANGED = 0.5; // with a larger share of changed parts it is another picture

/**
 * The layers for a picture and the one after a move, without pairs of texts that count; none if the
 * pictures have little in common.
 */
export function drawGhosts(picture, after, counts = []) {
  const [before, now] = [looksOf(picture), looksOf(after)];
  for (const [old, next] of counts) {
    before.add(lookOf(next));
    now.add(lookOf(old));
  }
  const coming = only(after, before);
  if (coming.count > MAX_CHANGED * before.size) return [];
  const going = only(picture, now);
  for (const one of picture.querySelectorAll("text")) if (!now.has(lookOf(one)) && !isOfPiece(one)) hide(one);
  return [layerOf("going", going.layer), layerOf("coming", coming.layer)];
}

/** A layer for what is new since another picture; nothing if they have little in common. */
export function drawTurn(before, picture) {
  const known = looksOf(before);
  const { layer, count } = only(picture, known);
  return count && count < MAX_CHANGED * known.size ? layerOf("turn", layer) : null;
}

/** Leave of a layer that is in the document only rings around its pieces. */
export function markTurn(layer) {
  const rings = piecesOf(layer).map((piece) => [piece, ring(piece.getBBox())]);
  for (const part of layer.querySelectorAll(PARTS)) part.remove();
  for (const [piece, one] of rings) piece.append(one);
}

/** Ring what comes and cross what goes in layers that are in the document. */
export function markGhosts(layers) {
  for (const layer of layers) {
    const draw = layer.classList.contains("coming") ? ring : cross;
    for (const piece of piecesOf(layer)) piece.append(draw(piece.getBBox()));
  }
}

export const hide = (text) => text.setAttribute("visibility", "hidden");

/** A layer that cannot be touched and that screen readers skip. */
export function layerOf(kind, layer) {
  layer.setAttribute("class", `ghosts ${kind}`);
  layer.setAttribute("aria-hidden", true);
  for (const name of ["transform", "data-panel", "role", "aria-label"]) layer.removeAttribute(name);
  for (const one of layer.querySelectorAll("[data-at]")) one.removeAttribute("data-at");
  return layer;
}

/** A copy of a picture with only the parts that look like none of these, and their number. */
function only(picture, looks) {
  const layer = picture.cloneNode(true);
  const parts = [...layer.querySelectorAll(PARTS)];
  for (const part of parts) part.classList.toggle("ground", part.tagName !== "text" && !isOfPiece(part));
  const known = parts.filter((part) => looks.has(lookOf(part)) || part.parentNode.getAttribute("pointer-events") === "all");
  for (const part of known) part.remove();
  return { layer, count: parts.length - known.length };
}

/** Whether a part belongs to a piece, a group without others in it; the ground is below all pieces. */
function isOfPiece(part) {
  const group = part.closest("g[transform]");
  return group && !group.querySelector("g[transform]");
}

function looksOf(picture) {
  return new Set([...picture.querySelectorAll(PARTS)].map(lookOf));
}

/** A key for the look and place of a part in its panel. */
export function lookOf(part) {
  return part.outerHTML.replace(/ class="[^"]*"/, "") + placeOf(part);
}

/** A key for the place of a part in its panel. */
export function placeOf(part) {
  let found = `${part.getAttribute("x")} ${part.getAttribute("y")}`;
  for (let group = part; group && !group.dataset.panel; group = group.parentElement) found += group.getAttribute("transform");
  return found;
}

/** The innermost groups with a place of their own that still have parts. */
function piecesOf(layer) {
  return [...layer.querySelectorAll("g[transform]")].filter((one) => one.querySelector(PARTS) && !one.querySelector("g[transform]"));
}

function ring({ x, y, width, height }) {
  return createSvg("rect", { class: "ring", x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 4 });
}

export function cross({ x, y, width, height }) {
  return createSvg("path", { class: "cross", d: `M${x} ${y}l${width} ${height}M${x + width} ${y}l${-width} ${height}` });
}
