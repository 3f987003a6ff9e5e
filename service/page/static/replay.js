// A match looked at again: any version, as any seat that may be seen; and checked.

import { get, url } from "./api.js";
import { h, toast } from "./dom.js";
import { t } from "./words.js";

const PLAY_MS = 1_200;
const AGAIN_MS = 2_000;
const [slider, label, viewers, runs] = ["moment", "at", "eyes", "run"].map((id) => document.getElementById(id));
const KEYS = { ArrowLeft: "earlier", ArrowRight: "later", Home: "first", End: "last" };

export class Replay {
  /** Calls `onShow()` whenever something else is to be shown. */
  constructor(path, onShow) {
    Object.assign(this, { path, onShow, newest: 1, undone: new Set(), left: 0 });
    this.deeds = {
      first: () => this.go(1),
      earlier: () => this.go(this.shown - 1),
      run: () => this.run(),
      later: () => this.go(this.shown + 1),
      last: () => this.go(this.newest),
    };
    slider.addEventListener("input", () => this.go(slider.valueAsNumber));
    viewers.addEventListener("change", () => this.show(this.version, viewers.value));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => (this.read(), onShow()));
    this.read();
  }

  /** The version that is looked at, null for the newest; as whom, null for own eyes. */
  read() {
    const asked = new URLSearchParams(location.hash.slice(1));
    this.version = Number(asked.get("v")) || null;
    this.as = asked.get("as");
  }

  get shown() {
    return this.version ?? this.newest;
  }

  go(version) {
    this.show(version >= this.newest ? null : Math.max(1, version), this.as);
  }

  show(version, as) {
    const asked = new URLSearchParams(Object.entries({ v: version, as }).filter(([, value]) => value));
    history.replaceState(null, "", `#${asked}`);
    this.read();
    this.onShow();
  }

  run(stops = Boolean(this.timer)) {
    clearInterval(this.timer);
    this.timer = stops ? null : setInterval(() => (this.version ? this.deeds.later() : this.run(true)), PLAY_MS);
    runs.textContent = stops ? "▶" : "❚❚";
    if (!stops && !this.version) this.go(1);
  }

  key(event) {
    const deed = KEYS[event.key];
    const taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (!deed || taken || event.target.closest("input,select,dialog,#board")) return;
    event.preventDefault();
    this.deeds[deed]();
  }

  render(newest) {
    this.newest = newest;
    slider.max = newest;
    slider.value = this.shown;
    label.textContent = t("moment", { version: this.shown, newest });
    label.classList.toggle("undone", this.undone.has(this.shown));
    viewers.value = this.as ?? "";
  }

  /** Ask for what was undone, and for the last undo that still is one. */
  async lines() {
    const { undos } = (await get(`${this.path}/lines`, { limit: 1000 })).data;
    this.undone = new Set(undos.flatMap(({ line }) => line));
    this.left = Math.max(0, ...undos.filter(({ line }) => line.length).map(({ version }) => version));
  }
}

/** Show the chances, once they are known. */
export async function analyse(place, path, language) {
  toast(t("analysing"));
  while ((await get(`${path}/analysis`)).status !== 200) await new Promise((done) => setTimeout(done, AGAIN_MS));
  place.replaceChildren(h("img", { src: url(`${path}/analysis.svg`, { language }), alt: t("analysis") }));
}

/** Let the service check the match. */
export async function check(place, path) {
  const { sound, version, first_wrong, logged } = (await get(`${path}/audit`)).data;
  const tick = (good, says) => h("li", { class: good ? "good" : "bad" }, `${good ? "✓" : "✗"} ${says}`);
  const found = sound ? tick(true, t("check_sound", { version })) : tick(false, t("check_wrong", { version: first_wrong }));
  place.replaceChildren(found, logged ? tick(true, t("check_logged")) : "");
}
