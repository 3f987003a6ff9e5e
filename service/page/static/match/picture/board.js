// The map: it fills its place, and can be brought closer.

import { center, distance, side } from "./shapes.js";

const MAX_ZOOM = 8; // times the size at which it fits
const ZOOM_STEP = 1.5;
const DRAG_PX = 6; // a shorter movement is no drag
const AIM_PX = 40; // a thing of at least this size is safe to touch with a finger
const READ_PX = 11; // letters of at least this size are legible
const CROWD_PX = 16; // things closer to the finger than this could be meant
const MAX_AIM = 5; // closer than this, a touch chooses
const AROUND = Array.from({ length: 8 }, (_, step) => [Math.cos((step * Math.PI) / 4), Math.sin((step * Math.PI) / 4)]);

/** The map of the panels in its element. */
export class Board {
  constructor(host) {
    Object.assign(this, { host, times: 1, aimed: false });
    new ResizeObserver(() => this.zoom()).observe(host);
    for (const kind of ["dblclick", "pointerdown", "pointermove", "touchstart", "touchmove", "wheel"]) {
      host.addEventListener(kind, (event) => this[kind](event), { passive: false });
    }
    this.actions = { "zoom-in": () => this.zoom(ZOOM_STEP), "zoom-out": () => this.zoom(1 / ZOOM_STEP), fit: () => this.fit() };
  }

  /** Show a map of this size in its own pixels. */
  resize(width, height) {
    this.ratio = height / width;
    this.share = undefined; // of the smallest letter
    this.host.style.setProperty("--shape", this.ratio);
    this.zoom();
  }

  /** Show the whole map. */
  fit() {
    this.times = 1;
    this.aimed = false;
    this.zoom();
  }

  /** Show the whole map again if `aim` has brought a part of it closer. */
  release() {
    if (this.aimed) this.fit();
  }

  /** Scale by a factor; the point (x, y) of the screen stays in place. */
  zoom(factor = 1, x, y) {
    const { host } = this;
    const box = host.getBoundingClientRect();
    const whole = Math.min(1, box.height / (box.width * (this.ratio ?? 1))) || 1;
    const before = this.times;
    this.times = Math.min(Math.max(before * factor, 1), MAX_ZOOM);
    const [dx, dy] = x === undefined ? [box.width / 2, box.height / 2] : [x - box.left, y - box.top];
    const [left, top] = [host.scrollLeft + dx, host.scrollTop + dy];
    const grown = this.times / before;
    host.querySelector(".view")?.style.setProperty("--zoom", whole * this.times);
    if (grown !== 1) host.scrollTo(left * grown - dx, top * grown - dy);
  }

  /**
   * Bring the things around a finger closer if it could mean several and they are small; returns
   * whether that happened. The next touch chooses.
   */
  aim(lamp, x, y) {
    if (!this.host.contains(lamp) || this.times >= MAX_AIM) return false;
    const around = AROUND.map(([dx, dy]) => document.elementFromPoint(x + CROWD_PX * dx, y + CROWD_PX * dy)?.closest(".can-touch"));
    const close = [...this.host.querySelectorAll(".can-touch:not(:has(> .reach))")].filter((one) => distance(one, [x, y]) < CROWD_PX);
    const near = new Set([lamp, ...close, ...around.filter((one) => this.host.contains(one ?? null))]);
    if (near.size < 2) return false;
    const factor = Math.max(ZOOM_STEP, AIM_PX / Math.min(...[...near].map(side)), READ_PX / this.letter());
    this.aimed = true;
    this.zoom(factor, ...center(lamp));
    return true;
  }

  /** The size of the smallest letter on the screen: always the same share of the width. */
  letter() {
    const { width } = this.host.querySelector(".view").getBoundingClientRect();
    this.share ??= Math.min(...[...this.host.querySelectorAll("text")].map(letterSize)) / width;
    return this.share * width;
  }

  dblclick({ target, clientX, clientY }) {
    if (target.closest(".can-touch")) return;
    if (this.times > 1) this.fit();
    else this.zoom(2 * ZOOM_STEP, clientX, clientY);
  }

  wheel(event) {
    const { deltaY, clientX, clientY, ctrlKey } = event;
    if (!ctrlKey && deltaY > 0 && this.times === 1) return;
    event.preventDefault();
    this.zoom(Math.exp(-deltaY / 400), clientX, clientY);
  }

  pointerdown({ clientX, clientY }) {
    delete this.host.dataset.dragged;
    this.from = [clientX, clientY];
  }

  /** Drag with a mouse; browsers scroll for fingers. */
  pointermove({ clientX, clientY, buttons, pointerType }) {
    if (buttons !== 1 || pointerType !== "mouse") return;
    const [dx, dy] = [clientX - this.from[0], clientY - this.from[1]];
    if (!this.host.dataset.dragged && Math.hypot(dx, dy) <= DRAG_PX) return;
    this.host.dataset.dragged = true;
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
}

function letterSize(text) {
  const { a, b } = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
}
