"""Moves: the legal ones, a preview, making one; and resigning."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.decisions import playing
from service.http.addresses import MATCH
from service.http.context import annals, caller
from service.http.json_responses import answer
from service.http.language import in_its_language, language, language_of_words
from service.http.requests import body, query
from service.http.responses.command_responses import record
from service.http.schemas.common import MenuQuery, NewMove, Nothing, Trial, WordsQuery
from service.matches import player_moves, queries
from service.matches.sentences import teller_for

bp = Blueprint("moves", __name__, url_prefix=MATCH)
MOVES = "/moves"
NEW_MOVE, TRIAL, NOTHING = NewMove(), Trial(), Nothing()
MENU, WORDS = MenuQuery(), WordsQuery()


@bp.get("/legal-moves")
def legal_moves(match_id: str) -> Response:
    """Every move that a seat of the caller can make now."""
    player, wanted = caller("read"), query(MENU)
    match = queries.match_for(annals(), match_id, player.id)
    seat = player_moves.own_seat(match, player.id, wanted.get("seat"))
    moves = queries.moves_of(match, seat)
    menu = {"version": match.version, "seat": seat, "moves": moves}
    if not wanted["touch"]:
        return answer(menu)
    ways = queries.ways_to(annals(), match, seat, moves, language())
    return in_its_language(answer({**menu, **ways}))


@bp.post(MOVES)
def move(match_id: str) -> Response:
    """Make a move."""
    player, data = caller("play"), body(NEW_MOVE)
    decision = player_moves.made_by(player.id, data["move"], data.get("seat"))
    return record(match_id, player, decision, 201)


@bp.post("/preview")
def preview(match_id: str) -> Response:
    """What a move would do, as far as everybody knows beforehand; records nothing."""
    player, told_in, data = caller("read"), language_of_words(query(WORDS)), body(TRIAL)
    match = queries.match_for(annals(), match_id, player.id)
    choice = player_moves.meant(match, player.id, data)
    events = queries.seen_events(match, playing.preview(match, choice), choice.seat)
    foreseen = {"version": match.version, "move": choice, "events": events}
    if told_in is None:
        return answer(foreseen)
    says = teller_for(annals(), match, choice.seat, told_in).events(events)
    return in_its_language(answer({**foreseen, "says": says}))


@bp.post("/resign")
def resign(match_id: str) -> Response:
    """Give up all of one's seats."""
    player = caller("play")
    body(NOTHING, optional=True)
    return record(match_id, player, lambda match, now: playing.resign(match, player.id, now))
