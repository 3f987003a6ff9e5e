// The buttons of the actions that are possible now.

import { me } from "../api.js";
import { $ } from "../dom.js";
import { t, when } from "../words.js";
import * as clocks from "./clocks.js";

/** The button with an action. */
export const buttonOf = (action) => document.querySelector(`[data-do="${action}"]`);

/** Show the buttons of what the visitor can do in a match: `own` are their seats, of which some are `deciding`. */
export function updateOffers({ match, selection, log, replay, steps, own, deciding, chosen, busy, isActive, isScored }) {
  const { seats, undo, awaiting } = match;
  const request = !replay.version && match.undo_request; // of an older version it has been answered
  const over = log.over?.dataset.kind; // of the match, not of the version that is shown
  const isNow = isActive && !over && !replay.version;
  const plays = isNow && own.length > 0;
  const declined = plays && log.isDeclined(me);
  const isBegun = selection?.before.length; // a move: its choice needs the room
  const canUndo = plays && undo !== "off" && !request && !declined && !isBegun;
  const since = deciding.length && steps.since().length;
  buttonOf("since").textContent = `▶ ${t("moves_since", { count: since })}`;
  buttonOf("keep").textContent = match.ends_at && t("keep_match", { time: when(match.ends_at) });
  const can = {
    confirm: chosen,
    back: isBegun && !busy,
    now: replay.version,
    step: isActive && !over && own.length && steps.canStep(),
    since: plays && since && !isBegun,
    hints: plays && deciding.length && !isBegun && "hints" in $("match").dataset,
    agree: request && request.waiting_for.includes(me),
    refuse: request && request.waiting_for.includes(me),
    withdraw: request && request.player === me,
    reclaim: isNow && seats.some(({ player, bot, resigned }) => me && player === me && bot && !resigned),
    keep: plays && clocks.now() > new Date(match.keep_from ?? Infinity),
    give: plays && !isBegun && match.clocks?.running.some((seat) => seats[seat].player !== me),
    undo: canUndo && log.lastMove({ by: me }),
    redo: canUndo && replay.lastUndo.player === me && replay.lastUndo.branches_from >= log.lastMove(),
    restore: isActive && !over && own.length && undo !== "off" && replay.undone.has(replay.version),
    pause: plays && match.clocks && !match.pause,
    "propose-end": plays,
    resign: plays,
    fork: awaiting.length && (over === "Scored" || (me && (own.length === 1 || deciding.length))),
    "log-earlier": log.oldest > 1,
  };
  buttonOf("restore").dataset.body = JSON.stringify({ to: replay.version });
  for (const [action, now] of Object.entries(can)) buttonOf(action).hidden = !now;
  $("goal").hidden = log.lastMove(own.length ? { by: me } : {});
  $("declined").hidden = !declined || request;
  $("replaced").hidden = !can.reclaim;
  $("asked").hidden = !request; // a move ends a request, without an entry for it
  $("proposal").hidden = !isNow || !(match.proposal || match.pause || awaiting.some((one) => one.absent)); // so it does a proposal
  $("choices").hidden = !plays;
  $("analysis").hidden = !isScored && over !== "Scored";
}
