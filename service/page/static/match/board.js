// The picture of the service as a scrolling board; things that can be touched are lit.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "rect,circle,ellipse,polygon,path";
const MAX_ZOOM = 8; // times the width of the element
const MIN_FIT = 0.7; // narrower pictures are not fitted as a whole
const ZOOM_STEP = 1.5;
const DRAG_PX = 6; // a shorter movement is no drag
const REACH_PX = { mouse: 4, pen: 12, touch: 22 }; // distance that still touches a thing
const MAX_FRESH = 0.5; // with a larger share of new shapes it is another picture
const KEY_ACTIONS = { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit" };
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A board in an element; calls `touched(names)` with the possible names. */
export class Board {
  constructor(host, touched) {
    Object.assign(this, { host, touched, open: [], size: [1, 1], zoomed: null, pointer: "mouse" });
    this.picture = createSvg("svg");
    this.lights = createSvg("g", { class: "lights" });
    this.root = createSvg("svg", { class: "view" });
    this.root.append(this.picture, this.lights);
    host.replaceChildren(this.root);
    new ResizeObserver(() => this.zoom()).observe(host);
    for (const kind of ["click", "dblclick", "keydown", "pointerdown", "pointermove", "touchstart", "touchmove", "wheel"]) {
      host.addEventListener(kind, (event) => this[kind](event), { passive: false });
    }
    this.actions = { "zoom-in": () => this.zoom(ZOOM_STEP), "zoom-out": () => this.zoom(1 / ZOOM_STEP), fit: () => this.fit() };
  }

  /** Show a picture and highlight what is new. */
  show(text) {
    const next = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    if (next.nodeName !== "svg") throw new Error("This is no picture.");
    const { width, height } = next.viewBox.baseVal;
    setAttributes(next, { width, height });
    this.highlight(next);
    this.picture.replaceWith(next);
    this.picture = next;
    this.size = [width, height];
    setAttributes(this.root, { viewBox: `0 0 ${width} ${height}` });
    this.host.style.setProperty("--shape", height / width);
    this.zoom();
  }

  /** Highlight new shapes, unless most are new. */
  highlight(next) {
    const known = new Set(shapes(this.picture).map(lookOf));
    const fresh = shapes(next).filter((shape) => !known.has(lookOf(shape)));
    if (fresh.length < MAX_FRESH * known.size) fresh.forEach((shape) => shape.classList.add("fresh"));
  }

  /** Light open and chosen names; returns the open names that are not in the picture. */
  light(open, chosen, labelOf) {
    const things = [...this.picture.querySelectorAll("[data-at]")];
    const of = (name) => things.filter((thing) => thing.dataset.at === name);
    const was = this.lights.contains(document.activeElement) && middle(document.activeElement);
    this.open = open.flatMap((name) => of(name).map((thing) => this.lamp(thing, labelOf(name))));
    const others = chosen.flatMap((name) => of(name).slice(0, 1).map((thing) => this.lamp(thing)));
    this.lights.replaceChildren(...others, ...this.open);
    this.lights.append(...this.open.sort((one, other) => area(other) - area(one)));
    this.rove(was ? nearest(this.open, was) : this.open.at(-1));
    if (was) this.focus();
    return open.filter((name) => !things.some((thing) => thing.dataset.at === name));
  }

  focus() {
    this.current?.focus({ preventScroll: true });
  }

  /** Scroll to an open thing if none is visible. */
  reveal() {
    const visible = (lamp) => lamp.contains(document.elementFromPoint(...middle(lamp)));
    if (this.open.some(visible)) return;
    this.open.at(-1)?.scrollIntoView({ block: "nearest" });
  }

  /** Show the whole board, or as much as stays readable. */
  fit() {
    this.zoomed = null;
    this.zoom();
  }

  /** Scale by a factor; the point (x, y) of the screen stays in place. */
  zoom(times = 1, x, y) {
    const { host } = this;
    const box = host.getBoundingClientRect();
    const whole = Math.min(1, (box.height / box.width) * (this.size[0] / this.size[1]));
    const fitted = whole < MIN_FIT ? 1 : whole;
    const before = this.zoomed ?? fitted;
    const now = Math.min(Math.max(before * times, whole), MAX_ZOOM);
    if (times !== 1) this.zoomed = now === fitted ? null : now;
    const [dx, dy] = x === undefined ? [box.width / 2, box.height / 2] : [x - box.left, y - box.top];
    const [left, top] = [host.scrollLeft + dx, host.scrollTop + dy];
    host.style.setProperty("--zoom", now);
    if (times !== 1) host.scrollTo((left * now) / before - dx, (top * now) / before - dy);
  }

  /** The outline that lights a thing; a button if it is open. */
  lamp(thing, label) {
    const lamp = createSvg("g", { class: label ? "can-touch" : "touched", "data-at": thing.dataset.at });
    if (label) setAttributes(lamp, { role: "button", "aria-label": label, tabindex: -1 });
    const shape = outline(thing);
    lamp.append(this.copy(shape, thing, "edge"), this.copy(shape, thing, "light"));
    if (label && isSpot(thing)) lamp.append(this.copy(dot(thing), thing, "dot"));
    return lamp;
  }

  /** A copy of a shape above the picture. */
  copy(shape, thing, kind) {
    const from = shape.isConnected ? shape : thing;
    const { a, b, c, d, e, f } = this.root.getScreenCTM().inverse().multiply(from.getScreenCTM());
    const copied = setAttributes(shape.cloneNode(true), { class: kind, transform: `matrix(${[a, b, c, d, e, f]})` });
    copied.removeAttribute("data-at");
    return copied;
  }

  rove(lamp) {
    if (this.current) this.current.tabIndex = -1;
    this.current = lamp;
    if (lamp) lamp.tabIndex = 0;
  }

  touch(lamp) {
    this.rove(lamp);
    this.touched([lamp.dataset.at]);
  }

  click({ target, clientX, clientY, detail }) {
    if (this.dragged) return;
    const below = thingsAt(this.picture, clientX, clientY);
    const point = [clientX, clientY];
    const near = nearest(this.open, point);
    const reach = this.pointer === "mouse" && below.length ? 0 : REACH_PX[this.pointer];
    const lamp = target.closest(".can-touch") ?? (near && distance(near, point) <= reach && near);
    if (lamp) this.touch(lamp);
    else if (below.length && detail < 2) this.touched(below);
  }

  dblclick({ target, clientX, clientY }) {
    if (target.closest(".can-touch")) return;
    if (this.zoomed) this.fit();
    else this.zoom(2 * ZOOM_STEP, clientX, clientY);
  }

  wheel(event) {
    const { deltaY, clientX, clientY, ctrlKey } = event;
    const scrolls = this.host.scrollHeight > this.host.clientHeight + 1 && !this.zoomed;
    if (!ctrlKey && (scrolls || (deltaY > 0 && !this.zoomed))) return;
    event.preventDefault();
    this.zoom(Math.exp(-deltaY / 400), clientX, clientY);
  }

  pointerdown({ clientX, clientY, pointerType }) {
    Object.assign(this, { dragged: false, from: [clientX, clientY], pointer: pointerType });
  }

  /** Drag with a mouse; browsers scroll for fingers. */
  pointermove({ clientX, clientY, buttons, pointerType }) {
    if (buttons !== 1 || pointerType !== "mouse") return;
    const [dx, dy] = [clientX - this.from[0], clientY - this.from[1]];
    if (!this.dragged && Math.hypot(dx, dy) <= DRAG_PX) return;
    this.dragged = true;
    this.from = [clientX, clientY];
    this.host.scrollBy(-dx, -dy);
  }

  touchstart() {
    this.fingers = null;
  }

  touchmove(event) {
    if (event.touches.length < 2) return;
    event.preventDefault();
    const [one, other] = [...event.touches].map(({ clientX, clientY }) => [clientX, clientY]);
    const [x, y] = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    const apart = Math.hypot(one[0] - other[0], one[1] - other[1]);
    const before = this.fingers;
    this.fingers = { x, y, apart };
    if (!before) return;
    this.host.scrollBy(before.x - x, before.y - y);
    this.zoom(apart / before.apart, x, y);
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lamp = this.open.find((one) => one === event.target);
    const direction = DIRECTIONS[event.key];
    if (lamp && direction) this.moveFocus(lamp, direction);
    else if (lamp && ["Enter", " "].includes(event.key)) this.touch(lamp);
    else if (event.key in KEY_ACTIONS) this.actions[KEY_ACTIONS[event.key]]();
    else return;
    event.preventDefault();
  }

  /** Focus the nearest open thing in a direction. */
  moveFocus(lamp, [dx, dy]) {
    const [x, y] = middle(lamp);
    const cost = (other) => {
      const [ox, oy] = middle(other);
      const [along, aside] = [(ox - x) * dx + (oy - y) * dy, Math.abs((ox - x) * dy + (oy - y) * dx)];
      return along > 1 && aside <= 3 * along ? along + 2 * aside : Infinity;
    };
    const next = minBy(this.open, cost);
    if (cost(next) === Infinity) return;
    this.rove(next);
    next.focus();
  }
}

function createSvg(tag, attributes = {}) {
  return setAttributes(document.createElementNS(SVG, tag), attributes);
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The shape of a thing: itself, its largest part, or a box around it. */
function outline(thing) {
  if (thing.matches(SHAPES)) return thing;
  const largest = minBy(shapes(thing), (shape) => -area(shape));
  if (largest && (area(largest) > 0.7 * area(thing) || largest.getAttribute("fill") === "none")) return largest;
  const { x, y, width, height } = thing.getBBox();
  return createSvg("rect", { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 5 });
}

/** Whether a thing is an invisible spot. */
function isSpot(thing) {
  return thing.parentNode.getAttribute("pointer-events") === "all";
}

/** Marks an empty spot besides its colour. */
function dot(thing) {
  const { x, y, width, height } = thing.getBBox();
  return createSvg("circle", { cx: x + width / 2, cy: y + height / 2, r: Math.min(width, height) / 9 });
}

const shapes = (picture) => [...picture.querySelectorAll(SHAPES)];

/** A key for the look and place of a shape. */
function lookOf(shape) {
  let found = shape.outerHTML;
  for (let part = shape; part; part = part.parentElement) found += part.getAttribute("transform");
  return found;
}

function thingsAt(picture, x, y) {
  const things = document.elementsFromPoint(x, y).map((one) => picture.contains(one) && one.closest("[data-at]"));
  return [...new Set(things.filter(Boolean).map((thing) => thing.dataset.at))];
}

function minBy(items, size) {
  return items.reduce((best, item) => (best && size(best) <= size(item) ? best : item), undefined);
}

function nearest(lamps, point) {
  return minBy(lamps, (lamp) => distance(lamp, point));
}

function distance(lamp, [x, y]) {
  const { left, right, top, bottom } = lamp.getBoundingClientRect();
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

function area(element) {
  const { width, height } = element.getBoundingClientRect();
  return width * height;
}
