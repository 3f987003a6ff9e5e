// The picture of the service as a board that scrolls in its element; what can be touched is lit.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "rect,circle,ellipse,polygon,path";
const CLOSEST = 8; // times as wide as its place
const LEAST = 0.7; // narrower pictures are not shown as a whole
const STEP = 1.5;
const STILL = 6; // pixels that a hand may shake
const REACH = { mouse: 4, pen: 12, touch: 22 }; // pixels around a thing that still touch it
const MANY = 0.5; // with so much that is new it is another picture
const KEYS = { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit" };
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A board in an element; calls `touched(names)` with what may be meant. */
export class Board {
  constructor(host, touched) {
    Object.assign(this, { host, touched, open: [], size: [1, 1], zoomed: null, hand: "mouse" });
    this.picture = made("svg");
    this.lights = made("g", { class: "lights" });
    this.root = made("svg", { class: "view" });
    this.root.append(this.picture, this.lights);
    host.replaceChildren(this.root);
    new ResizeObserver(() => this.zoom()).observe(host);
    for (const kind of ["click", "dblclick", "keydown", "pointerdown", "pointermove", "touchstart", "touchmove", "wheel"]) {
      host.addEventListener(kind, (event) => this[kind](event), { passive: false });
    }
    this.deeds = { "zoom-in": () => this.zoom(STEP), "zoom-out": () => this.zoom(1 / STEP), fit: () => this.fit() };
  }

  /** Show a picture; what is new in it shows up. */
  show(text) {
    const next = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    if (next.nodeName !== "svg") throw new Error("This is no picture.");
    const { width, height } = next.viewBox.baseVal;
    set(next, { width, height });
    this.mark(next);
    this.picture.replaceWith(next);
    this.picture = next;
    this.size = [width, height];
    set(this.root, { viewBox: `0 0 ${width} ${height}` });
    this.host.style.setProperty("--shape", height / width);
    this.zoom();
  }

  /** Let what is new in a picture show up, unless all of it is. */
  mark(next) {
    const known = new Set(shapes(this.picture).map(look));
    const fresh = shapes(next).filter((shape) => !known.has(look(shape)));
    if (fresh.length < MANY * known.size) fresh.forEach((shape) => shape.classList.add("fresh"));
  }

  /** Light what is open and what is chosen; returns the open names that are not in the picture. */
  light(open, chosen, says) {
    const things = [...this.picture.querySelectorAll("[data-at]")];
    const of = (name) => things.filter((thing) => thing.dataset.at === name);
    const was = this.lights.contains(document.activeElement) && middle(document.activeElement);
    this.open = open.flatMap((name) => of(name).map((thing) => this.lamp(thing, says(name))));
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

  /** Come to what is open, if none of it is in sight. */
  reveal() {
    const inSight = (lamp) => lamp.contains(document.elementFromPoint(...middle(lamp)));
    if (this.open.some(inSight)) return;
    this.open.at(-1)?.scrollIntoView({ block: "nearest" });
  }

  /** Show all of it, or as much as is large enough. */
  fit() {
    this.zoomed = null;
    this.zoom();
  }

  /** Show it so many times as large; a point of the screen stays where it is. */
  zoom(times = 1, x, y) {
    const { host } = this;
    const box = host.getBoundingClientRect();
    const whole = Math.min(1, (box.height / box.width) * (this.size[0] / this.size[1]));
    const fitted = whole < LEAST ? 1 : whole;
    const before = this.zoomed ?? fitted;
    const now = Math.min(Math.max(before * times, whole), CLOSEST);
    if (times !== 1) this.zoomed = now === fitted ? null : now;
    const [dx, dy] = x === undefined ? [box.width / 2, box.height / 2] : [x - box.left, y - box.top];
    const [left, top] = [host.scrollLeft + dx, host.scrollTop + dy];
    host.style.setProperty("--zoom", now);
    if (times !== 1) host.scrollTo((left * now) / before - dx, (top * now) / before - dy);
  }

  /** What lights a thing: its outline, which is the button if it is open. */
  lamp(thing, says) {
    const lamp = made("g", { class: says ? "can-touch" : "touched", "data-at": thing.dataset.at });
    if (says) set(lamp, { role: "button", "aria-label": says, tabindex: -1 });
    const shape = outline(thing);
    lamp.append(this.copy(shape, thing, "edge"), this.copy(shape, thing, "light"));
    if (says && isSpot(thing)) lamp.append(this.copy(dot(thing), thing, "dot"));
    return lamp;
  }

  /** A shape once more, above the picture. */
  copy(shape, thing, kind) {
    const from = shape.isConnected ? shape : thing;
    const { a, b, c, d, e, f } = this.root.getScreenCTM().inverse().multiply(from.getScreenCTM());
    const copied = set(shape.cloneNode(true), { class: kind, transform: `matrix(${[a, b, c, d, e, f]})` });
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
    const missed = under(this.picture, clientX, clientY);
    const point = [clientX, clientY];
    const near = nearest(this.open, point);
    const reach = this.hand === "mouse" && missed.length ? 0 : REACH[this.hand];
    const lamp = target.closest(".can-touch") ?? (near && distance(near, point) <= reach && near);
    if (lamp) this.touch(lamp);
    else if (missed.length && detail < 2) this.touched(missed);
  }

  dblclick({ target, clientX, clientY }) {
    if (target.closest(".can-touch")) return;
    if (this.zoomed) this.fit();
    else this.zoom(2 * STEP, clientX, clientY);
  }

  wheel(event) {
    const { deltaY, clientX, clientY, ctrlKey } = event;
    const scrolls = this.host.scrollHeight > this.host.clientHeight + 1 && !this.zoomed;
    if (!ctrlKey && (scrolls || (deltaY > 0 && !this.zoomed))) return;
    event.preventDefault();
    this.zoom(Math.exp(-deltaY / 400), clientX, clientY);
  }

  pointerdown({ clientX, clientY, pointerType }) {
    Object.assign(this, { dragged: false, from: [clientX, clientY], hand: pointerType });
  }

  /** A mouse moves it; fingers do by themselves. */
  pointermove({ clientX, clientY, buttons, pointerType }) {
    if (buttons !== 1 || pointerType !== "mouse") return;
    const [dx, dy] = [clientX - this.from[0], clientY - this.from[1]];
    if (!this.dragged && Math.hypot(dx, dy) <= STILL) return;
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
    const way = WAYS[event.key];
    if (lamp && way) this.go(lamp, way);
    else if (lamp && ["Enter", " "].includes(event.key)) this.touch(lamp);
    else if (event.key in KEYS) this.deeds[KEYS[event.key]]();
    else return;
    event.preventDefault();
  }

  /** Go to the nearest open thing in a direction. */
  go(lamp, [dx, dy]) {
    const [x, y] = middle(lamp);
    const far = (other) => {
      const [ox, oy] = middle(other);
      const [along, aside] = [(ox - x) * dx + (oy - y) * dy, Math.abs((ox - x) * dy + (oy - y) * dx)];
      return along > 1 && aside <= 3 * along ? along + 2 * aside : Infinity;
    };
    const next = least(this.open, far);
    if (far(next) === Infinity) return;
    this.rove(next);
    next.focus();
  }
}

function made(tag, attributes = {}) {
  return set(document.createElementNS(SVG, tag), attributes);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The shape of a thing: its own, the one it is drawn on, or a box around it. */
function outline(thing) {
  if (thing.matches(SHAPES)) return thing;
  const largest = least(shapes(thing), (shape) => -area(shape));
  if (largest && (area(largest) > 0.7 * area(thing) || largest.getAttribute("fill") === "none")) return largest;
  const { x, y, width, height } = thing.getBBox();
  return made("rect", { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 5 });
}

/** Whether nothing is drawn of a thing itself. */
function isSpot(thing) {
  return thing.parentNode.getAttribute("pointer-events") === "all";
}

/** In the middle of an empty place, which is not lit by colour alone. */
function dot(thing) {
  const { x, y, width, height } = thing.getBBox();
  return made("circle", { cx: x + width / 2, cy: y + height / 2, r: Math.min(width, height) / 9 });
}

const shapes = (picture) => [...picture.querySelectorAll(SHAPES)];

/** How a shape looks, and where it stands. */
function look(shape) {
  let found = shape.outerHTML;
  for (let part = shape; part; part = part.parentElement) found += part.getAttribute("transform");
  return found;
}

function under(picture, x, y) {
  const things = document.elementsFromPoint(x, y).map((one) => picture.contains(one) && one.closest("[data-at]"));
  return [...new Set(things.filter(Boolean).map((thing) => thing.dataset.at))];
}

function least(items, size) {
  return items.reduce((best, item) => (best && size(best) <= size(item) ? best : item), undefined);
}

function nearest(lamps, point) {
  return least(lamps, (lamp) => distance(lamp, point));
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
