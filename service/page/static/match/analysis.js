// The analysis of a match: win chances, turning points, better moves.

import { get, language, persistent, Problem } from "../api.js";
import { $, h, toast } from "../dom.js";
import { joinTexts, markOf } from "./log.js";
import { viewOf } from "./picture/panels.js";
import { refresh } from "../refresh.js";
import { percent, t } from "../words.js";

const [panel, graph, moment, chances, list] = ["analysis", "strip", "when", "chances", "turns"].map($);

export class Analysis {
  /** Loads when its panel opens. */
  constructor(path, replay) {
    Object.assign(this, { path, replay });
    const fail = (problem) => {
      this.wanted = false;
      toast(problem);
    };
    const read = persistent(() => this.load(), fail, (running) => this.wait(running));
    panel.addEventListener("toggle", () => {
      if (!panel.open && this.better) replay.go(replay.shown);
      if (!panel.open || this.wanted) return;
      this.wanted = true;
      read();
    });
    moment.addEventListener("input", () => replay.go(moment.valueAsNumber));
  }

  async load() {
    const { data, status, retryAfter } = await get(`${this.path}/analysis`);
    if (status !== 200) throw new Problem(503, {}, retryAfter); // not yet
    this.points = (await get(`${this.path}/turning-points`)).data.turning_points;
    this.choices = data.choices;
    const drawn = await get(`${this.path}/analysis.svg`, { form: "strip", language });
    graph.src = `data:image/svg+xml,${encodeURIComponent(drawn.data)}`; // by its address, it would be read once only
    list.replaceChildren(...this.points.map(item));
    this.render();
    await refresh("result"); // with the luck
    panel.dataset.known = true;
  }

  /** Say that the analysis takes a while, until it is there or has failed. */
  wait(running) {
    if (running) this.hide ??= toast(t("analysing"));
    else this.hide = this.hide?.();
  }

  /** Show the chances now. */
  render() {
    const { shown, newest } = this.replay;
    Object.assign(moment, { max: newest, value: shown });
    for (const { dataset, classList } of list.children) classList.toggle("shown", Number(dataset.version) === (this.better?.version ?? shown));
    if (!this.choices?.length) return;
    const now = this.choices.findLast(({ version }) => version <= shown)?.after ?? this.choices[0].before;
    const marks = now.map((_, seat) => Object.assign(markOf(seat), { ariaHidden: true })); // the name is beside it
    chances.replaceChildren(...marks.map((mark, seat) => h("span", {}, mark, `${mark.ariaLabel} ${percent(now[seat])}`)));
    moment.ariaValueText = chances.innerText;
  }

  /** Lead to a turning point or the better move. */
  show(version) {
    const point = this.points.find((one) => one.version === version);
    const view = { version: version - 1, seat: point.seat };
    this.chosen = { ...point, base: viewOf(view) };
    if (point.best_sentences.length) this.replay.lend(view.version, String(view.seat));
    else this.replay.go(version);
    $("board").scrollIntoView({ block: "nearest" });
  }

  /** The turning point whose better move the board shows, if any, with the view before that move. */
  get better() {
    return this.replay.lent === null ? null : this.chosen;
  }

  /** Its sentences and picture, and the view over which to draw that. */
  async draw({ version, base, best_sentences: [{ text }, ...others] }) {
    const { data } = await get(`${this.path}/better.svg`, { version });
    return [[t("better_move", { move: text }), ...others.map((one) => one.text)], data, base];
  }
}

/** A turning point in words. */
function item({ version, seat, reason, change, change_seat: whose, sentences, best_sentences: best }) {
  const better = best.length > 0 && h("small", {}, t("better_move", { move: best[0].text }));
  const what = h("span", {}, joinTexts(reason === "error" ? sentences.slice(0, 1) : sentences), better);
  const parts = [h("b", {}, version), seat !== null && markOf(seat), what, whose !== seat && markOf(whose), h("b", {}, percent(change, "exceptZero"))];
  return h("li", { "data-version": version }, h("button", { type: "button", "data-do": "turning-point" }, parts));
}
