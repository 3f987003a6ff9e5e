// What a move would change, drawn above the picture: what comes as ghosts, what goes crossed.

import { area, createSvg } from "./shapes.js";

const SHAPES = "rect,circle,ellipse,polygon,path";
const PARTS = `${SHAPES},text`;
const NO_PIECES = "[data-last], [data-sign], [pointer-events=all] > *"; // marks of the last turn, names, and areas to touch
const DIRECT_SHAPES = `:scope > :is(${SHAPES})`;
const MAX_BODY = 10; // times the area of a piece; what is larger is the ground
const RING_GAP = 3; // between a piece and the ring around it, in the unit of the picture
const NEAR_PX = 2; // things that overlap by less are beside each other
const MAX_CHANGED = 0.5; // with a larger share of changed parts it is another picture

/**
 * The layers for a picture and the one after a move, without pairs of texts that count; none if the
 * pictures have little in common.
 */
export function drawGhosts(picture, after, counts = []) {
  const [before, now] = [looksOf(picture), looksOf(after)];
  const [known, next] = [new Set(before), new Set(now)];
  for (const [old, other] of counts) {
    known.add(lookOf(other));
    next.add(lookOf(old));
  }
  const coming = only(after, now, known);
  if (coming.count > MAX_CHANGED * known.size) return [];
  const going = only(picture, before, next);
  [...picture.querySelectorAll(PARTS)].forEach((one, at) => one.matches("text") && !next.has(before[at]) && !isOfPiece(one) && hide(one));
  return [layerOf("going", going.layer), layerOf("coming", coming.layer)];
}

/** A layer for what is new since another picture; nothing if they have little in common. */
export function drawTurn(before, picture) {
  const known = new Set(looksOf(before));
  const { layer, count } = only(picture, looksOf(picture), known);
  return count && count < MAX_CHANGED * known.size ? layerOf("turn", layer) : null;
}

/** Leave of a layer that is in the document only rings, one around pieces that meet; returns them. */
export function markTurn(layer) {
  const boxes = piecesOf(layer).map((piece) => boxIn(layer, wholeOf(piece)));
  const rings = joinBoxes(boxes).map(ring);
  layer.replaceChildren(...rings);
  return rings;
}

/**
 * Ring what comes and cross what goes in layers that are in the document; hide what goes where something
 * comes. Reads all places before it changes anything: to read one after a change takes a layout.
 */
export function markGhosts(picture, [going, coming]) {
  if (!going) return;
  const [leaving, arriving] = [going, coming].map(wholePieces);
  const boxes = [...coming.querySelectorAll(PARTS)].map((one) => one.getBoundingClientRect());
  const [groups, originals] = [going, picture].map((one) => [...one.querySelectorAll("g")]);
  const rings = arriving.map((piece) => [piece, ring(piece.getBBox())]);
  const crosses = leaving.map((piece) => {
    const [box, original] = [piece.getBoundingClientRect(), originals[groups.indexOf(piece)]];
    return [piece, original && boxes.some((other) => covers(box, other)) ? original : cross(piece.getBBox())];
  });
  [[going, leaving], [coming, arriving]].forEach(markGround);
  for (const [piece, mark] of [...rings, ...crosses]) {
    if (mark.isConnected) hide(mark);
    else piece.append(mark);
  }
}

/** The pieces of a layer, none of which is in another one. */
function wholePieces(layer) {
  const pieces = new Set(piecesOf(layer).map(wholeOf));
  return [...pieces].filter((piece) => !contains(pieces, piece.parentNode));
}

/** Let the shapes of a layer that are in no piece be the ground. */
function markGround([layer, pieces]) {
  for (const part of layer.querySelectorAll(SHAPES)) part.classList.toggle("ground", !contains(pieces, part));
}

const contains = (pieces, one) => [...pieces].some((piece) => piece.contains(one));

/** Whether a box reaches into another. */
function covers(box, other) {
  const [width, height] = ["width", "height"].map((each) => (box[each] + other[each]) / 2);
  const [dx, dy] = [box.left - other.left + (box.width - other.width) / 2, box.top - other.top + (box.height - other.height) / 2].map(Math.abs);
  return dx < width - NEAR_PX && dy < height - NEAR_PX;
}

export const hide = (one) => one.setAttribute("visibility", "hidden");

/** A layer that cannot be touched and that screen readers skip. */
export function layerOf(kind, layer) {
  layer.setAttribute("class", `ghosts ${kind}`);
  layer.setAttribute("aria-hidden", true);
  for (const name of ["transform", "data-panel", "role", "aria-label"]) layer.removeAttribute(name);
  for (const one of layer.querySelectorAll("[data-at]")) one.removeAttribute("data-at");
  return layer;
}

/** A copy of a picture with only the parts whose looks are not known, and their number. */
function only(picture, looks, known) {
  const layer = picture.cloneNode(true);
  const parts = [...layer.querySelectorAll(PARTS)];
  const others = parts.filter((part, at) => known.has(looks[at]) || part.closest(NO_PIECES));
  for (const part of others) part.remove();
  return { layer, count: parts.length - others.length };
}

/** Whether a part belongs to the top of a piece, a group without others in it. */
function isOfPiece(part) {
  const group = part.closest("g[transform]");
  return group && !group.querySelector("g[transform]");
}

/** The looks of all parts of a picture, in order. */
const looksOf = (picture) => [...picture.querySelectorAll(PARTS)].map(lookOf);

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

/** The innermost groups with a place of their own that still have parts, with the groups around only them. */
function piecesOf(layer) {
  const innermost = [...layer.querySelectorAll("g[transform]")].filter((one) => one.querySelector(PARTS) && !one.querySelector("g[transform]"));
  return innermost.map((one) => {
    while (one.parentElement !== layer && one.parentElement.childElementCount === 1) one = one.parentElement;
    return one;
  });
}

/** A piece with the body around it, if that is in the layer too. */
function wholeOf(piece) {
  const { parentElement: body } = piece;
  const isBody = body.querySelector(DIRECT_SHAPES) && area(body) < MAX_BODY * area(piece);
  return isBody ? wholeOf(body) : piece;
}

/** The box of an element in the unit of a layer. */
function boxIn(layer, element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const { a, d, e, f } = layer.getScreenCTM();
  return { x: (left - e) / a, y: (top - f) / d, width: width / a, height: height / d };
}

/** The same boxes, with one around those that meet. */
function joinBoxes(boxes) {
  const joined = [];
  for (let box of boxes) {
    for (let met; (met = joined.findIndex((one) => meet(one, box))) >= 0; ) box = around(box, ...joined.splice(met, 1));
    joined.push(box);
  }
  return joined;
}

function meet(one, other) {
  const apart = (at, size) => Math.max(one[at] - other[at] - other[size], other[at] - one[at] - one[size]);
  return apart("x", "width") < RING_GAP && apart("y", "height") < RING_GAP;
}

function around(one, other) {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const [right, bottom] = [Math.max(one.x + one.width, other.x + other.width), Math.max(one.y + one.height, other.y + other.height)];
  return { x, y, width: right - x, height: bottom - y };
}

function ring({ x, y, width, height }) {
  return createSvg("rect", { class: "ring", x: x - RING_GAP, y: y - RING_GAP, width: width + 2 * RING_GAP, height: height + 2 * RING_GAP, rx: 4 });
}

export function cross({ x, y, width, height }) {
  return createSvg("path", { class: "cross", d: `M${x} ${y}l${width} ${height}M${x + width} ${y}l${-width} ${height}` });
}
