// The page of a match: play, watch and replay.

import "../frame.js";
import { ensurePlayer } from "../account.js";
import { get, isTemporary, language, me, persistent, Problem, send, url } from "../api.js";
import { Analysis } from "./analysis.js";
import { Board } from "./picture/board.js";
import { Loupe } from "./picture/loupe.js";
import { Panels } from "./picture/panels.js";
import { buttonsOf, describeTouches, fillKinds } from "./choices.js";
import * as clocks from "./clocks.js";
import { Curtain } from "./curtain.js";
import { ask, attempt, confirmed, explain, fill, h, share, toast } from "../dom.js";
import { tryMove } from "./effects.js";
import { Announcer } from "./heard.js";
import { findAlike, listChoices } from "./picture/instead.js";
import { showKeys } from "./keys.js";
import { listen } from "../live/live.js";
import { Log, ruleLink, showRulesOnClick } from "./log.js";
import { moving, prefs } from "../prefs.js";
import { check, Replay } from "./replay.js";
import { refresh as refreshParts } from "../refresh.js";
import { resultActions } from "./result.js";
import { Selection, TouchTree } from "./touch.js";
import { t, when } from "../words.js";

const STEP_MS = 370; // 250 of it for pieces that travel
const MAX_STEPS = 4; // a whole turn takes less than 1.5 s
const $ = (name) => document.getElementById(name);
const buttonOf = (action) => document.querySelector(`[data-do="${action}"]`);
const page = $("match").dataset;
const { game } = page;
const path = `v1/matches/${page.match}`;

let match, picture; // shown now
let menu, selection; // legal moves, and the touches so far
let newest = Number(page.version);
let [lastOther, rendered] = [0, 0]; // the last entry that is no move, and the last one rendered
let beforeTurn; // the map before the last turn of others
let loading, busy, byKeys, previewed, refusal;
let allowed = []; // instead of a refused touch
let skip = () => {}; // ends the pause between two steps
let skips; // no further steps

clocks.run(() => match?.clocks, page.now);
showRulesOnClick(game);
const board = new Board($("board"));
const beside = $("beside");
const hosts = { map: $("board"), own: $("own"), seat: beside, table: beside, folded: $("folded") };
const panels = new Panels(hosts, touch, (lamp, x, y) => board.aim(lamp, x, y));
new Loupe($("board"), () => panels.map.root, (x, y) => panels.touchAt(x, y));
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
const analysis = new Analysis(path, replay);
const curtain = new Curtain("hotSeat" in page, refresh);

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
    get(`${path}/board.svg`, view),
  ]);
  const drawnAt = Number(/\d+/.exec(etag));
  newest = Math.max(newest, loaded.version, drawnAt);
  if (drawnAt !== loaded.version || (at && !version && at !== drawnAt)) throw new Problem(503, {});
  if (match && !version) await showSteps(drawnAt, as);
  if (replay.version !== version) return; // changed during the steps: it loads again
  if (drawn !== picture) {
    showPicture(drawn);
    if (beforeTurn && !version) panels.map.markTurn(beforeTurn);
  }
  for (const link of document.querySelectorAll('[href*="/board.txt?"]')) link.href = url(`${path}/board.txt`, { language, version, as });
  [match, picture] = [loaded, drawn];
  if (rendered < lastOther) await updateParts(lastOther);
  const offered = !version && deciding().length > 0;
  if (!offered || menu?.version !== match.version) {
    const previous = log.isSameDecision(me, menu?.version, match.version) ? selection : null;
    menu = selection = null;
    if (!previous) allowed = [];
    render();
    if (offered) await loadMoves(previous);
  }
  if (isTemporary(refusal)) showRefusal(null);
  if (version) await log.reach(version);
  if (curtain.next !== null) showRefusal(null);
  curtain.render();
  renderAndReveal();
  if (!replay.known) await replay.lines().then(render);
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

/** Show what others did since the shown version until another, one move after another; a key or a touch skips it. */
async function showSteps(until, as) {
  const versions = log.movesOfOthers(me, match.version, until + 1);
  const played = own().length && log.lastMove(me);
  if ((until > match.version && !versions.length) || played > match.version) beforeTurn = null;
  if (!versions.length) return;
  if (played > match.version && played < until) showPicture((await get(`${path}/board.svg`, { version: played, as })).data);
  if (played) beforeTurn ??= panels.map.picture;
  if (!moving()) return;
  skips = false;
  $("prompt").ariaLive = "off"; // the announcer says the steps
  for (const version of versions.filter((one) => one < until).slice(-MAX_STEPS)) {
    if (replay.version || skips) break;
    const { data } = await get(`${path}/board.svg`, { version, as });
    showPicture(data);
    panels.light([], []);
    fill("prompt", [log.at(version)?.querySelector("div").innerText ?? ""]);
    await Promise.race([new Promise((done) => setTimeout(done, STEP_MS)), new Promise((done) => (skip = done))]);
  }
  $("prompt").ariaLive = "polite";
}

function showPicture(drawn) {
  panels.show(drawn);
  previewed = undefined;
  board.resize(...panels.map.size);
}

/** Refresh the parts that moves do not change. */
async function updateParts(until) {
  if (!(await refreshParts("seats", "result", "eyes", "asked", "next"))) throw new Problem(503, {});
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
  const labels = new Map(data.names.map((one) => [one.name, capitalize(one.label)]));
  menu = { ...data, labelOf: (name) => labels.get(name) ?? "" };
  selection = data.moves.length ? new Selection(new TouchTree(data.ways), previous) : null;
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
  $("bar").scrollTop = 0;
  showRefusal(null);
  renderAndReveal();
  if (chosen() && prefs.get("confirm") === "never") confirm();
}

function renderAndReveal() {
  render();
  panels.reveal();
  if (byKeys) focus();
}

/** Explain why a name cannot be touched, or touch it if the move is equivalent. */
async function explainRefusal(name) {
  const touches = [...(selection.move === null ? selection.path : []), name];
  const [current, { moves, seat }] = [selection, menu];
  try {
    const { data } = await send("POST", `${path}/preview`, { touches, seat });
    current.all.ways.push({ move: moves.push(data.move) - 1, touches });
    current.go(current.all, touches);
    selectionChanged();
  } catch (problem) {
    if (problem.code === "bad_move" || current !== selection) return;
    showRefusal(problem, findAlike(problem.choices ?? [], name, panels.things()));
  }
}

/** Show a problem, and what is allowed instead; a temporary one until the match is read again. */
function showRefusal(problem, instead = []) {
  [refusal, allowed] = [problem, instead];
  if (isTemporary(problem)) refresh();
  const names = instead.length > 0 && t("instead", { names: listChoices(instead.map(menu.labelOf), problem.choices.length) });
  fill("why", problem ? [explain(problem), " ", problem.rule && ruleLink(game, problem.rule), names && h("span", { class: "instead" }, names)] : []);
  render();
}

/** Show the effects of the chosen move, or of a better one. */
async function showEffects() {
  const shown = wanted();
  if (previewed === shown) return;
  previewed = shown;
  fill("does", []);
  panels.preview(null);
  if (!shown) return;
  try {
    const [lines, drawn] = shown === chosen() ? await tryMove(path, shown, menu.seat) : await analysis.draw(shown);
    if (wanted() !== shown) return;
    fill("does", lines.map((line) => h("li", {}, line)));
    panels.preview(drawn);
  } catch (problem) {
    if (wanted() !== shown) return;
    if (isTemporary(problem)) previewed = undefined;
    throw problem;
  }
}

const wanted = () => chosen() ?? (match?.version === replay.version ? analysis.better : null);

async function confirm() {
  if (chosen()) await command("moves", { move: chosen(), seat: menu.seat });
}

const chosen = () => (selection && selection.move !== null && !busy ? menu.moves[selection.move] : null);

/** Send a command for the shown version; resigning and rejoining need none. */
async function command(name, body = {}) {
  if (busy) return;
  const version = ["resign", "reclaim"].includes(name) ? undefined : replay.version ? newest : match.version;
  busy = true;
  render();
  try {
    const { data } = await send("POST", `${path}/${name}`, body, { version });
    newest = Math.max(newest, data.version);
    menu = selection = null;
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
  const unseen = panels.light(open, selection?.chosen ?? [], menu?.labelOf, allowed);
  fill("prompt", (selection && !busy && describeTouches(selection, menu.labelOf)) || prompt());
  fill("words", buttonsOf(unseen, menu?.labelOf, allowed));
  fillKinds(open, menu?.labelOf, allowed);
  preview();
  const toMove = match.awaiting.map(({ seat }) => seat);
  [...$("seats").children].forEach((line, seat) => line.classList.toggle("decides", toMove.includes(seat)));
  replay.render(newest);
  analysis.render();
  log.mark(replay.undone, replay.version);
  updateButtons();
  updateState();
}

/** Show the buttons of the possible actions. */
function updateButtons() {
  const { undo_request: request, seats, undo: policy, awaiting } = match;
  const over = log.over?.dataset.kind; // of the match, not of the version that is shown
  const plays = page.status === "active" && !over && own().length > 0;
  const declined = plays && log.isDeclined(me);
  const canUndo = plays && !replay.version && policy !== "off" && !request && !declined && !selection?.before.length;
  const since = log.lastMove(me) && deciding().length && log.countMovesOfOthers(me, log.lastMove(me));
  buttonOf("since").textContent = `▶ ${since}`;
  buttonOf("since").title = t("moves_since", { count: since });
  buttonOf("keep").textContent = match.ends_at && t("keep_match", { time: when(match.ends_at) });
  const can = {
    confirm: chosen(),
    back: selection?.before.length && !busy,
    now: replay.version,
    since: plays && !replay.version && since,
    agree: request?.waiting_for.includes(me),
    refuse: request?.waiting_for.includes(me),
    withdraw: request?.player === me,
    reclaim: seats.some((chair) => mine(chair) && chair.bot && !chair.resigned),
    keep: plays && clocks.now() > new Date(match.keep_from ?? Infinity),
    undo: canUndo && log.lastMove(me),
    redo: canUndo && replay.lastUndo > log.lastMove(),
    resign: plays,
    fork: awaiting.length && (over || (me && (own().length === 1 || deciding().length))),
    "log-earlier": log.oldest > 1,
  };
  for (const [action, now] of Object.entries(can)) buttonOf(action).hidden = !now;
  $("declined").hidden = !declined || request;
  $("analysis").hidden = page.status !== "scored" && over !== "Scored";
}

function prompt() {
  if (replay.version) return t("looking", { version: replay.version, newest });
  const awaited = match.awaiting.find(({ seat }) => seat === menu?.seat) ?? match.awaiting[0];
  if (awaited) return capitalize(awaited.prompt);
  return match.status === "aborted" ? t("aborted") : (match.outcome?.text ?? t("over"));
}

function endSteps() {
  skips = true;
  skip();
}

/** Replay what others did since the player's last move. */
function replaySince() {
  replay.go(log.lastMove(me));
  replay.run(false);
}

/** Focus the next control for keyboard users. */
function focus() {
  if (!document.activeElement.matches("body, .view *, #bar *")) return;
  if (chosen()) buttonOf("confirm").focus();
  else if (panels.open.length) panels.focus();
  else document.querySelector("#words button")?.focus();
}

/** Names of spaces, such as `b1`, stay as they are. */
function capitalize(text) {
  return text.replace(/^\D(?!\d)/, (first) => first.toUpperCase());
}

async function resign() {
  const answers = [{ value: false, label: t("play_on") }, { value: true, label: t("resign"), kind: "grave" }];
  if (await ask(t("resign_sure"), answers)) command("resign");
}

/** Undo the last move; ask first if that costs something. */
async function undo() {
  await refreshParts("undo-cost");
  const cost = $("undo-cost").textContent;
  if (!cost || (await confirmed(cost, t("undo_move")))) command("undo");
}

/** Go to the next match that waits for the visitor. */
async function goToNextTurn() {
  const { turns } = (await get("v1/me/turns")).data;
  const next = turns[(turns.findIndex((one) => one.match === page.match) + 1) % turns.length]?.match;
  if (next && next !== page.match) location.href = url(`matches/${next}`);
  else toast(t("no_turns"));
}

async function fork() {
  await ensurePlayer();
  const { data } = await send("POST", `${path}/forks`, { version: replay.shown });
  location.href = url(`matches/${data.id}`);
}

/** Change the height of the sheet at the bottom of a small screen: a line, a part, or most of it. */
function changeSheet() {
  const next = { low: "half", half: "full", full: "low" };
  const { dataset } = $("bar");
  dataset.sheet = next[dataset.sheet ?? "half"];
  $("grip").ariaExpanded = dataset.sheet !== "low";
}

const actions = {
  ...replay.actions,
  ...board.actions,
  ...resultActions(page.match),
  back,
  confirm,
  resign,
  sheet: changeSheet,
  since: replaySince,
  now: replay.actions.last,
  "copy-link": () => share(),
  keys: showKeys,
  "next-turn": goToNextTurn,
  check: () => check($("checked"), path),
  "turning-point": (line) => analysis.show(Number(line.dataset.version)),
  fork,
  undo,
  "log-earlier": () => log.earlier().then(render),
  "log-show": (line) => replay.go(Number(line.dataset.version)),
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const { do: action, touch: name, post, body } = button?.dataset ?? {};
  if (name) touch([name]);
  if (post) command(post, JSON.parse(body));
  attempt(() => actions[action]?.(button.closest("li")));
});
document.addEventListener("keydown", () => {
  byKeys = true;
  endSteps();
}, true);
document.addEventListener("pointerdown", () => {
  byKeys = false;
  endSteps();
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
  onBeat: ({ now }) => clocks.setTime(now),
});
refresh();
