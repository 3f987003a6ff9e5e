// The picture of the service as a board: zoomed and moved, lit where it can be touched, and touched
// by mouse, finger or keys.

import { moving } from "./prefs.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "rect,circle,ellipse,polygon,path";
const CLOSEST = 14; // times as large as the whole picture
const STEP = 1.4;
const STILL = 6; // pixels that a hand may shake
const REACH = { mouse: 4, touch: 22, pen: 12 }; // pixels around a thing that still touch it
const TWICE_MS = 300;
const MANY = 0.5; // so much of a picture is new when another one is shown
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A board in an element; calls `onTouch(name)`, `onMiss(names)` for what is not open. */
export class Board {
  constructor(host, actions) {
    this.host = host;
    this.actions = actions;
    this.size = [1, 1];
    this.view = null; // centre and pixels per unit, or null while all of it is shown
    this.fingers = new Map();
    this.root = made("svg", { class: "view", role: "group" });
    this.picture = made("svg");
    this.ghosts = made("g", { class: "ghosts" });
    this.lights = made("g", { class: "lights" });
    this.root.append(this.picture, this.ghosts, this.lights);
    host.replaceChildren(this.root);
    this.listen();
  }

  /** Show a picture; with `animate` what is new in it shows up and what is gone fades. */
  show(text, animate) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") throw new Error("This is no picture.");
    const next = document.importNode(parsed, true);
    const { width, height } = next.viewBox.baseVal;
    for (const [name, value] of [["width", width], ["height", height]]) next.setAttribute(name, value);
    if (animate && moving()) this.mark(next);
    this.picture.replaceWith(next);
    this.picture = next;
    if (width !== this.size[0] || height !== this.size[1]) {
      this.size = [width, height];
      this.host.style.setProperty("--wide", width);
      this.host.style.setProperty("--high", height);
      this.view = null;
    }
    this.place();
  }

  mark(next) {
    const [before, now] = [leaves(this.picture), leaves(next)];
    const fresh = without(now, before);
    if (!before.length || fresh.length > MANY * now.length) return;
    const drawn = ([leaf]) => leaf.tagName !== "text";
    const gone = without(before, now).filter(drawn).map(([leaf]) => this.copy(leaf, "gone"));
    fresh.filter(drawn).forEach(([leaf]) => leaf.classList.add("fresh"));
    this.ghosts.replaceChildren(...gone);
    this.ghosts.onanimationend = () => this.ghosts.replaceChildren();
  }

  /** Light what is open and what is chosen; returns the open names that are not in the picture. */
  light(open, chosen, says) {
    const things = new Map();
    for (const thing of this.picture.querySelectorAll("[data-at]")) {
      const name = thing.dataset.at;
      things.set(name, [...(things.get(name) ?? []), thing]);
    }
    const held = this.lights.contains(document.activeElement) ? document.activeElement : null;
    const was = held && middle(held);
    const lit = [
      ...open.flatMap((name) => (things.get(name) ?? []).map((thing) => [name, thing, "can-touch"])),
      ...chosen.flatMap((name) => (things.get(name) ?? []).slice(0, 1).map((thing) => [name, thing, "touched"])),
    ].map(([name, thing, kind]) => this.lamp(name, thing, kind, says));
    lit.sort((one, other) => area(other) - area(one));
    this.lights.replaceChildren(...lit);
    this.open = lit.filter((lamp) => lamp.classList.contains("can-touch"));
    this.rove(was ? nearest(this.open, was) : this.open.at(-1));
    if (was) this.current?.focus({ preventScroll: true });
    return open.filter((name) => !things.has(name));
  }

  /** Whether something in the picture can be touched. */
  get lit() {
    return this.open?.length > 0;
  }

  focus() {
    this.current?.focus({ preventScroll: true });
  }

  /** Show all of it. */
  fit() {
    this.view = null;
    this.place();
  }

  /** Show it so many times as large; the point of the screen stays where it is. */
  zoom(times, x, y) {
    const box = this.root.getBoundingClientRect();
    const { cx, cy, scale } = this.now(box);
    const larger = Math.min(scale * times, this.least(box) * CLOSEST);
    if (larger <= this.least(box)) return this.fit();
    const [dx, dy] = [(x ?? middleX(box)) - middleX(box), (y ?? middleY(box)) - middleY(box)];
    const kept = 1 / scale - 1 / larger;
    this.view = { cx: cx + dx * kept, cy: cy + dy * kept, scale: larger };
    this.place();
  }

  /** Move it by so many pixels. */
  pan(dx, dy) {
    if (!this.view) return;
    const { cx, cy, scale } = this.view;
    this.view = { cx: cx - dx / scale, cy: cy - dy / scale, scale };
    this.place();
  }

  place() {
    const box = this.root.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const { cx, cy, scale } = this.now(box);
    const [w, h] = [box.width / scale, box.height / scale];
    const [x, y] = [inside(cx, w, this.size[0]), inside(cy, h, this.size[1])];
    if (this.view) this.view = { cx: x, cy: y, scale };
    this.root.setAttribute("viewBox", `${x - w / 2} ${y - h / 2} ${w} ${h}`);
    this.host.classList.toggle("zoomed", Boolean(this.view));
  }

  now(box) {
    return this.view ?? { cx: this.size[0] / 2, cy: this.size[1] / 2, scale: this.least(box) };
  }

  least(box) {
    return Math.min(box.width / this.size[0], box.height / this.size[1]);
  }

  /** What shows that a thing is open or chosen: its outline above it, which is the button. */
  lamp(name, thing, kind, says) {
    const lamp = made("g", { class: kind, "data-at": name });
    lamp.append(...["edge", "light"].map((layer) => this.copy(outline(thing), layer)));
    if (kind === "can-touch" && isSpot(thing)) lamp.append(this.dot(thing));
    if (kind === "can-touch") {
      lamp.setAttribute("role", "button");
      lamp.setAttribute("tabindex", "-1");
    } else lamp.setAttribute("role", "img");
    lamp.setAttribute("aria-label", kind === "can-touch" ? says(name) : t("chosen", { what: says(name) }));
    return lamp;
  }

  /** A shape once more, above the picture, at the same place. */
  copy(shape, kind) {
    const copied = shape instanceof Node ? shape.cloneNode(true) : shape.drawn;
    const from = shape instanceof Node ? shape : shape.of;
    const { a, b, c, d, e, f } = this.root.getScreenCTM().inverse().multiply(from.getScreenCTM());
    copied.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    copied.removeAttribute("data-at");
    copied.setAttribute("class", kind);
    return copied;
  }

  /** In the middle of an empty place: not by colour alone. */
  dot(thing) {
    const { x, y, width, height } = thing.getBBox();
    const drawn = made("circle", { cx: x + width / 2, cy: y + height / 2, r: Math.min(width, height) / 9 });
    return this.copy({ of: thing, drawn }, "dot");
  }

  rove(lamp) {
    this.current?.setAttribute("tabindex", "-1");
    this.current = lamp;
    lamp?.setAttribute("tabindex", "0");
  }

  listen() {
    const { root } = this;
    new ResizeObserver(() => this.place()).observe(root);
    root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.moved(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    for (const kind of ["pointercancel", "pointerleave"]) {
      root.addEventListener(kind, ({ pointerId }) => this.fingers.delete(pointerId));
    }
    this.host.addEventListener("keydown", (event) => this.key(event));
  }

  wheel(event) {
    if (event.deltaY > 0 && !this.view) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }

  down({ pointerId, clientX, clientY, button }) {
    if (button === 0) this.fingers.set(pointerId, { x: clientX, y: clientY, from: [clientX, clientY], still: true });
    if (this.fingers.size > 1) this.fingers.forEach((finger) => (finger.still = false));
  }

  moved({ pointerId, clientX, clientY }) {
    const finger = this.fingers.get(pointerId);
    if (!finger) return;
    if (Math.hypot(clientX - finger.from[0], clientY - finger.from[1]) > STILL && finger.still) {
      finger.still = false;
      if (this.view) this.root.setPointerCapture(pointerId);
    }
    const before = spread(this.fingers);
    const [dx, dy] = [clientX - finger.x, clientY - finger.y];
    Object.assign(finger, { x: clientX, y: clientY });
    if (finger.still) return;
    if (before) {
      const after = spread(this.fingers);
      this.zoom(after.apart / before.apart, before.x, before.y);
      this.pan(after.x - before.x, after.y - before.y);
    } else this.pan(dx, dy);
  }

  up({ pointerId, pointerType, clientX, clientY, timeStamp }) {
    const finger = this.fingers.get(pointerId);
    this.fingers.delete(pointerId);
    if (!finger?.still) return;
    const lamp = this.pointed(clientX, clientY, REACH[pointerType] ?? 0);
    if (lamp) return this.touch(lamp);
    const last = this.tapped;
    this.tapped = { timeStamp, x: clientX, y: clientY };
    clearTimeout(this.missing);
    const twice = last && timeStamp - last.timeStamp < TWICE_MS && Math.hypot(clientX - last.x, clientY - last.y) < 30;
    if (twice) return this.view ? this.fit() : this.zoom(3, clientX, clientY);
    const missed = under(clientX, clientY, this.picture);
    this.missing = setTimeout(() => missed.length && this.actions.onMiss(missed), TWICE_MS);
  }

  touch(lamp) {
    this.rove(lamp);
    this.actions.onTouch(lamp.dataset.at);
  }

  /** The open thing at a point of the screen, or the nearest within reach. */
  pointed(x, y, reach) {
    const above = document.elementsFromPoint(x, y).map((one) => one.parentNode).find((one) => this.open?.includes(one));
    if (above || (reach <= REACH.mouse && under(x, y, this.picture).length)) return above;
    const near = nearest(this.open ?? [], [x, y]);
    return near && distance(near.getBoundingClientRect(), x, y) <= reach ? near : undefined;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    const keys = {
      "+": () => this.zoom(STEP),
      "=": () => this.zoom(STEP),
      "-": () => this.zoom(1 / STEP),
      0: () => this.fit(),
    };
    const lamp = this.open?.find((one) => one === event.target);
    if (way && event.shiftKey) this.pan(-60 * way[0], -60 * way[1]);
    else if (way && lamp) this.go(lamp, way);
    else if (lamp && (event.key === "Enter" || event.key === " ")) this.touch(lamp);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go to the nearest open thing in a direction; at the edge stay. */
  go(lamp, [dx, dy]) {
    const [x, y] = middle(lamp);
    const ahead = this.open
      .map((other) => [other, middle(other)])
      .map(([other, [ox, oy]]) => [other, (ox - x) * dx + (oy - y) * dy, Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx)])
      .filter(([other, along, aside]) => other !== lamp && along > 1 && aside <= 3 * along)
      .sort(([, along, aside], [, along2, aside2]) => along + 2 * aside - along2 - 2 * aside2);
    if (!ahead.length) return;
    this.rove(ahead[0][0]);
    this.reveal(this.current);
    this.focus();
  }

  /** Move what is zoomed so far that a thing is in sight. */
  reveal(lamp) {
    const [box, at] = [this.root.getBoundingClientRect(), lamp.getBoundingClientRect()];
    const over = (from, to, low, high) => (from < low ? low - from : to > high ? high - to : 0);
    this.pan(over(at.left, at.right, box.left, box.right), over(at.top, at.bottom, box.top, box.bottom));
  }
}

function made(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The shape that stands for a thing: its own, the one it is drawn on, or a box around it. */
function outline(thing) {
  if (thing.matches(SHAPES)) return thing;
  const size = (one) => one.width * one.height;
  const box = thing.getBBox();
  const whole = size(thing.getBoundingClientRect());
  const [largest] = [...thing.querySelectorAll(SHAPES)]
    .map((shape) => [shape, size(shape.getBoundingClientRect())])
    .sort((one, other) => other[1] - one[1]);
  if (largest && (largest[1] > 0.7 * whole || largest[0].getAttribute("fill") === "none")) return largest[0];
  const around = { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 5 };
  return { of: thing, drawn: made("rect", around) };
}

/** Whether nothing is drawn of a thing itself. */
function isSpot(thing) {
  return thing.parentNode.getAttribute("pointer-events") === "all";
}

/** All shapes and texts, each with what makes it what it is: where it stands and how it looks. */
function leaves(node, before = "") {
  const place = before + (node.getAttribute("transform") ?? "");
  if (!node.children.length) return [[node, place + node.outerHTML]];
  return [...node.children].filter((child) => child.tagName !== "defs").flatMap((child) => leaves(child, place));
}

function without(some, others) {
  const left = new Map();
  for (const [, look] of others) left.set(look, (left.get(look) ?? 0) + 1);
  return some.filter(([leaf, look]) => {
    left.set(look, (left.get(look) ?? 0) - 1);
    return left.get(look) < 0 && !["title", "desc"].includes(leaf.tagName);
  });
}

function under(x, y, picture) {
  const names = document.elementsFromPoint(x, y).map((one) => picture.contains(one) && one.closest("[data-at]")?.dataset.at);
  return [...new Set(names.filter(Boolean))];
}

function nearest(lamps, [x, y]) {
  const far = (lamp) => distance(lamp.getBoundingClientRect(), x, y);
  return lamps.reduce((best, lamp) => (best && far(best) <= far(lamp) ? best : lamp), undefined);
}

function distance({ left, right, top, bottom }, x, y) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

function spread(fingers) {
  if (fingers.size < 2) return null;
  const [one, other] = [...fingers.values()];
  return { apart: Math.hypot(one.x - other.x, one.y - other.y), x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function middle(lamp) {
  const box = lamp.getBoundingClientRect();
  return [middleX(box), middleY(box)];
}

const middleX = ({ left, width }) => left + width / 2;
const middleY = ({ top, height }) => top + height / 2;

function area(lamp) {
  const { width, height } = lamp.getBoundingClientRect();
  return width * height;
}

/** A centre such that a stretch around it stays inside of a whole. */
function inside(centre, stretch, whole) {
  return stretch >= whole ? whole / 2 : Math.min(Math.max(centre, stretch / 2), whole - stretch / 2);
}
