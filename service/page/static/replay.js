// A match looked at again: any version, as any seat that may be seen, with what was undone; and the
// means to check it.

import { get, send, url } from "./api.js";
import { h, toast } from "./dom.js";
import { t } from "./words.js";

const PLAY_MS = 1_200;

export class Replay {
  /** Controls in an element; `onShow()` whenever something else is to be shown. */
  constructor(place, { path, onShow }) {
    Object.assign(this, { place, path, onShow, newest: 1, undone: new Set(), left: 0 });
    this.slider = h("input", { id: "moment", type: "range", min: 1, "aria-label": t("replay"), oninput: () => this.go(Number(this.slider.value)) });
    this.label = h("output", { class: "moment" });
    this.eyes = h("select", { "aria-label": t("seen_by"), onchange: () => this.look(this.eyes.value) });
    this.running = this.button("▶", t("replay_play"), () => this.play());
    this.graph = h("div", { class: "graph" });
    this.row = h(
      "div",
      { class: "row" },
      this.button("«", t("replay_first"), () => this.go(1)),
      this.button("‹", t("replay_back"), () => this.step(-1)),
      this.running,
      this.button("›", t("replay_on"), () => this.step(1)),
      this.button("»", t("replay_now"), () => this.go(this.newest)),
      this.label,
      this.eyes,
    );
    place.replaceChildren(this.slider, this.graph, this.row);
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => (this.read(), this.onShow()));
    this.read();
  }

  /** The version that is shown, or null for the newest; and as whom, or null for one's own eyes. */
  read() {
    const asked = new URLSearchParams(location.hash.slice(1));
    this.version = Number(asked.get("v")) || null;
    this.as = asked.get("as");
  }

  write() {
    const asked = new URLSearchParams();
    if (this.version) asked.set("v", this.version);
    if (this.as !== null) asked.set("as", this.as);
    history.replaceState(null, "", `#${asked}`);
    this.onShow();
  }

  go(version) {
    this.version = version >= this.newest ? null : Math.max(1, version);
    this.write();
  }

  step(by) {
    this.go((this.version ?? this.newest) + by);
  }

  look(as) {
    this.as = as || null;
    this.write();
  }

  play() {
    if (this.timer) return this.stop();
    if (!this.version) this.go(1);
    this.running.textContent = "❚❚";
    this.timer = setInterval(() => (this.version ? this.step(1) : this.stop()), PLAY_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.running.textContent = "▶";
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,select,dialog")) return;
    const keys = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(1), End: () => this.go(this.newest) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Show which version of how many this is, and as whom one may look. */
  render(match, newest, eyes) {
    this.newest = Math.max(newest, this.newest);
    const version = this.version ?? this.newest;
    this.slider.max = this.newest;
    this.slider.value = version;
    this.label.textContent = this.undone.has(version)
      ? t("moment_undone", { version, newest: this.newest })
      : t("moment", { version, newest: this.newest });
    this.eyes.hidden = eyes.length < 2;
    this.eyes.replaceChildren(...eyes.map(([value, says]) => h("option", { value, selected: value === (this.as ?? "") }, says)));
  }

  /** Ask for the lines that were undone, and for the version of the last undo that still is one. */
  async lines() {
    const { data } = await get(`${this.path}/lines`);
    this.undone = new Set(data.undos.flatMap((undo) => undo.line));
    this.left = Math.max(0, ...data.undos.filter((undo) => undo.line.length).map((undo) => undo.version));
  }

  button(sign, says, onclick) {
    return h("button", { type: "button", title: says, "aria-label": says, onclick }, sign);
  }
}

/** Show the chances over the match below the slider, once they are known. */
export async function analyse(replay, path) {
  replay.graph.replaceChildren(h("p", {}, t("analysing")));
  for (;;) {
    const { status } = await get(`${path}/analysis`);
    if (status === 200) break;
    await new Promise((done) => setTimeout(done, 2_000));
  }
  replay.graph.replaceChildren(h("img", { src: url(`${path}/analysis.svg`), alt: t("analysis") }));
}

/** Let the service check the match, and say what it found. */
export async function check(place, path) {
  const { data } = await get(`${path}/audit`);
  const tick = (good, says) => h("li", { class: good ? "good" : "bad" }, `${good ? "✓" : "✗"} ${says}`);
  place.replaceChildren(
    tick(data.sound, data.sound ? t("check_sound", { version: data.version }) : t("check_wrong", { version: data.first_wrong })),
    data.logged ? tick(true, t("check_logged")) : "",
  );
}

/** Open another match that begins at a version of this one, and go there. */
export async function fork(path, version) {
  const { data } = await send("POST", `${path}/forks`, { version });
  location.href = url(`matches/${data.id}`);
}

/** Copy the address of this moment. */
export async function share() {
  await navigator.clipboard?.writeText(location.href);
  toast(navigator.clipboard ? t("link_copied") : location.href);
}
