// Changes as sentences for screen readers.

import { h } from "../dom.js";

const AT_ONCE = 3; // sentences; more wait
const PAUSE_MS = 2_000;

/** Says sentences in a live region, in order. */
export class Announcer {
  constructor(region) {
    Object.assign(this, { region, waiting: [], timer: null });
  }

  say(sentences) {
    this.waiting.push(...sentences);
    if (!this.timer) this.next();
  }

  clear() {
    this.waiting = [];
    this.region.replaceChildren();
  }

  next() {
    const lines = this.waiting.splice(0, AT_ONCE);
    this.region.replaceChildren(...lines.map((line) => h("p", {}, line)));
    this.timer = lines.length ? setTimeout(() => this.next(), PAUSE_MS) : null;
  }
}
