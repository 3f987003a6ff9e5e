// The page of a match: played, watched, looked at again.

import "./frame.js";
import { get, language, me, Problem, send, url } from "./api.js";
import { Board } from "./board.js";
import * as clocks from "./clocks.js";
import { ask, attempt, h, share, toast, words } from "./dom.js";
import { listen } from "./live.js";
import { Log, readRules, ruleLink } from "./log.js";
import { prefs } from "./prefs.js";
import { analyse, check, Replay } from "./replay.js";
import { renew } from "./renew.js";
import { Hand, Tree } from "./touch.js";
import { t } from "./words.js";

const AGAIN_MS = 1_000;
const $ = (name) => document.getElementById(name);
const doer = (deed) => document.querySelector(`[data-do="${deed}"]`);
const page = $("match").dataset;
const { game } = page;
const path = `v1/matches/${page.match}`;

let match, picture; // on the screen
let menu, hand; // what can be done, and is touched of it
let newest = Number(page.version);
let [news, known] = [0, 0]; // the last entry that is no move, and the last that is shown
let loading, again, busy, byKeys, pondered;

clocks.run(() => match?.clocks, page.now);
readRules(game);
const board = new Board($("board"), touch);
const log = new Log($("log"), path, game);
const replay = new Replay(path, refresh);

/** Show what is newest, or looked at; if asked again meanwhile, once more. */
async function refresh() {
  again = true;
  if (loading) return;
  for (loading = true; again; ) {
    again = false;
    state();
    await load().catch(failed);
  }
  loading = false;
  state();
}

function failed(problem) {
  if ([0, 429, 503].includes(problem.status)) return setTimeout(refresh, problem.retryAfter * 1000 || AGAIN_MS);
  if (location.hash && [400, 403, 404].includes(problem.status)) replay.show(replay.as && replay.version, null);
  toast(problem);
  if (!(problem instanceof Problem)) reportError(problem);
}

async function load() {
  const { version, as } = replay;
  const eyes = { version, as, min_version: version ? null : newest };
  const [{ data: told }, { data: drawn, etag }] = await Promise.all([
    get(path, { ...eyes, board: false, words: true }),
    get(`${path}/board.svg`, eyes),
  ]);
  const drawnAt = Number(/\d+/.exec(etag));
  newest = Math.max(newest, told.version, drawnAt);
  if (drawnAt !== told.version) throw new Problem(503, {});
  if (drawn !== picture) board.show(drawn);
  [match, picture] = [told, drawn];
  if (known < news) await around(news);
  const offered = !version && deciding().length > 0;
  if (!offered || menu?.version !== match.version) {
    const former = hand;
    menu = hand = null;
    render();
    if (offered) await offer(former);
  }
  settle();
}

/** Renew what moves leave. */
async function around(until) {
  if (!(await renew("seats", "result", "eyes", "asked", "next").catch(() => false))) throw new Problem(503, {});
  await replay.lines();
  known = until;
}

/** Read what can be done; what was touched stays so as far as it can. */
async function offer(former) {
  const { data } = await get(`${path}/legal-moves`, { touch: true, as: deciding()[0].seat });
  if (data.version !== match.version) throw new Problem(503, {});
  const says = new Map(data.names.map((one) => [one.name, capital(one.says)]));
  menu = { ...data, says: (name) => says.get(name) ?? "" };
  hand = data.moves.length ? new Hand(new Tree(data.ways), former) : null;
}

/** Note in the page what is on the screen, and whether it is all. */
function state() {
  if (!match) return;
  const offered = replay.version || !deciding().length || menu?.version === match.version;
  const ready = !loading && !busy && offered && known === news && (replay.version || match.version === newest) && log.newest >= newest;
  Object.assign(page, { version: match.version, ready: Boolean(ready) });
  if (!replay.version) page.status = match.status;
}

const mine = ({ player }) => me && player === me;
const own = () => match.seats.filter((chair) => mine(chair) && !chair.bot && !chair.resigned);
const deciding = () => own().filter(({ seat }) => match.awaiting.some((one) => one.seat === seat));

/** Touch the first of these that goes with something, or say why none does. */
function touch(names) {
  if (busy || !hand) return;
  if (!names.some((name) => hand.touch(name))) return whyNot(names[0]);
  changed();
}

function back() {
  if (!hand?.back()) hand?.clear();
  changed();
}

function changed() {
  fill("why", []);
  settle();
  if (chosen() && prefs.get("confirm") === "never") confirm();
}

function settle() {
  render();
  board.reveal();
  if (byKeys) focus();
}

/** Say why something cannot be touched, or take it if it comes to the same. */
async function whyNot(name) {
  const touches = [...(hand.move === null ? hand.chosen : []), name];
  const [held, { moves, seat }] = [hand, menu];
  try {
    const { data } = await send("POST", `${path}/preview`, { touches, seat });
    held.all.ways.push({ move: moves.push(data.move) - 1, touches });
    held.go(held.all, touches);
    changed();
  } catch (problem) {
    if (problem.code !== "bad_move") refused(problem);
  }
}

function refused(problem) {
  fill("why", [words(problem), problem.rule && ruleLink(game, problem.rule)]);
}

/** Show what the chosen move would do. */
async function ponder(move) {
  if (pondered === move) return;
  pondered = move;
  fill("does", []);
  if (!move) return;
  try {
    const { data } = await send("POST", `${path}/preview?words=true`, { move, seat: menu.seat });
    if (pondered === move) fill("does", data.says.map(({ text }) => h("li", {}, text)));
  } catch (problem) {
    if (pondered === move) refused(problem);
  }
}

async function confirm() {
  if (chosen()) await act("moves", { move: chosen(), seat: menu.seat });
}

const chosen = () => (hand && hand.move !== null && !busy ? menu.moves[hand.move] : null);

/** Send a command about what is seen; resigning is about the match. */
async function act(what, body = {}) {
  if (busy) return;
  const version = what === "resign" ? undefined : replay.version ? newest : match.version;
  busy = true;
  render();
  try {
    const { data } = await send("POST", `${path}/${what}`, body, { version });
    newest = Math.max(newest, data.version);
    menu = hand = null;
    fill("why", []);
  } catch (problem) {
    refused(problem);
  }
  busy = false;
  render();
  refresh();
}

function render() {
  if (!match) return;
  const open = hand && !busy ? hand.open : [];
  const unseen = board.light(open, hand?.chosen ?? [], menu?.says);
  fill("prompt", [prompt()]);
  fill("path", hand ? hand.path.map(menu.says).filter(Boolean).map((one) => h("li", {}, one)) : []);
  fill("words", buttons(unseen));
  fill("all", buttons(open));
  ponder(chosen());
  const decide = match.awaiting.map(({ seat }) => seat);
  [...$("seats").children].forEach((line, seat) => line.classList.toggle("decides", decide.includes(seat)));
  replay.render(newest);
  log.mark(replay.undone, replay.version);
  offers();
  state();
}

/** Show the buttons of what can be done now. */
function offers() {
  const { undo_request: request, status, seats, undo } = match;
  const plays = status === "active" && own().length > 0;
  const takesBack = plays && !replay.version && undo !== "off" && !request && !hand?.before.length;
  const can = {
    confirm: chosen(),
    back: hand?.before.length && !busy,
    now: replay.version,
    agree: request?.asked.includes(me),
    refuse: request?.asked.includes(me),
    withdraw: request?.player === me,
    reclaim: seats.some((chair) => mine(chair) && chair.bot && !chair.resigned),
    undo: takesBack && log.moved(me),
    redo: takesBack && replay.left > log.moved(),
    resign: plays,
    analyse: status === "scored",
    "log-earlier": log.oldest > 1,
  };
  for (const [deed, now] of Object.entries(can)) doer(deed).hidden = !now;
}

function buttons(names) {
  return names.map((name) => h("button", { type: "button", "data-touch": name }, menu.says(name)));
}

function prompt() {
  if (replay.version) return t("looking", { version: replay.version, newest });
  const decides = match.awaiting.find(({ seat }) => seat === menu?.seat) ?? match.awaiting[0];
  if (decides) return capital(decides.says);
  return match.status === "aborted" ? t("aborted") : t("over");
}

/** Where keys go on. */
function focus() {
  if (!document.activeElement.matches("body, #board *, #bar *")) return;
  if (chosen()) doer("confirm").focus();
  else if (board.open.length) board.focus();
  else document.querySelector("#words button")?.focus();
}

/** Give an element this content, unless it has it. */
function fill(name, content) {
  const made = h("div", {}, content);
  if (made.innerHTML !== $(name).innerHTML) $(name).replaceChildren(...made.childNodes);
}

function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

async function resign() {
  const answers = [{ value: false, says: t("play_on") }, { value: true, says: t("resign"), kind: "grave" }];
  if (await ask(t("resign_sure"), answers)) act("resign");
}

async function fork() {
  const { data } = await send("POST", `${path}/forks`, { version: replay.shown });
  location.href = url(`matches/${data.id}`);
}

const deeds = {
  ...replay.deeds,
  ...board.deeds,
  back,
  confirm,
  resign,
  now: replay.deeds.last,
  "copy-link": share,
  check: () => check($("checked"), path),
  analyse: () => analyse($("graph"), path, language),
  fork,
  "log-earlier": () => log.earlier().then(render),
  "log-show": (line) => replay.go(Number(line.dataset.version)),
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const { do: deed, touch: name, post, body } = button?.dataset ?? {};
  if (name) touch([name]);
  if (post) act(post, JSON.parse(body));
  attempt(() => deeds[deed]?.(button.closest("li")));
});
document.addEventListener("keydown", ({ key }) => {
  byKeys = true;
  if (key === "Escape" && !document.querySelector("dialog[open]")) back();
}, true);
document.addEventListener("pointerdown", () => (byKeys = false), true);
const hush = listen(`${path}/stream`, {
  params: { words: true, language },
  after: page.version,
  onEvent(_, entry) {
    log.add(entry);
    const fresh = entry.version > newest;
    newest = Math.max(newest, entry.version);
    if (entry.kind !== "Moved") news = entry.version;
    if (known < news || (fresh && !replay.version)) refresh();
    else render();
  },
  onState(connected) {
    page.live = connected ? "on" : log.over ? "over" : "lost";
    if (page.live === "over") hush();
  },
});
replay.lines().then(render, () => {});
refresh();
