// The panels of a picture, each in its place on the page; things that can be touched are lit.

import { moving } from "../../prefs.js";
import { drawAbove } from "./above.js";
import { crossLeaving, drawCounts, findCounts, restore } from "./changes.js";
import { count, findNumbers } from "./counting.js";
import { drawGhosts, drawTurn, layerOf, lookOf, markGhosts, markTurn } from "./ghosts.js";
import { drawArrow } from "./instead.js";
import { findPieces, travel } from "./motion.js";
import { area, center, createSvg, distance, isLine, matrix, minBy, setAttributes } from "./shapes.js";

const SHAPES = "rect,circle,ellipse,polygon,path";
const REACH_PX = { mouse: 4, pen: 12, touch: 22 }; // distance that still touches a thing
const MAX_FRESH = 0.5; // with a larger share of new shapes it is another picture
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A panel: its picture, and above it the lights. */
class Panel {
  constructor(name) {
    Object.assign(this, { name, picture: createSvg("g"), lights: createSvg("g", { class: "lights" }), ghosts: [] });
    this.root = createSvg("svg", { class: "view", "data-view": name });
    this.root.append(this.picture, this.lights);
  }

  show(next, font) {
    const before = moving() && this.root.isConnected ? [findPieces(this.root), findNumbers(this.root)] : null;
    const known = new Set(shapesOf(this.picture).map(lookOf));
    const label = next.getAttribute("aria-label");
    for (const name of ["transform", "role", "aria-label"]) next.removeAttribute(name);
    const fresh = shapesOf(next).filter((shape) => !known.has(lookOf(shape)));
    if (fresh.length < MAX_FRESH * known.size) fresh.forEach((shape) => shape.classList.add("fresh"));
    for (const layer of this.ghosts) layer.remove();
    this.picture.replaceWith(next);
    this.picture = next;
    this.size = next.dataset.size.split(" ").map(Number);
    setAttributes(this.root, { viewBox: `0 0 ${this.size.join(" ")}`, "font-family": font, role: "group", "aria-label": label });
    this.root.style.setProperty("--width", `${this.size[0]}px`);
    this.ghosts = [];
    this.turn?.remove();
    const travelling = before ? travel(this.root, before[0]) : [];
    const endCount = before && count(this.root, before[1]);
    this.settle = () => {
      travelling.forEach((one) => one.finish());
      endCount?.();
    };
  }

  /** Ring what is new since another picture, until the next one. */
  markTurn(before) {
    this.turn = drawTurn(before, this.picture);
    if (!this.turn) return;
    this.lights.before(this.turn);
    drawAbove(this.turn, this.picture, markTurn(this.turn));
  }

  /** Draw what changes until another picture: pieces of the map as ghosts; nothing without one. */
  showGhosts(after) {
    for (const layer of this.ghosts) layer.remove();
    restore(this.picture);
    this.ghosts = [];
    if (after?.dataset.size !== this.picture.dataset.size || !this.root.checkVisibility()) return;
    this.settle(); // what still moves would be compared where it was
    const counts = findCounts(this.picture, after);
    const { role } = after.dataset;
    if (role === "map") this.ghosts = drawGhosts(this.picture, after, counts);
    const changes = layerOf("changes", createSvg("g"));
    this.lights.before(...this.ghosts, changes);
    markGhosts(this.picture, this.ghosts);
    if (role === "own") crossLeaving(changes, this.picture, after);
    drawCounts(changes, counts);
    if (changes.childElementCount) this.ghosts.push(changes);
    else changes.remove();
  }
}

/** A key for a version as a seat sees it, also from the ETag of its picture. */
export function viewOf({ etag, version, seat }) {
  return etag ? /\d+-\w/.exec(etag)[0] : `${version}-${seat}`;
}

/**
 * The panels of the pictures, in the element of `hosts` for their role. Calls `touched(names)` with
 * the possible names, unless `aim(lamp, x, y)` has brought a small thing closer instead.
 */
export class Panels {
  constructor(hosts, touched, aim = () => false) {
    Object.assign(this, { hosts, touched, aim, panels: new Map(), open: [], pointer: "mouse" });
    this.patterns = createSvg("svg", { width: 0, height: 0, class: "patterns", "aria-hidden": true });
    for (const host of new Set(Object.values(hosts))) {
      host.replaceChildren();
      for (const kind of ["click", "keydown", "pointerdown"]) host.addEventListener(kind, (event) => this[kind](event));
    }
    hosts.map.append(this.patterns);
  }

  get map() {
    return this.panels.get("map");
  }

  /** Show a picture and highlight what is new. */
  show(text) {
    const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (picture.nodeName !== "svg") throw new Error("This is no picture.");
    const shown = [...picture.querySelectorAll("[data-panel]")].filter((one) => this.hostOf(one));
    this.patterns.replaceChildren(...picture.querySelectorAll("defs"));
    this.hosts.map.ariaDescription = picture.querySelector("desc").textContent;
    for (const name of this.panels.keys()) {
      if (!shown.some((one) => one.dataset.panel === name)) this.remove(name);
    }
    for (const one of shown) this.place(document.importNode(one, true), picture.getAttribute("font-family"));
  }

  /** The panels of a picture that is not shown, by name. */
  read(text) {
    const found = new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("[data-panel]");
    return Object.fromEntries([...found].map((one) => [one.dataset.panel, document.importNode(one, true)]));
  }

  /**
   * Draw what a move changes, from the picture after it; nothing without one, or over the picture of
   * another view than that before the move.
   */
  preview(text, base) {
    const after = text && base === this.view ? this.read(text) : {};
    for (const [name, panel] of this.panels) panel.showGhosts(after[name]);
  }

  place(next, font) {
    const { panel: name } = next.dataset;
    const panel = this.panels.get(name) ?? new Panel(name);
    this.panels.set(name, panel);
    panel.show(next, font);
    this.hostOf(next).append(panel.root);
  }

  remove(name) {
    this.panels.get(name).root.remove();
    this.panels.delete(name);
  }

  hostOf({ dataset: { role, folds } }) {
    return this.hosts[folds ? "folded" : role];
  }

  things() {
    return [...this.panels.values()].flatMap((panel) => [...panel.picture.querySelectorAll("[data-at]")].map((thing) => ({ panel, thing })));
  }

  /** Light open and chosen names, and point at allowed ones; returns open names that are not in the picture. */
  light(open, chosen, labelOf, allowed = []) {
    const things = this.things();
    const of = (name) => things.filter(({ thing }) => thing.dataset.at === name);
    const focused = document.activeElement.closest(".can-touch");
    const was = focused && center(focused);
    for (const { lights } of this.panels.values()) lights.replaceChildren();
    for (const name of chosen) of(name).slice(0, 1).forEach(({ panel, thing }) => lamp(panel, thing));
    this.open = open.flatMap((name) => of(name).map(({ panel, thing }) => lamp(panel, thing, labelOf(name))));
    this.open.sort((one, other) => area(other) - area(one)).forEach((one) => one.parentNode.append(one));
    for (const { picture, lights } of this.panels.values()) drawAbove(lights, picture, [...lights.children]);
    for (const name of allowed) of(name).slice(0, 1).forEach(({ panel, thing }) => panel.lights.append(drawArrow(panel.root, thing)));
    this.rove(was ? nearest(this.open, was) : this.open.at(-1));
    if (was) this.focus();
    return open.filter((name) => !things.some(({ thing }) => thing.dataset.at === name));
  }

  focus() {
    this.current?.focus({ preventScroll: true });
  }

  /** Scroll to the panel of the open things if most are out of sight, or to one of them. */
  reveal() {
    const isVisible = (one) => one.contains(document.elementFromPoint(...center(one)));
    const hidden = this.open.filter((one) => !isVisible(one));
    if (2 * hidden.length <= this.open.length) return;
    hidden.at(-1).closest(".view").parentNode.scrollIntoView({ block: "start" });
    if (!this.open.some(isVisible)) hidden.at(-1).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  rove(one) {
    if (this.current) this.current.tabIndex = -1;
    this.current = one;
    if (one) one.tabIndex = 0;
  }

  touch(one) {
    this.rove(one);
    this.touched([one.dataset.at]);
  }

  pointerdown({ pointerType }) {
    this.pointer = pointerType;
  }

  click({ target, currentTarget, clientX, clientY, detail }) {
    if (currentTarget.dataset.dragged) return;
    const point = [clientX, clientY];
    const below = this.thingsAt(point);
    const reach = this.pointer === "mouse" && below.length ? 0 : REACH_PX[this.pointer];
    const one = target.closest(".can-touch") ?? this.near(point, reach, currentTarget);
    if (one && this.pointer !== "mouse" && this.aim(one, ...point)) return;
    if (one) this.touch(one);
    else if (below.length && detail < 2) this.touched(below);
  }

  /** The open thing that is nearest to a point within a host, if it is in reach. */
  near(point, reach, host) {
    const one = nearest(this.open.filter((each) => host.contains(each)), point);
    return one && distance(one, point) <= reach ? one : undefined;
  }

  /** Touch what a finger under the magnifier points at. */
  touchAt(...point) {
    const below = document.elementsFromPoint(...point).find((one) => one.closest(".can-touch"));
    const one = below?.closest(".can-touch") ?? this.near(point, REACH_PX.touch, this.hosts.map);
    if (one) this.touch(one);
  }

  thingsAt(point) {
    const things = document.elementsFromPoint(...point).map((one) => one.closest("[data-panel] [data-at]"));
    return [...new Set(things.filter(Boolean).map((thing) => thing.dataset.at))];
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const one = this.open.find((each) => each === event.target);
    const direction = DIRECTIONS[event.key];
    if (one && direction) this.moveFocus(one, direction);
    else if (one && ["Enter", " "].includes(event.key)) this.touch(one);
    else return;
    event.preventDefault();
  }

  /** Focus the nearest open thing in a direction. */
  moveFocus(one, [dx, dy]) {
    const [x, y] = center(one);
    const cost = (other) => {
      const [ox, oy] = center(other);
      const [along, aside] = [(ox - x) * dx + (oy - y) * dy, Math.abs((ox - x) * dy + (oy - y) * dx)];
      return along > 1 && aside <= 3 * along ? along + 2 * aside : Infinity;
    };
    const next = minBy(this.open, cost);
    if (cost(next) === Infinity) return;
    this.rove(next);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** The outline that lights a thing; a button if it has a label. */
function lamp(panel, thing, label) {
  const lit = createSvg("g", { class: label === undefined ? "touched" : "can-touch", "data-at": thing.dataset.at });
  panel.lights.append(lit);
  if (label !== undefined) {
    setAttributes(lit, { role: "button", "aria-label": label, tabindex: -1 });
    const about = thing.querySelector("title") ?? thing.closest("g:has(> title)")?.firstElementChild; // of the picture, which the lamp covers
    lit.append(createSvg("title"));
    lit.firstChild.textContent = about ? `${label}\n${about.textContent}` : label;
  }
  const shape = outline(thing);
  const kinds = isLine(shape) ? ["edge", "light", "reach"] : ["edge", "light"];
  lit.append(...kinds.map((kind) => copy(panel, shape, thing, kind)));
  if (label !== undefined && isSpot(thing)) lit.append(copy(panel, dot(thing), thing, "dot"));
  return lit;
}

/** A copy of a shape above the picture. */
function copy(panel, shape, thing, kind) {
  const from = shape.isConnected ? shape : thing;
  const copied = setAttributes(shape.cloneNode(true), { class: kind, transform: matrix(panel.root, from) });
  copied.removeAttribute("data-at");
  return copied;
}

/** The shape of a thing: itself, its largest part, or a box around it. */
function outline(thing) {
  if (thing.matches(SHAPES)) return thing;
  const largest = minBy(shapesOf(thing), (shape) => -area(shape));
  if (largest && (area(largest) > 0.7 * area(thing) || largest.getAttribute("fill") === "none")) return largest;
  const { x, y, width, height } = thing.getBBox();
  return createSvg("rect", { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 5 });
}

/** Whether a thing is an invisible spot. */
function isSpot(thing) {
  return thing.parentNode.getAttribute("pointer-events") === "all";
}

/** Marks a spot besides its colour, in a corner where no piece is. */
function dot(thing) {
  const { x, y, width, height } = thing.getBBox();
  const r = Math.min(width, height) / 12;
  return createSvg("circle", { cx: x + width - 2 * r, cy: y + height - 2 * r, r });
}

const shapesOf = (picture) => [...picture.querySelectorAll(SHAPES)];

function nearest(lamps, point) {
  return minBy(lamps, (one) => distance(one, point));
}
