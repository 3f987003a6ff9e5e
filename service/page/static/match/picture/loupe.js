// A magnifier above the finger while it is held.

import { createSvg, setAttributes } from "./shapes.js";

const HOLD_MS = 350;
const SIZE_PX = 96;
const MAGNIFIES = 2.5;

/**
 * Magnifies `viewOf()` in an element; calls `pointed(x, y)` for what is below the finger, and
 * `chose(x, y)` when it is lifted.
 */
export class Loupe {
  constructor(host, viewOf, chose, pointed) {
    Object.assign(this, { host, viewOf, chose, pointed });
    this.copy = createSvg("use");
    this.glass = createSvg("svg", { class: "loupe", width: SIZE_PX, height: SIZE_PX, "aria-hidden": true });
    this.glass.append(this.copy);
    for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
      host.addEventListener(kind, (event) => this[kind](event), { passive: false });
    }
  }

  touchstart({ touches: [{ clientX, clientY }, another] }) {
    this.stop();
    this.from = [clientX, clientY];
    if (!another) this.timer = setTimeout(() => this.show(clientX, clientY), HOLD_MS);
  }

  touchmove(event) {
    const [{ clientX, clientY }, another] = event.touches;
    if (another || !this.glass.isConnected) return this.stop();
    event.preventDefault();
    this.show(clientX, clientY);
  }

  touchend(event) {
    const held = this.glass.isConnected;
    this.stop();
    if (!held) return;
    event.preventDefault(); // no click follows
    this.chose(...this.at);
  }

  touchcancel() {
    this.stop();
  }

  stop() {
    clearTimeout(this.timer);
    this.glass.remove();
  }

  show(x, y) {
    const view = this.viewOf();
    view.id ||= "magnified";
    const { a, e, f } = view.getScreenCTM();
    const width = SIZE_PX / a / MAGNIFIES;
    setAttributes(this.glass, { viewBox: [(x - e) / a - width / 2, (y - f) / a - width / 2, width, width].join(" ") });
    const [, , w, h] = view.getAttribute("viewBox").split(" ");
    setAttributes(this.copy, { href: `#${view.id}`, width: w, height: h });
    this.glass.style.setProperty("left", `${x - SIZE_PX / 2}px`);
    this.glass.style.setProperty("top", `${Math.max(4, y - SIZE_PX - 36)}px`);
    if (!this.glass.isConnected) document.body.append(this.glass);
    this.at = [x, y];
    this.pointed(x, y);
  }
}
