"""Legal moves, previews, moves, resignations, moves that play themselves, and planned moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from flask import Blueprint, Response
from marshmallow import ValidationError
from msgspec.structs import replace

from domain.engine.codecs.json_codec import encode
from domain.engine.errors import BadMove, GameOver
from domain.engine.faults import Fault
from domain.match.decisions import lessons, playing
from domain.match.decisions.forced_moves import has_forced_move
from domain.match.decisions.planned_moves import (
    PlannedMove,
    PlannedMoves,
    find_planned_move,
    follow_pointer,
    hash_values,
    public_view,
    update_plan,
)
from domain.match.state import Match
from service.accounts.forced_moves import count_plan_change, has_automatic_moves
from service.http.addresses import MATCH
from service.http.context import annals, authenticate, caller
from service.http.json_responses import NO_STORE, Json, json_response
from service.http.language import language, sentence_language, with_content_language
from service.http.requests import command_metadata, parse_body, parse_query
from service.http.responses.command_responses import run_command
from service.http.schemas.commands import NewMove, PreviewRequest
from service.http.schemas.common import EmptyObject, LegalMovesQuery, SentencesQuery
from service.http.schemas.plans import NewMatchForcedMoves, NewPlan
from service.matches import player_moves, queries
from service.matches.sentences import narrator_for
from service.store.planning.plans import Plan, Plans

bp = Blueprint("moves", __name__, url_prefix=MATCH)
MOVES_PATH = "/moves"
NEW_MOVE, PREVIEW, NOTHING = NewMove(), PreviewRequest(), EmptyObject()
LEGAL_MOVES, SENTENCES, FORCED_MOVES = LegalMovesQuery(), SentencesQuery(), NewMatchForcedMoves()
NEW_PLAN = NewPlan()


@bp.get("/legal-moves")
def legal_moves(match_id: str) -> Response:
    """Return all moves that a seat of the caller can make now."""
    player, parameters = authenticate("read"), parse_query(LEGAL_MOVES)
    match = queries.match_for(annals(), match_id, player.id)
    seat = player_moves.own_seat(match, player.id, parameters.get("seat"))
    moves = queries.moves_of(match, seat)
    content = {"version": match.version, "seat": seat, "moves": moves}
    if not parameters["touch"]:
        return json_response(content)
    ways = queries.touch_guide(annals(), match, seat, moves, language())
    return with_content_language(json_response({**content, **ways}))


@bp.post(MOVES_PATH)
def move(match_id: str) -> Response:
    """Make a move."""
    player, data = authenticate("play"), parse_body(NEW_MOVE)
    decision = player_moves.move_decision(player.id, data["move"], data.get("seat"))
    return run_command(match_id, player, decision, 201)


@bp.post("/preview")
def preview(match_id: str) -> Response:
    """Return the events of a move as far as they are certain; records nothing."""
    player, chosen = authenticate("read"), sentence_language(parse_query(SENTENCES))
    data = parse_body(PREVIEW)
    match = queries.match_for(annals(), match_id, player.id)
    choice = player_moves.preview_move(match, player.id, data)
    events = queries.visible_events(match, playing.preview(match, choice), choice.seat)
    lessons.check_move(match, choice)
    content = {"version": match.version, "move": choice, "events": events}
    if chosen is None:
        return json_response(content)
    sentences = narrator_for(annals(), match, choice.seat, chosen).of_own_move(choice, events)
    return with_content_language(json_response({**content, "sentences": sentences}))


@bp.get("/forced-moves")
def forced_moves(match_id: str) -> Response:
    """Return whether forced moves of the caller play themselves in this match."""
    player = authenticate("read")
    parse_query(NOTHING)
    match = _own_match(match_id, player.id)
    return _forced_moves_response(player.id, Plans(annals().store).of_player(match.id, player.id))


@bp.put("/forced-moves")
def set_forced_moves(match_id: str) -> Response:
    """Let forced moves of the caller play themselves in this match, or not. Idempotent."""
    player, automatic = authenticate("play"), parse_body(FORCED_MOVES)["automatic"]
    parse_query(NOTHING)
    match = _own_match(match_id, player.id)
    if match.status not in ("open", "active"):
        raise GameOver
    now = _count_plan_change(player.id)
    is_idle = automatic is False or not has_forced_move(match, player.id, now)
    plan = Plans(annals().store).change(
        match.id,
        player.id,
        lambda plan: replace(plan, forced_moves=automatic),
        now,
        match.version if is_idle else None,
    )
    return _forced_moves_response(player.id, plan)


@bp.get("/plan")
def plan(match_id: str) -> Response:
    """Return the moves that the caller plans in this match, or why they were dropped."""
    player = authenticate("read")
    parse_query(NOTHING)
    match, plans = _own_match(match_id, player.id), Plans(annals().store)
    planned = plans.of_player(match.id, player.id).planned or PlannedMoves(match.version)
    if match.status == "active":  # a worker may not have looked yet
        planned = update_plan(match, planned, partial(plans.is_forced, match))
    return _plan_response(planned)


@bp.put("/plan")
def write_plan(match_id: str) -> Response:
    """Plan moves in this match, in place of those that the caller planned before. Idempotent."""
    player, items = authenticate("play"), parse_body(NEW_PLAN)["moves"]
    match = _own_match(match_id, player.id)
    command_metadata(player).authorize(annals().store.redis, match)
    playing.require_active(match)
    now = _count_plan_change(player.id)
    # What a worker would find out here is found out in the turn of the caller's address.
    planned, next_move = find_planned_move(
        match, player.id, _read_plan(match, player.id, items), now
    )
    Plans(annals().store).change(
        match.id,
        player.id,
        lambda plan: replace(plan, planned=planned),
        now,
        match.version if next_move is None else None,
    )
    return _plan_response(planned)


@bp.delete("/plan")
def remove_plan(match_id: str) -> Response:
    """Remove what the caller plans in this match. Idempotent."""
    player = authenticate("play")
    match, plans = _own_match(match_id, player.id), Plans(annals().store)
    if plans.of_player(match.id, player.id).planned is not None:
        plans.change(match.id, player.id, lambda plan: replace(plan, planned=None))
    return Response(status=204)


@bp.post("/resign")
def resign(match_id: str) -> Response:
    """Resign all seats of the caller."""
    player = authenticate("play")
    parse_body(NOTHING, optional=True)
    return run_command(match_id, player, lambda match, now: playing.resign(match, player.id, now))


def _count_plan_change(player: str) -> int:
    """Count a change of what a player plans; return when it is (ms since the epoch). Raises
    TooManyRequests.
    """
    now = annals().now()
    count_plan_change(annals().store.redis, player, caller().address, now)
    return now


def _own_match(match_id: str, player: str) -> Match:
    """Return a match of this player. Raises NotFound, or Forbidden if they have no seat in it."""
    match = queries.match_for(annals(), match_id, player)
    player_moves.own_seat(match, player, None)
    return match


def _forced_moves_response(player: str, plan: Plan) -> Response:
    by_account = has_automatic_moves(annals().store.redis, player)
    choice = plan.forced_moves
    content = {"automatic": by_account if choice is None else choice, "choice": choice}
    return json_response(content, headers=NO_STORE)


def _read_plan(match: Match, player: str, items: Sequence[Json]) -> PlannedMoves:
    """Return the moves that a player plans. Raises ValidationError for moves that cannot be read
    and pointers to nothing, Forbidden if a seat is not theirs.
    """
    document, read, faults = public_view(match), list[PlannedMove](), dict[int, Json]()
    for number, item in enumerate(items):
        pointers = tuple(item["unchanged"])
        faults |= _find_pointer_faults(document, number, pointers)
        try:
            move = player_moves.parse_move(match, player, item["move"], None)
        except BadMove as refusal:
            whole = refusal.faults or [Fault(refusal.reason)]
            faults[number] = faults.get(number, {}) | {"move": [*map(_nest, whole)]}
            continue
        if number not in faults:
            digest = hash_values(document, pointers)
            read.append(PlannedMove(move.seat, encode(move).decode(), pointers, digest))
    if faults:
        raise ValidationError({"moves": faults})
    return PlannedMoves(match.line[-1].version, tuple(read))


def _find_pointer_faults(document: object, number: int, pointers: Sequence[str]) -> dict[int, Json]:
    """Return the faults of the pointers of a planned move, by its number."""
    wrong = {}
    for place, pointer in enumerate(pointers):
        try:
            follow_pointer(document, pointer)
        except LookupError:
            wrong[place] = ["The view of a spectator has nothing at this JSON pointer."]
    return {number: {"unchanged": wrong}} if wrong else {}


def _nest(fault: Fault) -> object:
    """Return the message of a fault below the members that lead to it."""
    message: object = fault.detail
    for step in reversed(fault.path):
        message = {step: message}
    return message


def _plan_response(planned: PlannedMoves) -> Response:
    moves = [
        {"move": msgspec.json.decode(one.move), "unchanged": one.unchanged} for one in planned.moves
    ]
    dropped = planned.dropped and {
        "at": queries.iso(planned.dropped.at),
        "reason": planned.dropped.reason,
    }
    return json_response({"moves": moves, "dropped": dropped}, headers=NO_STORE)
