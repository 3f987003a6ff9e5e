"""The board at any version as a picture or text, and the position after the end."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from domain.match import visibility
from domain.match.errors import Forbidden, Impossible
from service import pictures, queries
from service.http.context import annals, viewer_id
from service.http.representation import Representation, look, unchanged
from service.http.requests import query
from service.http.responses import answer
from service.http.schemas import StateQuery, VersionQuery

bp = Blueprint("boards", __name__, url_prefix="/v1/matches/<match_id:match_id>")
STATE, VERSION = StateQuery(), VersionQuery()


@bp.get("/board.svg")
def svg(match_id: str) -> Response:
    """The board as SVG."""
    shown, view = _seen(match_id)
    picture = unchanged(shown) or Response(
        shown.match.game.svg(view), headers=shown.headers, mimetype="image/svg+xml"
    )
    picture.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return picture


@bp.get("/board.png")
def png(match_id: str) -> Response:
    """The board as PNG."""
    shown, view = _seen(match_id)
    return unchanged(shown) or Response(
        pictures.png(shown.match.game.svg(view)), headers=shown.headers, mimetype="image/png"
    )


@bp.get("/board.txt")
def text(match_id: str) -> Response:
    """The board as text."""
    shown, view = _seen(match_id)
    return unchanged(shown) or Response(
        shown.match.game.text(view), headers=shown.headers, mimetype="text/plain"
    )


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


def _seen(match_id: str) -> tuple[Representation, Any]:
    """The match as the query asks for it, and the view of it; Impossible before the start."""
    shown = look(match_id, query(STATE))
    view = visibility.view(shown.match, shown.seat)
    if view is None:
        raise Impossible("match_not_started", "There is no board before the match begins.")
    return shown, view
