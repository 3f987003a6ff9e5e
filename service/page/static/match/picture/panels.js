// The panels of a picture, each in its place on the page; things that can be touched are lit.

import { moving } from "../../prefs.js";
import { copyCrossed } from "./above.js";
import { crossLeaving, drawCounts, findCounts, restore } from "./changes.js";
import { count, findNumbers } from "./counting.js";
import { drawGhosts, drawTurn, layerOf, lookOf, markGhosts, markTurn } from "./ghosts.js";
import { drawArrow, drawBarred } from "./instead.js";
import { findPieces, travel } from "./motion.js";
import { area, center, createSvg, distance, isLine, matrix, minBy, setAttributes } from "./shapes.js";

const SHAPES = "rect,circle,ellipse,polygon,path";
const REACH_PX = { mouse: 4, pen: 12, touch: 22 }; // distance that still touches a thing
const MANY = 40; // lit things of a panel, of which spots have only their dots
const MAX_FRESH = 0.5; // with a larger share of new shapes it is another picture
const FIXED = matchMedia("(orientation: landscape) and (min-height: 30.01rem)"); // each panel scrolls, the page does not
const NEAREST = { block: "nearest", inline: "nearest" };
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A panel: its picture, and above it the lights. */
class Panel {
  constructor(name) {
    Object.assign(this, { name, picture: createSvg("g"), lights: createSvg("g", { class: "lights" }), looks: new Set(), ghosts: [], before: null });
    this.root = createSvg("svg", { class: "view", "data-view": name });
    this.root.append(this.picture, this.lights);
  }

  /** Remember where pieces and numbers are, from where they move to those of the next picture. */
  remember() {
    this.before = moving() ? [findPieces(this.root), findNumbers(this.root)] : null;
  }

  show(next, font) {
    const label = next.getAttribute("aria-label");
    for (const name of ["transform", "role", "aria-label"]) next.removeAttribute(name);
    const looks = shapesOf(next).map((shape) => [shape, lookOf(shape)]);
    const fresh = looks.filter(([, look]) => !this.looks.has(look));
    if (fresh.length < MAX_FRESH * this.looks.size) fresh.forEach(([shape]) => shape.classList.add("fresh"));
    this.looks = new Set(looks.map(([, look]) => look));
    for (const layer of this.ghosts) layer.remove();
    if (!next.isEqualNode(this.picture)) {
      this.picture.replaceWith(next);
      this.picture = next;
    }
    this.size = next.dataset.size.split(" ").map(Number);
    setAttributes(this.root, { viewBox: `0 0 ${this.size.join(" ")}`, "font-family": font, role: "group", "aria-label": label });
    this.root.style.setProperty("--width", `${this.size[0]}px`);
    this.ghosts = [];
    this.turn?.remove();
  }

  move() {
    const travelling = this.before ? travel(this.root, this.before[0]) : [];
    const endCount = this.before && count(this.root, this.before[1]);
    this.before = null;
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
    this.turn.append(...copyCrossed(this.turn, this.picture, markTurn(this.turn)));
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
 * the possible names, unless `aim(lamp, x, y)` has brought a small thing closer instead, and
 * `explained(text, name)` with what is known about a thing that has the focus, or cannot be touched.
 */
export class Panels {
  constructor(hosts, touched, aim = () => false, explained = () => {}) {
    Object.assign(this, { hosts, touched, aim, explained, panels: new Map(), open: [], pointer: "mouse" });
    this.patterns = createSvg("svg", { width: 0, height: 0, class: "patterns", "aria-hidden": true });
    for (const host of new Set(Object.values(hosts))) {
      host.replaceChildren();
      for (const kind of ["click", "focusin", "keydown", "pointerdown"]) host.addEventListener(kind, (event) => this[kind](event));
    }
    hosts.map.append(this.patterns);
  }

  get map() {
    return this.panels.get("map");
  }

  /** Show a picture and highlight what is new. */
  show(text) {
    const picture = parse(text).documentElement;
    if (picture.nodeName !== "svg") throw new Error("This is no picture.");
    this.lit = null;
    const shown = [...picture.querySelectorAll("[data-panel]")].filter((one) => this.hostOf(one));
    for (const panel of this.panels.values()) panel.remember(); // to read places between two changes takes a layout each
    this.patterns.replaceChildren(...picture.querySelectorAll("defs"));
    this.hosts.map.ariaDescription = picture.querySelector("desc").textContent;
    for (const [name, { root }] of this.panels) {
      if (shown.some((one) => one.dataset.panel === name)) continue;
      root.remove();
      this.panels.delete(name);
    }
    for (const one of shown) this.place(document.adoptNode(one), picture.getAttribute("font-family"));
    for (const panel of this.panels.values()) panel.move();
  }

  /** The panels of a picture that is not shown, by name. */
  read(text) {
    const found = parse(text).querySelectorAll("[data-panel]");
    return Object.fromEntries([...found].map((one) => [one.dataset.panel, document.adoptNode(one)]));
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

  hostOf({ dataset: { role, folds } }) {
    return this.hosts[folds ? "folded" : role];
  }

  things() {
    return [...this.panels.values()].flatMap((panel) => [...panel.picture.querySelectorAll("[data-at]")].map((thing) => ({ panel, thing, name: thing.dataset.at })));
  }

  /** The names of all things, and of those on the map. */
  names() {
    const all = this.things();
    return [all, all.filter(({ panel }) => panel === this.map)].map((some) => new Set(some.map(({ name }) => name)));
  }

  /** Light open and chosen names, point at allowed ones and mark a refused one; returns open names that are not in the picture. */
  light(open, chosen, { labelOf, effectOf, ruleOf } = {}, allowed = [], refused = null) {
    const state = JSON.stringify([open, chosen, allowed, refused, this.map.root.style.cssText, document.fonts.status]); // signs above lights depend on zoom and font
    if (this.lit?.state !== state || this.lit.labelOf !== labelOf) {
      this.lit = { state, labelOf, unseen: this.drawLights(open, chosen, { labelOf, effectOf, ruleOf }, allowed, refused) };
    }
    return this.lit.unseen;
  }

  drawLights(open, chosen, { labelOf, effectOf, ruleOf }, allowed, refused) {
    const things = this.things();
    const of = (wanted) => things.filter(({ name }) => name === wanted);
    const focused = document.activeElement.closest(".can-touch");
    const was = focused && center(focused);
    for (const { lights } of this.panels.values()) lights.replaceChildren();
    const signs = (names, draw) => names.flatMap((name) => of(name).slice(0, 1).map(({ panel, thing }) => [panel, draw(panel, thing)]));
    const touched = signs(chosen, lamp);
    const lit = open.flatMap((name) => of(name).map(({ panel, thing }) => [panel, lamp(panel, thing, labelOf(name), effectOf(name), ruleOf(name))]));
    appendAll([...touched, ...lit]);
    this.open = lit.map(([, one]) => one).sort((one, other) => area(other) - area(one));
    this.open.forEach((one) => one.parentNode.append(one));
    for (const { root, lights } of this.panels.values()) {
      root.classList.toggle("choosing", lit.length + touched.length > 0);
      lights.classList.toggle("many", lights.childElementCount > MANY);
    }
    appendAll([...this.panels.values()].flatMap((panel) => copyCrossed(panel.lights, panel.picture, [...panel.lights.children]).map((sign) => [panel, sign])));
    appendAll([...signs(allowed, (panel, thing) => drawArrow(panel.root, thing)), ...signs([refused], forbid)]);
    this.rove(was ? nearest(this.open, was) : this.open.at(-1));
    if (was) this.focus();
    return open.filter((name) => !of(name).length);
  }

  focus() {
    this.current?.focus({ preventScroll: true });
  }

  /**
   * Scroll to the panel of the open things, or of those in the hand if there are any, or to one: if most are out of sight,
   * or any of a map or of a hand beside it. Upright, the page stays at its map `atFirst`, with the hand in sight, if any is visible there.
   */
  reveal(atFirst) {
    const mine = this.open.filter((one) => this.hosts.own.contains(one));
    this.revealHand(mine);
    const isUpright = innerWidth < innerHeight;
    const open = mine[0] ? mine : this.open;
    const isVisible = (one) => one.contains(document.elementFromPoint(...center(one)));
    if (atFirst && isUpright && open.some(isVisible)) return;
    const hidden = open.filter((one) => !isVisible(one));
    const isWhole = open === mine ? !isUpright : open.every((one) => this.hosts.map.contains(one));
    if (hidden.length <= (isWhole ? 0 : open.length / 2)) return;
    hidden.at(-1).closest(".view").parentNode.scrollIntoView(NEAREST); // the map stays in sight
    const sought = isWhole && mine[0] ? hidden : open.some(isVisible) ? [] : hidden.slice(-1);
    for (const one of sought) one.scrollIntoView(NEAREST);
    if (FIXED.matches) scrollTo(0, 0);
  }

  /** Scroll a hand that is a row to the first panel with open things, if none of these is in sight. */
  revealHand(mine) {
    const { own } = this.hosts;
    const row = own.getBoundingClientRect();
    const isWithin = ({ left, right }) => left >= row.left && right <= row.right;
    if (!mine[0] || mine.some((one) => isWithin(one.getBoundingClientRect()))) return;
    own.scrollLeft += mine[0].closest(".view").getBoundingClientRect().left - row.left;
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
    const one = target.closest(".can-touch") ?? this.lampAt(point) ?? this.near(point, reach, currentTarget);
    if (one && this.pointer !== "mouse" && this.aim(one, ...point)) return;
    if (one) this.touch(one);
    else if (below.length && detail < 2) this.touched(below);
    else this.explainThing(target);
  }

  focusin({ target }) {
    if (target.matches(":focus-visible")) this.explained(titleOf(target));
  }

  /** What the picture says about a thing. */
  about(wanted) {
    return this.things().map(({ thing, name }) => (name === wanted ? aboutOf(thing) : "")).find(Boolean) ?? "";
  }

  /** The open thing that is nearest to a point within a host, if it is in reach. */
  near(point, reach, host) {
    const one = nearest(this.open.filter((each) => host.contains(each)), point);
    return one && distance(one, point) <= reach && one;
  }

  /** Touch what a finger under the magnifier points at. */
  touchAt(...point) {
    const one = this.lampAt(point) ?? this.near(point, REACH_PX.touch, this.hosts.map);
    if (one) this.touch(one);
  }

  /** Say what a finger under the magnifier points at. */
  explainAt(...point) {
    const lamp = this.lampAt(point);
    if (lamp) this.explained(titleOf(lamp));
    else this.explainThing(document.elementFromPoint(...point));
  }

  explainThing(one) {
    this.explained(one ? aboutOf(one) : "", one?.closest("[data-at]")?.dataset.at);
  }

  /** The topmost open thing at a point; a piece can be drawn above its light. */
  lampAt(point) {
    return allAt(point, ".can-touch")[0];
  }

  thingsAt(point) {
    return [...new Set(allAt(point, "[data-panel] [data-at]").map((thing) => thing.dataset.at))];
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
    this.focus();
    next.scrollIntoView(NEAREST);
  }
}

/** A picture whose texts have the length of their letters: the page has their font, and counts in them. */
const parse = (text) => new DOMParser().parseFromString(text.replace(/ textLength="[^"]*"( lengthAdjust="\w+")?/g, ""), "image/svg+xml");

/** What a selector fits at a point, the topmost first. */
const allAt = (point, selector) => document.elementsFromPoint(...point).map((one) => one.closest(selector)).filter(Boolean);

/** Append elements to the lights of panels, once all are there: what reads places after an append waits for a new layout. */
function appendAll(pairs) {
  for (const [panel, one] of pairs) panel.lights.append(one);
}

/** The outline that lights a thing; a button if it has a label. */
function lamp(panel, thing, label, effect, rule) {
  const lit = createSvg("g", { class: label === undefined ? "touched" : "can-touch", "data-at": thing.dataset.at });
  if (label !== undefined) {
    setAttributes(lit, { role: "button", "aria-label": label, tabindex: -1 });
    lit.append(createSvg("title"));
    lit.firstChild.textContent = [label, effect || aboutOf(thing), rule].filter(Boolean).join("\n");
  }
  const shape = outline(thing);
  const kinds = isLine(shape) ? ["edge", "light", "reach"] : ["edge", "light"];
  lit.append(...kinds.map((kind) => copy(panel, shape, thing, kind)));
  if (label !== undefined && isSpot(thing)) {
    lit.classList.add("spot");
    lit.append(copy(panel, dot(thing), thing, "dot"));
  }
  return lit;
}

/** Marks a thing that was refused: a broken outline, and a barred circle on its corner. */
function forbid(panel, thing) {
  const mark = createSvg("g", { class: "refused", "data-at": thing.dataset.at });
  panel.lights.append(mark);
  mark.append(...["edge", "light"].map((kind) => copy(panel, outline(thing), thing, kind)), drawBarred(panel.root, thing));
  return mark;
}

const titleOf = (lamp) => lamp.querySelector(":scope > title")?.textContent ?? "";

/** The title in the picture of a thing or of what is around it. */
function aboutOf(thing) {
  return (thing.querySelector(":scope > g:only-child > title") ?? thing.closest("g:has(> title)")?.firstElementChild)?.textContent ?? "";
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
