// The log in sentences, the newest first, with links to rules.

import { get, language, url } from "../api.js";
import { $, ask, explain, h } from "../dom.js";
import { createSvg } from "./picture/shapes.js";
import { t } from "../words.js";

const PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;
const SAME_DECISION = ["Moved", "UndoRequested", "UndoLapsed", "TimeReturned"]; // entries of others that leave a decision to a player
const isMoveOfOther = ({ dataset, classList }, who) =>
  dataset.kind === "Moved" && !classList.contains("undone") && Object.entries(who).every(([name, value]) => dataset[name] !== String(value));
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }); // to create one takes longer than to use it
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const [blank, happened] = ["line", "happened"].map($);
const RULE = /\b([A-Z]{2,}-\d+\.\d+)\b/;
const versionOf = (line) => Number(line.dataset.version);

export class Log {
  /** The list element, which has the latest entries already; `as` is whose log it is. */
  constructor(list, path, game, as) {
    Object.assign(this, { lines: list.children, list, side: list.closest("#side"), path, game, as });
    list.querySelectorAll("time").forEach(localize);
    new ResizeObserver(() => this.marked && this.reveal(this.marked)).observe(this.side); // a notice above it makes it smaller
  }

  get newest() {
    return versionOf(this.lines[0]);
  }

  get oldest() {
    return versionOf([...this.lines].at(-1));
  }

  /** The version of the last move that is not undone, perhaps of one player or seat: `{by}` or `{seat}`. */
  lastMove(who = {}) {
    const own = Object.entries(who).map(([name, value]) => `[data-${name}="${value}"]`);
    const found = this.list.querySelector(`[data-kind="Moved"]${own}:not(.undone)`);
    return found ? versionOf(found) : 0;
  }

  /** The version before the last turn, of the last move by another seat; without one the oldest known. */
  beforeTurn() {
    const moves = [...this.list.querySelectorAll('[data-kind="Moved"]:not(.undone)')];
    const other = moves.find(({ dataset }) => dataset.seat !== moves[0].dataset.seat);
    return other ? versionOf(other) : moves.length && this.oldest;
  }

  /** The entry of a version, if it has arrived. */
  at(version) {
    return [...this.lines].find((line) => versionOf(line) === version);
  }

  /** The versions between two that others than a player or seat made by moving, the oldest first; also those that have not arrived. */
  movesOfOthers(who, after, before) {
    const between = Array.from({ length: Math.max(0, before - after - 1) }, (_, place) => after + 1 + place);
    return between.filter((version) => !this.at(version) || isMoveOfOther(this.at(version), who));
  }

  /** Whether a player has the same decision at two versions, as far as the log knows. */
  isSameDecision(player, before, now) {
    if (this.newest < now || this.oldest > before + 1) return false;
    const between = [...this.lines].filter((line) => versionOf(line) > before && versionOf(line) <= now);
    return between.every(({ dataset: { kind, by } }) => SAME_DECISION.includes(kind) && (kind !== "Moved" || by !== player));
  }

  /** Whether another player has declined the last undo or redo that a player asked for and no move of theirs came since. */
  isDeclined(player) {
    const isOwn = ({ dataset: { kind, by } }) => by === player && ["Moved", "UndoRequested"].includes(kind);
    const last = [...this.lines].findIndex(isOwn);
    if (last < 0 || this.lines[last].dataset.kind === "Moved") return false;
    return [...this.lines].slice(0, last).some(({ dataset }) => "declines" in dataset && dataset.by !== player);
  }

  get over() {
    return this.list.querySelector('[data-kind="Scored"], [data-kind="Aborted"]');
  }

  /** Add an entry; whether it is new. */
  add(entry) {
    const next = [...this.lines].find((line) => versionOf(line) <= entry.version);
    const isNew = !next || versionOf(next) < entry.version;
    if (isNew) this.list.insertBefore(this.line(entry), next ?? null);
    return isNew;
  }

  /** Mark undone entries and the shown one: scroll it into sight, repeat it below the prompt. */
  mark(undone, shown) {
    let marked;
    for (const line of this.lines) {
      line.classList.toggle("undone", undone.has(versionOf(line)));
      line.classList.toggle("shown", versionOf(line) === shown);
      if (versionOf(line) === shown) marked = line;
    }
    if (marked !== this.marked) happened.textContent = textOf(marked);
    const sought = marked ?? this.lines[0]; // after a replay the newest one
    if (sought && marked !== this.marked) this.reveal(sought);
    this.marked = marked;
  }

  reveal(line) {
    for (const frame of [this.list, this.side]) showIn(frame, line);
  }

  line({ version, kind, actor, seat, at, events, sentences }) {
    const line = blank.content.firstElementChild.cloneNode(true);
    const [button, mark, text, time] = line.children;
    Object.assign(line.dataset, { version, kind, by: actor ?? "", seat });
    if (events.some((event) => event.type === "UndoAnswered" && !event.agree)) line.dataset.declines = "";
    line.className = sentences.length ? "fresh" : "silent";
    button.textContent = version;
    button.title = t("log_show", { version });
    if (seat !== null) mark.replaceWith(markOf(seat));
    text.append(...sentences.map(({ text: words, rules }) => h("p", {}, words, rules.flatMap((rule) => [" ", ruleLink(this.game, rule)]))));
    time.dateTime = at;
    localize(time);
    return line;
  }

  /** Load the entries back to a version. */
  async reach(version) {
    while (this.oldest > version) await this.earlier(MAX_PAGE_SIZE);
  }

  async earlier(count = PAGE_SIZE) {
    const after = Math.max(0, this.oldest - 1 - count);
    const { data } = await get(`${this.path}/events`, { after, limit: this.oldest - 1 - after, sentences: true, as: this.as });
    data.events.forEach((entry) => this.add(entry));
  }
}

/** The sentences of a line, if there is one, without rules. */
export function textOf(line) {
  return joinTexts([...(line?.querySelectorAll("p") ?? [])].map((one) => ({ text: one.firstChild.textContent.trim() })));
}

/** Sentences as one text. */
export const joinTexts = (sentences) => sentences.map(({ text }) => text).join(language.startsWith("zh") ? "" : " ");

/** Scroll an element to a line that is out of sight; only if the element scrolls itself. */
function showIn(frame, line) {
  const [outer, inner] = [frame.getBoundingClientRect(), line.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top - frame.clientHeight / 2;
}

/** Show a time of today, or else its day; all of it on hovering. */
function localize(time) {
  const moment = new Date(time.dateTime);
  const isToday = moment.toDateString() === new Date().toDateString();
  time.title = moment.toLocaleString(language);
  time.textContent = (isToday ? clock : day).format(moment);
}

/** The mark of a seat, with its player's name. */
export function markOf(seat) {
  const mark = blank.content.querySelector(".mark").cloneNode();
  mark.role = "img";
  mark.ariaLabel = document.querySelectorAll("#seats .who")[seat].textContent;
  mark.append(createSvg("use", { href: `#mark-${seat}` }));
  return mark;
}

/** A link to a rule; a click shows its text. */
export function ruleLink(game, rule) {
  return h("a", { class: "rule", href: `${url(`rules/${game}`)}#${rule}` }, rule);
}

/** A text, with links for the numbers of rules in it. */
export function linkRules(game, text) {
  return text.split(RULE).map((part, place) => (place % 2 ? ruleLink(game, part) : part));
}

/** Show the text of a rule, and its drawn example, on a click on its number. */
export function showRulesOnClick(game) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.rule");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showRule(game, link);
  });
}

/** Without an answer, it says why, and a button asks again. */
async function showRule(game, { href, textContent: rule }) {
  const title = h("h2", {}, h("a", { href, "data-rule": rule }, rule));
  const show = (shown, ...more) => ask(h("div", {}, title, shown), [{ value: null, label: t("close") }, ...more]);
  try {
    const { rules, examples } = (await get(`v1/games/${game}`)).data;
    const drawn = examples.filter((one) => one.rules.includes(rule)).slice(0, 1).map(({ key, description, refusal }) => {
      const src = url(`page/games/${game}/${key}.svg`, { after: !refusal, language });
      return h("figure", {}, h("img", { src, alt: "" }), h("figcaption", {}, description));
    });
    show([h("p", { class: "text" }, rules[rule]), ...drawn]);
  } catch (problem) {
    if (await show(h("p", {}, explain(problem)), { value: true, label: t("retry"), focus: true })) showRule(game, { href, textContent: rule });
  }
}
