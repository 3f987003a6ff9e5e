"""The board at any version as a picture or text, and the position after the end."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal

from flask import Blueprint, Response, request

from domain.match import visibility
from domain.match.errors import Forbidden, Impossible
from service.drawing.pictures.inputs import Drawing, drawn, table_of
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id, whose_share
from service.http.json_responses import ENCODER, Json, answer
from service.http.language import language
from service.http.requests import query
from service.http.responses.chart_responses import POLICY
from service.http.responses.representation import Representation, headers_of_board, look, unchanged
from service.http.schemas.common import Nothing, PictureQuery, TextQuery, VersionQuery
from service.matches import queries
from service.runtime.event_loop import aside

bp = Blueprint("boards", __name__, url_prefix=MATCH)
TEXT, PICTURE, VERSION = TextQuery(), PictureQuery(), VersionQuery()
NOTHING = Nothing()


@bp.get("/board.svg")
def svg(match_id: str) -> Response:
    """The board as SVG."""
    picture = _picture(match_id, "svg", "image/svg+xml")
    picture.headers["Content-Security-Policy"] = POLICY
    return picture


@bp.get("/board.png")
def png(match_id: str) -> Response:
    """The board as PNG."""
    return _picture(match_id, "png", "image/png")


@bp.get("/board.txt")
def text(match_id: str) -> Response:
    """The board as text, which takes less time to write than to ask somebody else for."""
    asked = query(TEXT)
    shown, view = _seen(match_id, asked)
    game = shown.match.game
    drawing = table_of(game, view, "txt", language(), _names(shown, asked))
    headers = shown.headers_of_picture(drawing.digest, asked["names"])
    return unchanged(headers) or Response(drawn(drawing), headers=headers, mimetype="text/plain")


@bp.get("/board")
def board(match_id: str) -> Response:
    """What lasts all through the match: to be asked for once."""
    query(NOTHING)
    match = queries.match_for(annals(), match_id, viewer_id())
    content = ENCODER.encode(queries.board_view(match))
    headers = headers_of_board(match, sha256(content).hexdigest()[:16])
    return unchanged(headers) or Response(content, headers=headers, mimetype="application/json")


@bp.get("/position")
def position(match_id: str) -> Response:
    """The whole position at a version, once the game is over: it shows all hands."""
    asked = query(VERSION)
    now = queries.match_for(annals(), match_id, viewer_id())
    if not now.over:
        raise Forbidden("position_hidden", "The position is shown after the end.")
    match = queries.at_version(annals(), now, asked.get("version"))
    if match.state is None:
        raise Impossible("match_not_started", "The match had not begun at this version.")
    content = {
        "version": match.version,
        "game": match.game.key,
        "seats": len(match.chairs),
        "options": match.options,
        "position": match.game.write_position(match.state),
    }
    return answer(content, headers=Representation(match, None, "version" in asked).headers)


def _picture(match_id: str, form: Literal["svg", "png"], mimetype: str) -> Response:
    """A picture, drawn only if it must be: not for HEAD, nor for a caller who has it already."""
    asked = query(PICTURE)
    shown, view = _seen(match_id, asked)
    game, names = shown.match.game, _names(shown, asked)
    drawing = table_of(game, view, form, language(), names, asked.get("width"))
    headers = shown.headers_of_picture(drawing.digest, asked["names"])
    if same := unchanged(headers):
        return same
    if request.method == "HEAD":
        return Response(iter(()), headers=headers, mimetype=mimetype)  # of a length nobody knows
    return Response(_drawn(drawing), headers=headers, mimetype=mimetype)


def _names(shown: Representation, asked: Json) -> tuple[str | None, ...]:
    return queries.seat_names(annals(), shown.match, language()) if asked["names"] else ()


def _drawn(drawing: Drawing) -> bytes:
    """The picture; TooManyRequests or PaintersBusy if it would have to be drawn, and cannot be."""
    here, address = context(), whose_share().address
    picture = here.gallery.kept(drawing)
    if picture is not None:
        return picture
    here.picture_limit.count(address)
    return aside(here.gallery.draw, drawing, address)


def _seen(match_id: str, asked: Json) -> tuple[Representation, Any]:
    """The match as the query asks for it, and the view of it; before the start, of a table at
    which nothing has been dealt.
    """
    shown = look(match_id, asked)
    match = shown.match
    view = visibility.view(match, shown.seat)
    return shown, match.game.view(match.blank(), None) if view is None else view
