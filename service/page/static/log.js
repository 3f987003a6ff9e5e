// What happened, in words, the newest first; each rule that is named can be read.

import { get, url } from "./api.js";
import { ask, h } from "./dom.js";
import { t } from "./words.js";

const MORE = 100;

export class Log {
  /** The list in the page, which has the last entries already; `onVersion` shows one of them. */
  constructor(list, { path, game, onVersion }) {
    Object.assign(this, { list, path, game });
    list.addEventListener("click", (event) => {
      const at = event.target.closest("[data-version]");
      if (at && event.target.closest(".at")) onVersion(Number(at.dataset.version));
    });
    this.more = h("button", { class: "more", onclick: () => this.earlier() }, t("log_earlier"));
    list.after(this.more);
    this.limits();
  }

  get versions() {
    return [...this.list.children].map((line) => Number(line.dataset.version));
  }

  get newest() {
    return this.versions[0] ?? 0;
  }

  /** The version of the latest entry of a kind, as far as the list goes; 0 if there is none. */
  latest(kind) {
    return Number(this.list.querySelector(`[data-kind="${kind}"]`)?.dataset.version ?? 0);
  }

  add(entry) {
    if (this.versions.includes(entry.version)) return;
    const before = [...this.list.children].find((line) => Number(line.dataset.version) < entry.version);
    this.list.insertBefore(this.line(entry), before ?? null);
  }

  /** Mark what was undone, and the entry of the version that is shown. */
  mark(undone, shown) {
    for (const line of this.list.children) {
      const version = Number(line.dataset.version);
      line.classList.toggle("undone", undone.has(version));
      line.classList.toggle("shown", version === shown);
    }
  }

  line({ version, kind, says = [] }) {
    return h(
      "li",
      { "data-version": version, "data-kind": kind, class: says.length ? "fresh" : "silent" },
      h("button", { class: "at", title: t("log_show", { version }) }, version),
      h("div", {}, says.map((one) => h("p", {}, one.text, one.rules.map((rule) => ruleLink(this.game, rule))))),
    );
  }

  async earlier() {
    const first = this.versions.at(-1) ?? 1;
    const after = Math.max(0, first - 1 - MORE);
    const { data } = await get(`${this.path}/events`, { after, limit: first - 1 - after, words: true });
    data.events.forEach((entry) => this.add(entry));
    this.limits();
  }

  limits() {
    this.more.hidden = (this.versions.at(-1) ?? 1) <= 1;
  }
}

/** The number of a rule; a click shows its text. */
export function ruleLink(game, rule, text) {
  return h("a", { class: "rule", href: `${url(`rules/${game}`)}#${rule}`, "data-rule": rule, "data-text": text }, rule);
}

/** Let all numbers of rules in the page show their texts. */
export function readRules(game) {
  let known;
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.rule");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    known ??= get(`v1/games/${game}`);
    const { rule } = link.dataset;
    const text = link.dataset.text ?? (await known).data.rules[rule];
    const shown = h("div", {}, h("h2", {}, h("a", { href: link.href }, rule)), h("p", { class: "text" }, text));
    ask(shown, [{ value: null, says: t("close") }]);
  });
}
