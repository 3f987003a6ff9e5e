"""Legal moves, previews, moves and resignations."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.decisions import lessons, playing
from service.http.addresses import MATCH
from service.http.context import annals, authenticate
from service.http.json_responses import json_response
from service.http.language import language, sentence_language, with_content_language
from service.http.requests import parse_body, parse_query
from service.http.responses.command_responses import run_command
from service.http.schemas.commands import NewMove, PreviewRequest
from service.http.schemas.common import EmptyObject, LegalMovesQuery, SentencesQuery
from service.matches import player_moves, queries
from service.matches.sentences import narrator_for

bp = Blueprint("moves", __name__, url_prefix=MATCH)
MOVES_PATH = "/moves"
NEW_MOVE, PREVIEW, NOTHING = NewMove(), PreviewRequest(), EmptyObject()
LEGAL_MOVES, SENTENCES = LegalMovesQuery(), SentencesQuery()


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


@bp.post("/resign")
def resign(match_id: str) -> Response:
    """Resign all seats of the caller."""
    player = authenticate("play")
    parse_body(NOTHING, optional=True)
    return run_command(match_id, player, lambda match, now: playing.resign(match, player.id, now))
