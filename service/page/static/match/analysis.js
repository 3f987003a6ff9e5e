// The analysis of a match: win chances, turning points, better moves.

import { get, isTemporary, language, url } from "../api.js";
import { $, attempt, h, toast } from "../dom.js";
import { joinTexts, markOf } from "./log.js";
import { viewOf } from "./picture/panels.js";
import { refresh } from "../refresh.js";
import { percent, t } from "../words.js";

const POLL_MS = 2_000;
const [panel, graph, moment, chances, list] = ["analysis", "strip", "when", "chances", "turns"].map($);

export class Analysis {
  /** Loads when its panel opens. */
  constructor(path, replay) {
    Object.assign(this, { path, replay });
    panel.addEventListener("toggle", async () => {
      if (!panel.open && this.better) replay.go(replay.shown);
      if (panel.open && !(await (this.loading ??= attempt(() => this.load())))) this.loading = null;
    });
    moment.addEventListener("input", () => replay.go(moment.valueAsNumber));
  }

  async load() {
    let answer;
    const hide = toast(t("analysing"));
    while ((answer = await this.look()).status !== 200) await new Promise((done) => setTimeout(done, answer.retryAfter * 1000 || POLL_MS));
    hide();
    this.points = (await get(`${this.path}/turning-points`)).data.turning_points;
    this.choices = answer.data.choices;
    graph.src = url(`${this.path}/analysis.svg`, { form: "strip", language });
    list.replaceChildren(...this.points.map(item));
    this.render();
    await refresh("result").finally(() => (panel.dataset.known = true)); // with the luck
  }

  /** The analysis as far as it is; a temporary problem counts as not yet, but not that it has failed. */
  look() {
    const isLate = (problem) => isTemporary(problem) && problem.code !== "analysis_failed";
    return get(`${this.path}/analysis`).catch((problem) => (isLate(problem) ? problem : Promise.reject(problem)));
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
