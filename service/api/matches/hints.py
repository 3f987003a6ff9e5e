"""Hints for a player against bots."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from flask import Blueprint, Response

from domain.analysis.hints import MAX_HINTS, Hint, HintSearch, allows_hints, current_stage
from domain.engine.dice import Luck
from domain.engine.play import Seat
from domain.match.errors import Impossible
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, authenticate, caller, context
from service.http.json_responses import json_response
from service.http.language import language, with_content_language
from service.http.requests import parse_query
from service.http.responses.hint_responses import show_hint
from service.http.schemas.hints import HintsQuery
from service.matches import player_moves, queries
from service.matches.sentences import narrator_for
from service.runtime.event_loop import in_steps

bp = Blueprint("hints", __name__, url_prefix=MATCH)
HINTS = HintsQuery()


@bp.get("/hints")
def hints(match_id: str) -> Response:
    """Return the best moves of a seat of the caller, each with reasons in words."""
    player, parameters = authenticate("read"), parse_query(HINTS)
    match = queries.match_for(annals(), match_id, player.id)
    seat = player_moves.own_seat(match, player.id, parameters.get("seat"))
    if not allows_hints(match):
        raise Impossible("no_hints", "Only unrated matches of one player against bots have hints.")
    narrator = narrator_for(annals(), match, seat, language())
    found = [show_hint(one, narrator) for one in in_steps(_find_hints(match, seat))]
    content = {"version": match.version, "seat": seat, "hints": found}
    return with_content_language(json_response(content))


def _find_hints(match: Match, seat: Seat) -> Sequence[Hint]:
    """Return the best moves, the best first; none if the seat has nothing to decide."""
    moves = queries.moves_of(match, seat)
    if not moves:
        return []
    context().hint_limit.count(caller().address)
    dice = Luck(f"{match.id} {match.version} {seat} hint")
    search = HintSearch(match.game, match.state, seat, current_stage(match), dice, in_steps)
    average = fmean(search.chances_after(moves))
    compared = search.compare(list(search.glance(moves)), average)
    return sorted(compared, key=lambda one: -one.after)[:MAX_HINTS]
