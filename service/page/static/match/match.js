// The page of a match: play, watch and replay.

import "../frame.js";
import { get, isTemporary, language, me, persistent, Problem, send, url } from "../api.js";
import { Analysis } from "./analysis.js";
import { Board } from "./picture/board.js";
import { Loupe } from "./picture/loupe.js";
import { Panels, viewOf } from "./picture/panels.js";
import { buttonsOf, capitalize, describeTouches, fillKinds, labelsOf } from "./choices.js";
import * as clocks from "./clocks.js";
import { Curtain } from "./curtain.js";
import { $, attempt, confirmed, explain, fill, h, toast } from "../dom.js";
import { tryMove } from "./effects.js";
import { Announcer } from "./heard.js";
import { findAlike, listChoices } from "./picture/instead.js";
import { listen } from "../live/live.js";
import { joinTexts, linkRules, Log, ruleLink, showRulesOnClick } from "./log.js";
import { play, prefs } from "../prefs.js";
import { moreActions, rematchActions } from "./more.js";
import { buttonOf, updateOffers } from "./offers.js";
import { check, Replay } from "./replay.js";
import { refresh as refreshParts } from "../refresh.js";
import { changeSheet } from "./sheet.js";
import { Steps } from "./steps.js";
import { Selection, TouchTree } from "./touch.js";
import { t } from "../words.js";

const page = $("match").dataset;
const { game } = page;
const path = `v1/matches/${page.match}`;
const tips = JSON.parse(page.tips);
/** The rule behind a thing: of the longest beginning of its name that has one. */
const ruleOf = (name = "") => (name in tips ? tips[name] : name && ruleOf(name.replace(/:?[^:]*$/, "")));
const withRule = (text, name) => [text, text && ruleOf(name)].filter(Boolean).join(" ");
const about = (text, name) => fill("about", linkRules(game, withRule(text, name)));

let match, picture; // shown now
let menu, selection; // legal moves, and the touches so far
let newest = Number(page.version);
let [lastOther, rendered] = [0, 0]; // the last entry that is no move, and the last one rendered
let wasReplay; // an older version was shown last: what follows is no news
let loading, busy, byKeys, previewed, refusal;
let trial; // the request for effects: `abort` takes it back
let [allowed, refused] = [[], null]; // instead of a refused touch, and its name

clocks.run(() => match?.clocks, page.now);
showRulesOnClick(game);
const board = new Board($("board"));
const beside = $("beside");
const hosts = { map: $("board"), own: $("own"), seat: beside, table: beside, folded: $("folded") };
const panels = new Panels(hosts, touch, (lamp, ...point) => board.aim(lamp, ...point) && !render(), about);
new Loupe($("board"), () => panels.map.root, (x, y) => panels.touchAt(x, y), (x, y) => panels.explainAt(x, y));
const logAs = "hotSeat" in page ? "spectator" : null; // for all at the device
const log = new Log($("log"), path, game, logAs);
const announcer = new Announcer($("heard"));
/** Show the newest version or the chosen one. */
const refresh = persistent(load, handleError, (running) => {
  loading = running;
  updateState();
});
const preview = persistent(showEffects, showRefusal);
const replay = new Replay(path, refresh);
$("notes")?.addEventListener("toggle", () => attempt(async () => (await import("./side/notes.js")).openNotes(path, replay)));
const analysis = new Analysis(path, replay);
const curtain = new Curtain("hotSeat" in page, refresh);
const steps = new Steps(path, { log, replay, curtain, panels, announcer }, showPicture);

function handleError(problem) {
  if (location.hash && [400, 403, 404].includes(problem.status)) replay.show(replay.as && replay.version, null);
  toast(problem);
  if (!(problem instanceof Problem)) reportError(problem);
}

async function load() {
  const { version } = replay;
  const { as, at } = await findViewer();
  const view = { version, as, min_version: version ? null : newest };
  const [{ data: loaded }, { data: drawn, etag }] = await Promise.all([
    get(path, { ...view, board: false, sentences: true }),
    get(`${path}/board.svg`, { language, ...view }), // first at the address of the image in the page
  ]);
  const drawnAt = Number(/\d+/.exec(etag));
  newest = Math.max(newest, loaded.version, drawnAt);
  if (drawnAt !== loaded.version || (at && !version && at !== drawnAt)) throw new Problem(503, {});
  const isNews = match && !version && !wasReplay;
  if (isNews) await steps.play(match.version, drawnAt, as, own().length);
  if (replay.version !== version) return; // changed during the steps: it loads again
  wasReplay = Boolean(version);
  if (loaded.status !== "active") steps.before = null; // the end shows no turn
  const isOther = drawn !== picture;
  showPicture(drawn, viewOf({ etag }));
  if (isOther && steps.before && !version) panels.map.markTurn(steps.before);
  for (const link of document.querySelectorAll('[href*="/board.txt?"]')) link.href = url(`${path}/board.txt`, { language, version, as });
  if (isNews && match.status === "active") {
    if (loaded.status !== "active") play("end");
    else if (isOther) play("piece");
  }
  match = loaded;
  if (rendered < lastOther) await updateParts(lastOther);
  const offered = !version && deciding().length > 0;
  if (!offered || menu?.version !== match.version) {
    const previous = log.isSameDecision(me, menu?.version, match.version) ? selection : null;
    menu = selection = null;
    fill("hints", []);
    if (!previous) [allowed, refused] = [[], null];
    render();
    if (offered) await loadMoves(previous);
  }
  if (isTemporary(refusal)) showRefusal(null);
  if (version) await log.reach(version);
  if (curtain.next !== null) {
    showRefusal(null);
    announcer.clear();
  }
  curtain.render();
  renderAndReveal();
  if (!replay.known) await replay.lines().then(render);
  if (version || steps.before || match.status !== "active") return;
  await steps.recall(drawnAt, as, own().length); // as if the page had been open all the time
  if (!steps.before || replay.version) return;
  panels.map.markTurn(steps.before);
  render(); // what it read of the log counts moves
}

/** As whom to show the match, `at` a version behind a curtain. */
async function findViewer() {
  if (!curtain.guards) return { as: replay.as };
  const { data } = await get(path, { as: "spectator", board: false, min_version: newest });
  const viewer = curtain.viewer(awaited(data).map(({ seat }) => seat));
  if (data.status !== "active") return { as: replay.as };
  const as = replay.as === "spectator" ? replay.as : viewer;
  return { as, at: data.version };
}

/** Show the picture of a view, or of a step on the way to it. */
function showPicture(drawn, view) {
  if (panels.view !== view) previewed = undefined;
  panels.view = view;
  if (drawn === picture) return;
  picture = drawn;
  panels.show(drawn);
  previewed = undefined;
  board.resize(...panels.map.size);
}

/** Refresh the parts that moves do not change. */
async function updateParts(until) {
  const had = $("result").firstElementChild;
  if (!(await refreshParts("seats", "result", "eyes", "asked", "proposal", "replaced", "next"))) throw new Problem(503, {});
  if (!had) $("result").firstElementChild?.scrollIntoView({ block: "nearest" }); // at the end
  await replay.lines();
  rendered = until;
  stopIfFinal();
}

/** Stop following a match that gets no more entries; a stream also ends with its process. */
function stopIfFinal() {
  const { final } = $("result").dataset; // the last version, once it is known
  if (page.live === "over" && log.newest >= Number(final)) stop();
}

/** Load the legal moves; keep the touches as far as possible. */
async function loadMoves(previous) {
  const { data } = await get(`${path}/legal-moves`, { touch: true, as: deciding()[0].seat });
  if (data.version !== match.version) throw new Problem(503, {});
  const names = new Map();
  const of = (member) => (name) => names.get(name)?.[member] ?? "";
  const learn = (more) => more.forEach((one) => names.set(one.name, { ...one, label: capitalize(one.label) }));
  const effectOf = (name) => of("effect")(name) || panels.about(name);
  menu = { ...data, names, learn, labelOf: of("label"), effectOf, ruleOf, requestOf: of("request") };
  learn(data.names);
  selection = data.moves.length ? new Selection(new TouchTree(data.ways), previous, $("lesson")) : null;
}

/** Record in the page which version is shown, and whether it is complete. */
function updateState() {
  if (!match) return;
  const offered = replay.version || !deciding().length || menu?.version === match.version;
  const ready = !loading && !busy && offered && rendered === lastOther && (replay.version || match.version === newest) && log.newest >= newest;
  Object.assign(page, { version: match.version, ready: Boolean(ready) });
  if (!replay.version) page.status = match.status;
}

const mine = ({ player }) => me && player === me;
const own = ({ seats } = match) => seats.filter((chair) => mine(chair) && !chair.bot && !chair.resigned);
const awaited = (at) => own(at).filter(({ seat }) => at.awaiting.some((one) => one.seat === seat));
const deciding = () => awaited(match).filter(({ seat }) => !curtain.guards || seat === curtain.holder);

/** Touch the first possible name, or explain why none is possible. */
function touch(names) {
  if (busy || !selection) return;
  if (!names.some((name) => selection.touch(name))) return explainRefusal(names[0]);
  selectionChanged();
}

function back() {
  if (!selection?.back()) selection?.clear();
  selectionChanged();
}

function selectionChanged() {
  board.release();
  if (chosen() && prefs.get("confirm") === "never") return confirm();
  const effects = new Set(selection.chosen.map((name) => withRule(menu.effectOf(name), name)).filter(Boolean));
  const explainTouched = () => about(selection.before.length ? [...effects].join("\n") : "");
  explainTouched();
  showRefusal(null);
  renderAndReveal();
  if (!byKeys) explainTouched(); // a thing that gets the focus instead of the touched one has said what it does
}

function renderAndReveal() {
  render();
  panels.reveal(byKeys === undefined);
  if (selection?.chosen.length && (chosen() || !panels.open.length)) $("bar").scrollIntoView({ block: "nearest" }); // its buttons come next
  if (byKeys) focus();
}

/** Explain why a name cannot be touched, or touch it if the moves are equivalent to listed ones. */
async function explainRefusal(name) {
  const touches = [...(selection.move === null ? selection.path : []), name];
  const [current, { moves, seat }, { path: begun }] = [selection, menu, selection];
  const isLeft = () => current !== selection || current.path !== begun;
  try {
    const { data } = await send("POST", `${path}/preview`, { touches, seat });
    if (isLeft()) return;
    current.all.add([[touches]], moves.push(data.move) - 1);
    current.go(current.all, touches);
    selectionChanged();
  } catch (problem) {
    if (isLeft()) return;
    if (problem.ways) {
      menu.learn(problem.names);
      current.all.add(problem.ways, moves.push(...problem.moves) - problem.moves.length);
    }
    if (problem.ways && current.touch(name)) return selectionChanged();
    if (problem.code === "bad_move") return;
    about(panels.about(name), name);
    showRefusal(problem, findAlike(problem.choices ?? [], name, panels.things()), name);
  }
}

/** Show a problem, and what is allowed instead of a touch; a temporary one until the match is read again. */
function showRefusal(problem, instead = [], name = null) {
  [refusal, allowed, refused] = [problem, instead, name];
  if (isTemporary(problem)) refresh();
  const names = instead.length > 0 && t("instead", { names: listChoices(instead.map(menu.labelOf), problem.choices.length) });
  fill("why", problem ? [explain(problem), " ", problem.rule && ruleLink(game, problem.rule), names && h("span", { class: "instead" }, names)] : []);
  render();
  $("bar").scrollTop = 0;
  ($("why").querySelector(".instead") ?? $("why")).scrollIntoView({ block: "nearest" });
}

/** Show the effects of the chosen move, or of a better one. */
async function showEffects() {
  const shown = wanted();
  if (previewed === shown) return;
  previewed = shown;
  fill("does", []);
  panels.preview(null);
  if (!shown) return;
  trial = new AbortController();
  try {
    const [lines, drawn, base] = shown === chosen() ? await tryMove(path, shown, menu.seat, trial) : await analysis.draw(shown);
    if (wanted() !== shown) return;
    fill("does", lines.map((line) => h("li", {}, line)));
    panels.preview(drawn, base);
  } catch (problem) {
    if (wanted() !== shown) return;
    if (isTemporary(problem)) previewed = undefined;
    throw problem;
  }
}

/** A command that was lost may have been carried out: until the match is read again, nothing. */
const wanted = () => (isTemporary(refusal) ? null : chosen() ?? (analysis.better?.base === panels.view ? analysis.better : null));

async function confirm() {
  if (chosen()) await command("moves", { move: chosen(), seat: menu.seat });
}

const chosen = () => (selection && selection.move !== null && !busy ? menu.moves[selection.move] : null);

/** Send a command for the shown version; those that fit any version need none. */
async function command(name, body = {}) {
  if (busy) return;
  const version = ["resign", "reclaim", "time", "proposal"].includes(name) ? undefined : replay.version ? newest : match.version;
  busy = true;
  trial?.abort(); // its answer could come from the match after the command
  render();
  try {
    const { data } = await send("POST", `${path}/${name}`, body, { version });
    newest = Math.max(newest, data.version);
    if (name === "redo") replay.actions.last();
    menu = selection = null;
    fill("hints", []);
    fill("about", "");
    showRefusal(null);
  } catch (problem) {
    showRefusal(problem);
  }
  busy = false;
  render();
  refresh();
}

function render() {
  if (!match) return;
  const open = selection && !busy ? selection.open : [];
  const lit = selection && !busy ? selection.offers(panels.names()) : [];
  const unseen = panels.light(lit, selection?.chosen ?? [], menu ?? {}, allowed, refused);
  const touched = selection && !busy && describeTouches(selection, menu);
  fill("prompt", [!(touched && chosen()) && prompt(), touched, board.aimed && h("small", { class: "effect zoomed" }, t("zoomed"))]);
  const words = [...(menu?.names.keys() ?? [])].filter((name) => unseen.includes(name));
  fill("words", buttonsOf(words, (name) => labelsOf(selection.rest(name), menu), allowed));
  fillKinds(open, (name) => labelsOf(selection.rest(name), menu), allowed);
  preview();
  const toMove = match.awaiting.map(({ seat }) => seat);
  [...$("seats").children].forEach((line, seat) => line.classList.toggle("decides", toMove.includes(seat)));
  $("ticks").hidden = !toMove.length; // beside the prompt, where the seats are out of sight
  $("ticks").dataset.clock = toMove.find((seat) => mine(match.seats[seat])) ?? toMove[0] ?? 0;
  replay.render(newest);
  analysis.render();
  log.mark(replay.undone, replay.version);
  updateOffers({ match, selection, log, replay, steps, own: own(), deciding: deciding(), chosen: chosen(), busy, isActive: page.status === "active", isScored: page.status === "scored" });
  updateState();
}

function prompt() {
  const other = match.seats.find((chair) => String(chair.seat) === replay.as && !mine(chair));
  if (!other) return ownPrompt();
  const name = document.querySelectorAll("#seats .who")[other.seat].textContent;
  return t("as_seen", { what: ownPrompt(), name });
}

function ownPrompt() {
  if (replay.version) return t("looking", { version: replay.version, newest });
  const awaited = match.awaiting.find(({ seat }) => seat === menu?.seat) ?? match.awaiting[0];
  if (awaited) return awaited.prompt;
  if (match.end_reason === "agreement") return t("agreed_end");
  if (match.end_reason === "absence") return t("absent_end");
  return match.status === "aborted" ? t("aborted") : (match.outcome?.text ?? t("over"));
}

/** Show the best moves, each as a button that chooses it, with its reasons. */
async function showHints() {
  const { data } = await get(`${path}/hints`, { as: menu.seat });
  if (data.version !== match.version || !selection) return;
  const choose = (touches) => () => {
    selection.clear();
    for (const name of touches) selection.named.includes(name) || selection.touch(name);
    selectionChanged();
  };
  fill("hints", data.hints.map(({ touches, sentences, reasons }) =>
    h("li", {}, h("button", { type: "button", class: "plain", onclick: choose(touches) }, joinTexts(sentences)), h("p", {}, joinTexts(reasons.map((text) => ({ text })))))));
}

/** Focus the next control for keyboard users. */
function focus() {
  if (!document.activeElement.matches("body, .view *, #bar *")) return;
  if (chosen()) buttonOf("confirm").focus({ preventScroll: true });
  else if (panels.open.length) panels.focus();
  else document.querySelector("#words button, [data-do=step]:not([hidden])")?.focus({ preventScroll: true });
}

/** Undo the last move; ask first if that costs something. */
async function undo() {
  await refreshParts("undo-cost");
  const cost = $("undo-cost").textContent;
  if (!cost || (await confirmed(cost, t("undo_move")))) command("undo");
}

const actions = {
  ...replay.actions,
  ...board.actions,
  back,
  confirm,
  since: () => steps.replay(),
  step: () => steps.step(),
  now: replay.actions.last,
  ...moreActions(page.match, replay),
  ...rematchActions(page.match),
  check: () => check($("checked"), path),
  "turning-point": (line) => analysis.show(Number(line.dataset.version)),
  undo,
  hints: showHints,
  sheet: changeSheet,
  "log-earlier": () => log.earlier().then(render),
  "log-show": (line) => replay.go(Number(line.dataset.version)),
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const { do: action, touch: name, post, body, sure } = button?.dataset ?? {};
  if (name) touch([name]);
  if (post) attempt(async () => (!sure || (await confirmed(sure, button.textContent))) && command(post, JSON.parse(body)));
  attempt(() => actions[action]?.(button.closest("li")));
});
document.addEventListener("keydown", () => {
  byKeys = true;
}, true);
document.addEventListener("pointerdown", () => {
  byKeys = false;
}, true);
const stop = listen(`${path}/stream`, {
  params: { sentences: true, language, as: logAs },
  after: page.version,
  kinds: ["entry"],
  onEvent(_, entry) {
    const isHeard = log.add(entry) && (!me || entry.actor !== me);
    if (isHeard) announcer.say(entry.sentences.map(({ text }) => text));
    const fresh = entry.version > newest;
    newest = Math.max(newest, entry.version);
    if (entry.kind !== "Moved") lastOther = entry.version;
    if (rendered < lastOther || (fresh && !replay.version)) refresh();
    else render();
  },
  onState(connected) {
    page.live = connected ? "on" : log.over ? "over" : "lost";
    stopIfFinal();
  },
  onBeat: ({ now }) => clocks.setTime(now) && render(), // it offers what depends on the time
});
refresh();
