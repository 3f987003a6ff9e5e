// The buttons of the actions that are possible now.

import { me } from "../api.js";
import { t, when } from "../words.js";
import * as clocks from "./clocks.js";

const $ = (name) => document.getElementById(name);
/** The button with an action. */
export const buttonOf = (action) => document.querySelector(`[data-do="${action}"]`);

/** Show the buttons of what the visitor can do in a match: `own` are their seats, of which some are `deciding`. */
export function updateOffers({ match, selection, log, replay, steps, own, deciding, chosen, busy, isActive, isScored }) {
  const { undo_request: request, seats, undo, awaiting } = match;
  const over = log.over?.dataset.kind; // of the match, not of the version that is shown
  const plays = isActive && !over && own.length > 0;
  const declined = plays && log.isDeclined(me);
  const canUndo = plays && !replay.version && undo !== "off" && !request && !declined && !selection?.before.length;
  const since = deciding.length && steps.count();
  buttonOf("since").textContent = `▶ ${t("moves_since", { count: since })}`;
  buttonOf("keep").textContent = match.ends_at && t("keep_match", { time: when(match.ends_at) });
  const can = {
    confirm: chosen,
    back: selection?.before.length && !busy,
    now: replay.version,
    since: plays && !replay.version && since,
    agree: request?.waiting_for.includes(me),
    refuse: request?.waiting_for.includes(me),
    withdraw: request?.player === me,
    reclaim: isActive && !over && seats.some(({ player, bot, resigned }) => me && player === me && bot && !resigned),
    keep: plays && clocks.now() > new Date(match.keep_from ?? Infinity),
    undo: canUndo && log.lastMove({ by: me }),
    redo: canUndo && replay.lastUndo.player === me && replay.lastUndo.version > log.lastMove(),
    resign: plays,
    fork: awaiting.length && (over || (me && (own.length === 1 || deciding.length))),
    "log-earlier": log.oldest > 1,
  };
  for (const [action, now] of Object.entries(can)) buttonOf(action).hidden = !now;
  $("declined").hidden = !declined || request;
  $("replaced").hidden = !can.reclaim;
  $("asked").hidden = !request; // a move ends a request, without an entry for it
  $("analysis").hidden = !isScored && over !== "Scored";
}
