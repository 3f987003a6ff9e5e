// Replay of any version in any visible view; audit.

import { get, getAll } from "../api.js";
import { $, h } from "../dom.js";
import { t } from "../words.js";

const PLAY_MS = 1_200;
const [slider, label, viewers, playButton] = ["moment", "at", "eyes", "run"].map($);

export class Replay {
  /** Calls `onShow()` when the version or the view changes. */
  constructor(path, onShow) {
    Object.assign(this, { path, onShow, newest: 1, undone: new Set(), lastUndo: {}, known: false });
    this.actions = {
      first: () => this.go(1),
      earlier: () => this.go(this.shown - 1),
      run: () => this.run(),
      later: () => this.go(this.shown + 1),
      last: () => this.go(this.newest),
    };
    slider.addEventListener("input", () => this.go(slider.valueAsNumber));
    viewers.addEventListener("change", () => this.show(this.version, viewers.value));
    addEventListener("hashchange", () => (this.read(), onShow()));
    this.read();
  }

  /** Read version (null: newest) and view (null: own) from the URL. */
  read() {
    const state = new URLSearchParams(location.hash.slice(1));
    this.version = Number(state.get("v")) || null;
    this.chosen = state.get("as");
    this.lent = null;
  }

  /** As whom to show the match: the lent view, or the chosen one. */
  get as() {
    return this.lent ?? this.chosen;
  }

  get shown() {
    return this.version ?? this.newest;
  }

  go(version) {
    this.show(version >= this.newest ? null : Math.max(1, version), this.chosen);
  }

  /** Show a version as a seat sees it, until another one is shown; the URL keeps the chosen view. */
  lend(version, as) {
    this.show(version, this.chosen, as);
  }

  show(version, as, lent = null) {
    const state = new URLSearchParams(Object.entries({ v: version, as }).filter(([, value]) => value));
    history.replaceState(null, "", `#${state}`);
    this.read();
    this.lent = lent;
    this.onShow();
  }

  run(stops = Boolean(this.timer)) {
    clearInterval(this.timer);
    this.timer = stops ? null : setInterval(() => (this.version ? this.actions.later() : this.run(true)), PLAY_MS);
    playButton.textContent = stops ? "▶" : "❚❚";
    if (!stops && !this.version) this.go(1);
  }

  render(newest) {
    this.newest = newest;
    slider.max = newest;
    slider.value = this.shown;
    label.textContent = t("moment", { version: this.shown, newest });
    label.classList.toggle("undone", this.undone.has(this.shown));
    viewers.value = this.as ?? "";
    if (viewers.selectedIndex < 0) viewers.value = ""; // one's own view by another name
  }

  /** Read the undone versions, and what left the last of them. */
  async lines() {
    const undos = await getAll(`${this.path}/lines`, "undos");
    this.known = true;
    this.undone = new Set(undos.flatMap(({ line }) => line));
    this.lastUndo = undos.findLast(({ line }) => line.length) ?? {};
  }
}

/** Audit the match and show the result. */
export async function check(place, path) {
  const { valid, version, first_invalid, in_log } = (await get(`${path}/audit`)).data;
  const item = (good, text) => h("li", { class: good ? "good" : "bad" }, `${good ? "✓" : "✗"} ${text}`);
  const result = valid ? item(true, t("check_sound", { version })) : item(false, t("check_wrong", { version: first_invalid }));
  place.replaceChildren(result, in_log ? item(true, t("check_logged")) : "");
}
