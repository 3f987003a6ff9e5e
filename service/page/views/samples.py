"""The board of each game, after some moves, for visitors who do not know it yet."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from flask import Response

from domain.engine.game import Game
from service.drawing.pictures.cover import draw_look, sample_view
from service.http.context import annals
from service.http.responses.chart_responses import svg_response
from service.http.responses.representation import not_modified
from service.page.frame import bp
from service.page.visitor import visitor_language

DAY_S = 86_400


@bp.get("/page/games/<game>.svg")
def sample(game: str) -> Response:
    """The board of a game."""
    picture, digest = draw_sample(annals().game(game), visitor_language())
    headers = {"ETag": f'"{digest}"', "Cache-Control": f"public, max-age={DAY_S}"}
    headers["Vary"] = "Accept-Language, Cookie"
    return not_modified(headers) or svg_response(picture, headers)


@cache
def draw_sample(game: Game[Any], language: str) -> tuple[str, str]:
    """The board of a game with all its seats, and its digest."""
    picture = draw_look(game.draw(sample_view(game), game.words(language)))
    return picture, sha256(picture.encode()).hexdigest()[:16]
