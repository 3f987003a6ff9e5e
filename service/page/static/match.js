// The page of a match: played, watched, looked at again.

import "./frame.js";
import { get, language, me, Problem, send, url } from "./api.js";
import { Board } from "./board.js";
import { setClock, tick } from "./clocks.js";
import { ask, h, share, toast, words } from "./dom.js";
import { listen } from "./live.js";
import { Log, readRules, ruleLink } from "./log.js";
import { prefs } from "./prefs.js";
import { analyse, check, Replay } from "./replay.js";
import { renew } from "./renew.js";
import { Hand, MOST, Tree } from "./touch.js";
import { t } from "./words.js";

const TICK_MS = 250;
const AGAIN_MS = 1_000;
const LATER = [0, 429, 503]; // states of refusals that pass
const ALIKE = 3; // versions no further apart show by motion what has changed
const ZOOM = 1.6;
const PARTS = ["seats", "result", "eyes", "asked", "next"]; // of the page that moves leave as they are
const $ = (name) => document.getElementById(name);
const doer = (deed) => document.querySelector(`[data-do="${deed}"]`);
const page = $("match").dataset;
const { game } = page;
const path = `v1/matches/${page.match}`;

let match, picture; // what is on the screen
let menu, hand; // what can be done, and what has been touched of it
let newest = Number(page.version);
let loading, again, busy, byKeys, pondered;

setClock(page.now);
readRules(game);
const board = new Board($("board"), { onTouch: touch, onMiss: whyNot });
const log = new Log($("log"), path, game);
const replay = new Replay(path, refresh);

/** Show what is newest, or what is looked at again; while that is on its way, once more after it. */
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

/** Tell what went wrong: people, and if it is no refusal the browser too. What passes is tried again. */
function failed(problem) {
  if (LATER.includes(problem.status)) return setTimeout(refresh, problem.retryAfter * 1000 || AGAIN_MS);
  toast(problem);
  if (!(problem instanceof Problem)) reportError(problem);
}

async function load() {
  const { version, as } = replay;
  const eyes = { version, as: as ?? acting(), min_version: version ? null : newest };
  const [{ data: told }, { data: drawn, etag }] = await Promise.all([
    get(path, { ...eyes, board: false, words: true }),
    get(`${path}/board.svg`, eyes),
  ]);
  const drawnAt = Number(/\d+/.exec(etag));
  newest = Math.max(newest, told.version, drawnAt);
  if (drawnAt !== told.version) return (again = true);
  if (drawn !== picture) board.show(drawn, match && told.as === match.as && Math.abs(told.version - match.version) <= ALIKE);
  [match, picture] = [told, drawn];
  const offered = !version && deciding().length > 0;
  if (!offered || menu?.version !== match.version) {
    const touched = hand?.path ?? [];
    menu = hand = null;
    render();
    if (offered) await offer(touched);
  }
  render();
  if (byKeys) focus();
}

/** Read what can be done now; what was touched before stays so as far as it can. */
async function offer(touched) {
  const { data } = await get(`${path}/legal-moves`, { touch: true, as: acting() });
  if (data.version !== match.version) return (again = true);
  const says = new Map(data.names.map((one) => [one.name, capital(one.says)]));
  menu = { ...data, says: (name) => says.get(name) ?? name };
  hand = data.moves.length ? new Hand(new Tree(data.ways, data.parts)) : null;
  touched.every((name) => hand?.open.includes(name) && hand.touch(name));
}

/** Say in the page itself what is on the screen, and whether it is all of that. */
function state() {
  if (!match) return;
  const offered = replay.version || !deciding().length || menu?.version === match.version;
  const ready = !loading && !busy && offered && (replay.version || match.version === newest) && log.newest >= newest;
  Object.assign(page, { version: match.version, status: match.status, ready: Boolean(ready) });
}

function live(how) {
  page.live = how;
  $("lost").hidden = how !== "lost";
}

/** The seats that the visitor plays themselves, and those of them that have to decide. */
const mine = ({ player }) => me && player === me;
const own = () => (match?.seats ?? []).filter((chair) => mine(chair) && !chair.bot && !chair.resigned);
const deciding = () => own().filter(({ seat }) => match.awaiting.some((one) => one.seat === seat));

/** For which seat the visitor acts, if they have several; the service knows it if they have one. */
const acting = () => (own().length > 1 ? deciding()[0]?.seat : undefined);

function touch(name) {
  if (busy || !hand) return;
  if (!hand.touch(name)) return whyNot([name]);
  changed();
  if (hand.move !== null && prefs.get("confirm") === "never") confirm();
}

function back() {
  if (!hand?.back()) hand?.clear();
  changed();
}

function changed() {
  $("why").replaceChildren();
  render();
  if (byKeys) focus();
}

/** Touch the first of these things that goes with something, or say why none does. */
async function whyNot(names) {
  if (!hand || busy) return;
  const open = hand.move === null;
  if (open && names.some((name) => hand.touch(name))) return changed();
  const touches = [...(open ? hand.chosen : []), names[0]];
  await send("POST", `${path}/preview`, { touches, seat: menu.seat }).catch(refused);
}

function refused(problem) {
  const rule = problem.rule && ruleLink(game, problem.rule, problem.rule_text);
  $("why").replaceChildren(words(problem), rule ?? "");
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
  if (chosen()) await act("moves", { move: chosen(), seat: menu.seat }, menu.version);
}

const chosen = () => (hand && hand.move !== null && !busy ? menu.moves[hand.move] : null);

/** Send a command, and show what came of it. */
async function act(what, body = {}, version = undefined) {
  if (busy) return;
  busy = true;
  render();
  try {
    const { data } = await send("POST", `${path}/${what}`, body, { version });
    newest = Math.max(newest, data.version);
    menu = hand = null;
    $("why").replaceChildren();
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
  say($("prompt"), prompt());
  fill("path", (hand?.path ?? []).map((name) => h("li", {}, menu.says(name))));
  fill("words", buttons(unseen));
  fill("all", buttons(open));
  $("choices").hidden = !open.length;
  ponder(chosen());
  const decide = match.awaiting.map(({ seat }) => seat);
  [...$("seats").children].forEach((line, seat) => line.classList.toggle("decides", decide.includes(seat)));
  tick(match.clocks);
  replay.render(newest);
  log.mark(replay.undone, replay.version);
  $("bar").classList.toggle("yours", Boolean(hand));
  offers();
  state();
}

/** Show the buttons of what can be done now, hide those of what cannot. */
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
    withdraw: request && request.player === me && !request.asked.includes(me),
    reclaim: seats.some((chair) => mine(chair) && chair.bot && !chair.resigned),
    undo: takesBack && log.latest("Moved"),
    redo: takesBack && replay.left > log.latest("Moved"),
    resign: plays,
    analyse: status === "scored",
    "log-earlier": log.oldest > 1,
  };
  for (const [deed, now] of Object.entries(can)) doer(deed).hidden = !now;
}

/** Buttons for what can be named next: of a few all, of many first the parts that they are in. */
function buttons(names) {
  const shown = names.length > MOST ? hand.tree.choices(hand.path) : names;
  return shown.map((name) => h("button", { type: "button", "data-touch": name }, menu.says(name)));
}

function prompt() {
  if (replay.version) return t("looking", { version: replay.version, newest });
  const decides = match.awaiting.find(({ seat }) => seat === menu?.seat) ?? match.awaiting[0];
  if (decides) return capital(decides.says);
  return match.status === "aborted" ? t("aborted") : t("over");
}

/** Where the keyboard goes on after something has changed. */
function focus() {
  const at = document.activeElement;
  if (at !== document.body && !at.closest("#board, #bar")) return;
  if (chosen()) doer("confirm").focus();
  else if (board.open.length) board.focus();
  else document.querySelector("#words button")?.focus();
}

function fill(name, content) {
  $(name).replaceChildren(...content);
}

function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

async function resign() {
  const answers = [{ value: false, says: t("play_on") }, { value: true, says: t("resign"), kind: "grave" }];
  if (await ask(t("resign_sure"), answers)) act("resign");
}

/** Open another match that begins at what is shown, and go there. */
async function fork() {
  const { data } = await send("POST", `${path}/forks`, { version: replay.shown });
  location.href = url(`matches/${data.id}`);
}

const deeds = {
  ...replay.deeds,
  "zoom-in": () => board.zoom(ZOOM),
  "zoom-out": () => board.zoom(1 / ZOOM),
  fit: () => board.fit(),
  back,
  confirm,
  resign,
  undo: () => act("undo"),
  redo: () => act("redo"),
  agree: () => act("undo/answer", { agree: true }),
  refuse: () => act("undo/answer", { agree: false }),
  withdraw: () => act("undo/answer", { agree: false }),
  reclaim: () => act("reclaim"),
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
  if (button?.dataset.touch) touch(button.dataset.touch);
  Promise.resolve(deeds[button?.dataset.do]?.(button.closest("li"))).catch(failed);
});
document.addEventListener("keydown", ({ key }) => {
  byKeys = true;
  if (key === "Escape" && !document.querySelector("dialog[open]")) back();
}, true);
document.addEventListener("pointerdown", () => (byKeys = false), true);
setInterval(() => tick(match?.clocks), TICK_MS);
const hush = listen(`${path}/stream`, {
  params: { words: true, language },
  after: page.version,
  onEvent(_, entry) {
    log.add(entry);
    newest = Math.max(newest, entry.version);
    if (/^(Undo|Redo)/.test(entry.kind)) replay.lines().then(render);
    if (entry.kind !== "Moved") renew(...PARTS).then(render);
    if (!replay.version && newest > match?.version) refresh();
    else render();
  },
  onState(connected) {
    if (connected) return live("on");
    if (!["scored", "aborted"].includes(page.status)) return live("lost");
    hush(); // there is nothing to come
    live("over");
  },
});
replay.lines().then(render, () => {});
refresh();
