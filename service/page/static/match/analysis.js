// The analysis of a match: win chances, turning points, better moves.

import { get, language, url } from "../api.js";
import { attempt, h, toast } from "../dom.js";
import { markOf } from "./log.js";
import { viewOf } from "./picture/panels.js";
import { refresh } from "../refresh.js";
import { percent, t } from "../words.js";

const POLL_MS = 2_000;
const [panel, graph, moment, chances, list] = ["analysis", "strip", "when", "chances", "turns"].map((id) => document.getElementById(id));

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
    while ((answer = await get(`${this.path}/analysis`)).status !== 200) await new Promise((done) => setTimeout(done, POLL_MS));
    hide();
    this.points = (await get(`${this.path}/turning-points`)).data.turning_points;
    this.choices = answer.data.choices;
    graph.src = url(`${this.path}/analysis.svg`, { form: "strip", language });
    list.replaceChildren(...this.points.map(item));
    this.render();
    await refresh("result").finally(() => (panel.dataset.known = true)); // with the luck
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
    document.getElementById("board").scrollIntoView({ block: "nearest" });
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
function item({ version, seat, choice, sentences, best_sentences: best }) {
  const better = best.length > 0 && h("small", {}, t("better_move", { move: best[0].text }));
  const what = h("span", {}, sentences[0]?.text, better);
  const gained = choice && (choice.error ? -choice.error : choice.after[seat] - choice.before[seat]);
  const parts = [h("b", {}, version), seat !== null && markOf(seat), what, choice && h("b", {}, percent(gained, "exceptZero"))];
  return h("li", { "data-version": version }, h("button", { type: "button", "data-do": "turning-point" }, parts));
}
