"""Whether forced moves of the caller play themselves."""

from __future__ import annotations

from flask import Blueprint, Response

from projections.lists.matches import find_unfinished
from service.accounts import forced_moves
from service.http.context import annals, authenticate, caller
from service.http.json_responses import NO_STORE, json_response
from service.http.requests import parse_body, parse_query
from service.http.schemas.common import EmptyObject
from service.http.schemas.plans import NewForcedMoves
from service.store.planning.plans import Plans

bp = Blueprint("forced_moves", __name__, url_prefix="/v1/me/forced-moves")
NOTHING, FORCED_MOVES = EmptyObject(), NewForcedMoves()


@bp.get("")
def own_setting() -> Response:
    """Return whether forced moves of the caller play themselves in their matches."""
    player = authenticate("read")
    parse_query(NOTHING)
    automatic = forced_moves.has_automatic_moves(annals().store.redis, player.id)
    return json_response({"automatic": automatic}, headers=NO_STORE)


@bp.put("")
def change_setting() -> Response:
    """Let forced moves play themselves in all matches of the caller, or not. Idempotent."""
    player, automatic = authenticate("account"), parse_body(FORCED_MOVES)["automatic"]
    parse_query(NOTHING)
    store, now = annals().store, annals().now()
    forced_moves.count_plan_change(store.redis, player.id, caller().address, now)
    forced_moves.set_forced_moves(store.redis, player.id, automatic=automatic)
    if automatic:  # the setting comes first: a match that starts meanwhile has it
        matches = find_unfinished(store.redis, store.partitions, player.id)
        Plans(store).add_to_all(matches, player.id, now)
    return json_response({"automatic": automatic}, headers=NO_STORE)
