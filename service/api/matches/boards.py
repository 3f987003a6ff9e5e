"""The board at any version as a picture or text, after a move that is only tried, and the position
after the end.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal

from flask import Blueprint, Response

from domain.match import visibility
from domain.match.decisions import lessons, playing
from domain.match.errors import Forbidden, Impossible
from service.drawing.pictures.inputs import board_drawing, draw_picture
from service.http.addresses import MATCH
from service.http.context import annals, authenticate, viewer_id
from service.http.json_responses import ENCODER, Json, json_response
from service.http.language import language
from service.http.requests import parse_body, parse_query
from service.http.responses.chart_responses import POLICY
from service.http.responses.picture_responses import draw_or_find, picture_response
from service.http.responses.representation import (
    Representation,
    board_headers,
    not_modified,
    represent,
    sentence_headers,
)
from service.http.schemas.commands import PreviewRequest
from service.http.schemas.common import EmptyObject, VersionQuery
from service.http.schemas.pictures import (
    PictureQuery,
    PreviewPictureQuery,
    TextQuery,
    read_look,
)
from service.matches import player_moves, queries

bp = Blueprint("boards", __name__, url_prefix=MATCH)
TEXT, PICTURE, VERSION = TextQuery(), PictureQuery(), VersionQuery()
PREVIEW, PREVIEW_PICTURE = PreviewRequest(), PreviewPictureQuery()
NOTHING = EmptyObject()


@bp.get("/board.svg")
def svg(match_id: str) -> Response:
    """Return the board as SVG."""
    picture = _picture_response(match_id, "svg", "image/svg+xml")
    picture.headers["Content-Security-Policy"] = POLICY
    return picture


@bp.get("/board.png")
def png(match_id: str) -> Response:
    """Return the board as PNG."""
    return _picture_response(match_id, "png", "image/png")


@bp.post("/preview.svg")
def preview(match_id: str) -> Response:
    """Return the board after the certain events of a move; records nothing."""
    player, parameters = authenticate("read"), parse_query(PREVIEW_PICTURE)
    match = queries.match_for(annals(), match_id, player.id)
    choice = player_moves.preview_move(match, player.id, parse_body(PREVIEW))
    view = playing.preview_view(match, choice)
    lessons.check_move(match, choice)
    names = queries.seat_names(annals(), match, language()) if parameters["names"] else ()
    drawing = board_drawing(match.game, view, "svg", language(), names, **read_look(parameters))
    headers = {"Content-Security-Policy": POLICY, **sentence_headers(language())}
    return Response(draw_or_find(drawing), headers=headers, mimetype="image/svg+xml")


@bp.get("/board.txt")
def text(match_id: str) -> Response:
    """Return the board as text, rendered here: that takes less time than a request to a painter."""
    parameters = parse_query(TEXT)
    shown, view = _find_view(match_id, parameters)
    game = shown.match.game
    own, names = _sees_own_seat(shown, parameters), _names(shown, parameters)
    drawing = board_drawing(game, view, "txt", language(), names, reader_is_viewer=own)
    headers = shown.picture_headers(drawing.digest, parameters["names"])
    return not_modified(headers) or Response(
        draw_picture(drawing), headers=headers, mimetype="text/plain"
    )


@bp.get("/board")
def board(match_id: str) -> Response:
    """Return the static part of the view, which a client reads once."""
    parse_query(NOTHING)
    match = queries.match_for(annals(), match_id, viewer_id())
    content = ENCODER.encode(queries.board_view(match))
    headers = board_headers(match, sha256(content).hexdigest()[:16])
    return not_modified(headers) or Response(content, headers=headers, mimetype="application/json")


@bp.get("/position")
def position(match_id: str) -> Response:
    """Return the whole position at a version, once the game is over: it reveals all hands."""
    parameters = parse_query(VERSION)
    now = queries.match_for(annals(), match_id, viewer_id())
    if not now.over:
        raise Forbidden("position_hidden", "You can read the position once the match is over.")
    match = queries.at_version(annals(), now, parameters.get("version"))
    if match.state is None:
        raise Impossible("match_not_started", "The match had not started at this version.")
    content = {
        "version": match.version,
        "game": match.game.key,
        "seats": len(match.chairs),
        "options": match.options,
        "position": match.game.write_position(match.state),
    }
    return json_response(
        content, headers=Representation(match, None, "version" in parameters).headers
    )


def _picture_response(match_id: str, form: Literal["svg", "png"], mimetype: str) -> Response:
    """Return a picture, drawn only if needed: not for HEAD, nor for a caller whose ETag matches."""
    parameters = parse_query(PICTURE)
    shown, view = _find_view(match_id, parameters)
    game, names = shown.match.game, _names(shown, parameters)
    drawing = board_drawing(
        game,
        view,
        form,
        language(),
        names,
        reader_is_viewer=_sees_own_seat(shown, parameters),
        **read_look(parameters),
    )
    headers = shown.picture_headers(drawing.digest, parameters["names"])
    return picture_response(drawing, headers, mimetype)


def _sees_own_seat(shown: Representation, parameters: Json) -> bool:
    """Whether the caller holds the seat that sees the board; without names, all callers get the
    same.
    """
    return not (parameters["names"] and shown.is_lent)


def _names(shown: Representation, parameters: Json) -> tuple[str | None, ...]:
    return queries.seat_names(annals(), shown.match, language()) if parameters["names"] else ()


def _find_view(match_id: str, parameters: Json) -> tuple[Representation, Any]:
    """Return the match as the query asks for it, and the view of it; before the start, the view of
    an empty table.
    """
    shown = represent(match_id, parameters)
    match = shown.match
    view = visibility.view(match, shown.seat)
    return shown, match.game.view(match.blank_state(), None) if view is None else view
