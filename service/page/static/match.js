// The page of a match: played, watched, looked at again.

import "./frame.js";
import { get, language, me, Problem, send } from "./api.js";
import { Board } from "./board.js";
import { setClock, tick } from "./clocks.js";
import { ask, h, toast, words } from "./dom.js";
import { listen } from "./live.js";
import { Log, readRules, ruleLink } from "./log.js";
import { prefs } from "./prefs.js";
import { analyse, check, fork, Replay, share } from "./replay.js";
import { Hand, Tree } from "./touch.js";
import { t } from "./words.js";

const TICK_MS = 250;
const AGAIN_MS = 1_000;
const LATER = [0, 429, 503]; // states of refusals that pass
const $ = (name) => document.getElementById(name);
const { match: id, game, now, version } = $("match").dataset;
const path = `v1/matches/${id}`;
const { levels, scores } = JSON.parse($("game").textContent);
const seen = { match: null, menu: null, hand: null, picture: "", newest: Number(version) };
let loading, pondered, byKeys, busy;

setClock(now);
readRules(game);
const board = new Board($("board"), { onTouch: touch, onMiss: whyNot });
const log = new Log($("log"), { path, game, onVersion: (at) => replay.go(at) });
const replay = new Replay($("replay"), { path, onShow: refresh });

/** Show what is newest, or what is looked at again; while that is on its way, once more after it. */
async function refresh() {
  if (loading) return (loading.again = true);
  loading = { again: false };
  state();
  try {
    await load();
  } catch (problem) {
    if (LATER.includes(problem.status)) setTimeout(refresh, problem.retryAfter * 1000 || AGAIN_MS);
    else failed(problem);
  }
  const { again } = loading;
  loading = null;
  state();
  if (again) refresh();
}

/** Tell what went wrong: people, and if it is no refusal the browser too. */
function failed(problem) {
  toast(problem);
  if (!(problem instanceof Problem)) reportError(problem);
}

async function load() {
  const { version = null, as } = replay;
  const eyes = { version, as: as ?? acting(), min_version: version ? null : seen.newest };
  const [{ data: match }, picture] = await Promise.all([
    get(path, { ...eyes, board: false, words: true }),
    get(`${path}/board.svg`, eyes),
  ]);
  const drawn = Number(/\d+/.exec(picture.etag));
  seen.newest = Math.max(seen.newest, match.version, drawn);
  if (drawn !== match.version) return (loading.again = true);
  if (picture.data !== seen.picture) {
    const next = seen.match && Math.abs(match.version - seen.match.version) <= 3 && match.as === seen.match.as;
    board.show(picture.data, next);
  }
  Object.assign(seen, { match, picture: picture.data });
  render();
  if (version || !deciding().length) seen.menu = seen.hand = null;
  else if (seen.menu?.version !== match.version) await offer(match);
  render();
  if (byKeys) focus();
}

/** Whether nothing more will happen. */
const settled = () => !replay.version && ["scored", "aborted"].includes(seen.match?.status);

/** Read what can be done now; what was touched before stays so as far as it can. */
async function offer(match) {
  const { data } = await get(`${path}/legal-moves`, { touch: true, as: acting() });
  if (data.version !== match.version) return (loading.again = true);
  const before = seen.hand?.path ?? [];
  const says = new Map(data.names.map((each) => [each.name, each.says]));
  seen.menu = { ...data, says: (name) => says.get(name) ?? name };
  seen.hand = data.moves.length ? new Hand(new Tree(data.ways, data.parts)) : null;
  for (const name of before) if (!seen.hand?.open.includes(name) || !seen.hand.touch(name)) break;
}

/** The seats that the visitor plays themselves, and those of them that have to decide. */
const own = () => (seen.match?.seats ?? []).filter(({ player, bot, resigned }) => me && player === me && !bot && !resigned);
const deciding = () => own().filter(({ seat }) => seen.match.awaiting.some((one) => one.seat === seat));

/** For which seat the visitor acts, if they have several; the service knows it if they have one. */
const acting = () => (own().length > 1 ? deciding()[0]?.seat : undefined);

function touch(name) {
  if (busy || !seen.hand) return;
  if (!seen.hand.touch(name)) return whyNot([name]);
  render();
  if (seen.hand.move !== null && prefs.get("confirm") === "never") confirm();
  else if (byKeys) focus();
}

function back() {
  if (!seen.hand?.back()) seen.hand?.clear();
  render();
  if (byKeys) focus();
}

/** Say why none of these things can be touched now. */
async function whyNot(names) {
  if (!seen.hand || busy) return;
  if (names.some((name) => seen.hand.move === null && seen.hand.touch(name))) return render();
  const touches = [...(seen.hand.move === null ? seen.hand.chosen : []), names[0]];
  try {
    await send("POST", `${path}/preview`, { touches, seat: seen.menu.seat });
  } catch (problem) {
    refused(problem);
  }
}

function refused(problem) {
  const rule = problem.rule && ruleLink(game, problem.rule, problem.rule_text);
  $("why").replaceChildren(h("span", {}, words(problem)), rule ?? "");
}

/** Show what the chosen move would do. */
async function ponder(move) {
  if (pondered === move) return;
  pondered = move;
  $("does").replaceChildren();
  try {
    const { data } = await send("POST", `${path}/preview?words=true`, { move, seat: seen.menu.seat });
    if (pondered === move) $("does").replaceChildren(...(data.says ?? []).map((one) => h("li", {}, one.text)));
  } catch (problem) {
    if (pondered === move) refused(problem);
  }
}

async function confirm() {
  const { menu, hand } = seen;
  if (busy || !hand || hand.move === null) return;
  await act("POST", "moves", { move: menu.moves[hand.move], seat: menu.seat }, { version: menu.version });
}

/** Send a command, and show what came of it. */
async function act(method, what, body, options) {
  busy = true;
  render();
  try {
    const { data } = await send(method, `${path}/${what}`, body, options);
    seen.newest = Math.max(seen.newest, data?.version ?? 0);
    seen.hand = seen.menu = null;
    $("why").replaceChildren();
  } catch (problem) {
    refused(problem);
  }
  busy = false;
  render();
  await refresh();
}

function render() {
  const { match, hand, menu } = seen;
  if (!match) return;
  const words = board.light(hand && !busy ? hand.open : [], hand?.chosen ?? [], menu?.says ?? String);
  const move = hand && hand.move !== null ? menu.moves[hand.move] : null;
  say($("prompt"), prompt());
  $("path").replaceChildren(...(hand ? hand.path : []).map((name) => h("li", {}, menu.says(name))));
  $("words").replaceChildren(...buttons(hand, words));
  $("all").replaceChildren(...buttons(hand, hand?.open.length ? hand.open : []));
  $("choices").hidden = !hand?.open.length;
  $("confirm").hidden = !move || busy;
  $("back").hidden = !hand?.before.length || busy;
  if (move) ponder(move);
  else pondered = $("does").replaceChildren();
  $("offers").replaceChildren(...offers(match));
  $("seats").replaceChildren(...match.seats.map(seat));
  $("result").replaceChildren(...result(match));
  tick($("seats"), match.clocks);
  replay.render(match, seen.newest, eyes(match));
  log.mark(replay.undone, replay.version);
  $("bar").classList.toggle("yours", Boolean(hand));
  $("resign").hidden = match.status !== "active" || !own().length;
  state({ version: match.version, status: match.status });
}

/** Say in the page itself what is on the screen, and whether it is all of that version. */
function state(said = {}) {
  const shown = Object.assign($("match").dataset, said);
  const { match, menu } = seen;
  const offered = replay.version || !match || !deciding().length || menu?.version === match.version;
  const ready = Boolean(match && !loading && !busy && offered && log.newest >= seen.newest);
  shown.ready = ready;
  if (ready && settled()) rest();
}

/** Listen no more: nothing is to come. */
function rest() {
  hush();
  $("lost").hidden = true;
  $("match").dataset.live = "over";
}

/** Buttons for what can be named next: of a few all, of many first the parts that they are in. */
function buttons(hand, names) {
  const shown = names.length > 25 ? hand.tree.choices(hand.path) : names;
  return shown.map((name) => h("button", { type: "button", "data-touch": name, onclick: () => touch(name) }, capital(seen.menu.says(name))));
}

function prompt() {
  const { match, hand } = seen;
  if (replay.version) return t("looking", { version: replay.version, newest: seen.newest });
  const mine = match.awaiting.find((one) => one.seat === seen.menu?.seat) ?? match.awaiting[0];
  if (!mine) return match.status === "aborted" ? t("aborted") : t("over");
  return hand || !mine.says ? capital(mine.says ?? t("your_turn")) : capital(mine.says);
}

/** What can be answered or done now besides a move. */
function offers(match) {
  const offer = (deed, says, what, body, kind = "") => h("button", { type: "button", "data-do": deed, class: kind, disabled: busy, onclick: () => act("POST", what, body) }, says);
  if (replay.version) return [h("button", { type: "button", class: "main", onclick: () => replay.go(seen.newest) }, t("replay_now"))];
  const request = match.undo_request;
  const found = [];
  if (request) {
    const who = named(match.seats.find(({ player }) => player === request.player));
    const asked = request.asked.includes(me);
    found.push(h("p", {}, request.redo ? t("asks_redo", { who, to: request.to }) : t("asks_undo", { who, to: request.to })));
    if (asked) found.push(offer("agree", t("agree"), "undo/answer", { agree: true }, "main"), offer("refuse", t("disagree"), "undo/answer", { agree: false }));
    else if (request.player === me) found.push(offer("withdraw", t("withdraw"), "undo/answer", { agree: false }));
  }
  if (match.seats.some(({ player, bot, resigned }) => me && player === me && bot && !resigned)) found.push(offer("reclaim", t("reclaim"), "reclaim", {}, "main"));
  if (match.next_match) found.push(h("a", { href: match.next_match }, t("next_match")));
  if (match.status !== "active" || !own().length) return found;
  if (match.undo !== "off" && !request && !seen.hand?.before.length) {
    found.push(offer("undo", t("undo_move"), "undo", {}));
    if (replay.left > log.latest("Moved")) found.push(offer("redo", t("redo"), "redo", {}));
  }
  return found;
}

function named(chair) {
  return chair?.name ?? levels[chair?.bot] ?? (chair ? t("seat", { number: chair.seat }) : "");
}

function seat(chair) {
  const { match } = seen;
  const decides = match.awaiting.some((one) => one.seat === chair.seat);
  const notes = [
    chair.player && chair.player === me && t("you"),
    chair.player && chair.bot && levels[chair.bot],
    chair.resigned && t("resigned"),
    decides && t("to_decide"),
  ].filter(Boolean);
  return h(
    "li",
    { class: decides ? "decides" : "" },
    h("span", { class: "who" }, chair.name ?? levels[chair.bot] ?? t("free_seat")),
    h("span", { class: "notes" }, notes.join(", ")),
    h("span", { class: "clock", "data-clock": chair.seat }),
  );
}

/** Places and points, with where they come from. */
function result(match) {
  if (!match.result || replay.version) return [];
  const lines = [...match.result.lines].sort((one, other) => one.rank - other.rank);
  const parts = Object.keys(lines[0].breakdown);
  return [
    h("tr", {}, ["", "", t("points"), ...parts.map((part) => scores[part] ?? part)].map((cell) => h("th", {}, cell))),
    ...lines.map((line) =>
      h("tr", {}, [`${line.rank}.`, named(match.seats[line.seat]), line.points, ...parts.map((part) => line.breakdown[part])].map((cell) => h("td", {}, cell))),
    ),
  ];
}

/** As whom the visitor may look: with own seats as these, after the end as anybody. */
function eyes(match) {
  const over = ["ended", "scored", "aborted"].includes(match.status);
  const seats = match.seats.filter(({ player }) => over || (me && player === me));
  return [["", t("own_eyes")], ["spectator", t("spectator")], ...seats.map((chair) => [String(chair.seat), named(chair)])];
}

/** Where the keyboard goes on after something has changed. */
function focus() {
  const at = document.activeElement;
  if (at !== document.body && !at.closest("#board, #bar")) return;
  if (!$("confirm").hidden) $("confirm").focus();
  else if (board.lit) board.focus();
  else $("words").querySelector("button")?.focus();
}

function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

async function resign() {
  const answers = [{ value: null, says: t("play_on") }, { value: "yes", says: t("resign"), kind: "danger" }];
  if (await ask(t("resign_sure"), answers)) act("POST", "resign", {});
}

const tools = {
  zoom_in: () => board.zoom(1.6),
  zoom_out: () => board.zoom(1 / 1.6),
  fit: () => board.fit(),
  back,
  confirm,
  resign,
  share,
  analyse: () => analyse(replay, path),
  check: () => check($("checked"), path),
  fork: () => fork(path, replay.version ?? seen.newest),
};
for (const [name, tool] of Object.entries(tools)) {
  $(name).addEventListener("click", () => Promise.resolve(tool()).catch(failed));
}
document.addEventListener("keydown", ({ key }) => {
  byKeys = true;
  if (key === "Escape" && !document.querySelector("dialog[open]")) back();
}, true);
document.addEventListener("pointerdown", () => (byKeys = false), true);
setInterval(() => tick($("seats"), seen.match?.clocks), TICK_MS);
const hush = listen(`${path}/stream`, {
  params: { words: true, language },
  after: version,
  onEvent(_, entry) {
    log.add(entry);
    seen.newest = Math.max(seen.newest, entry.version);
    if (/^(Undo|Redo)/.test(entry.kind)) replay.lines().then(render);
    if (!replay.version && entry.version > seen.match?.version) refresh();
    else render();
  },
  onState(connected) {
    $("lost").hidden = connected;
    state({ live: connected ? "on" : "lost" });
  },
});
replay.lines().then(render, () => {});
refresh();
