"""A sample picture of each game, after some moves, for visitors who do not know it yet."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from flask import Response

from domain.engine.dice import Luck, choose
from domain.engine.game import Game, advance, legal_moves, new_state, seats_to_move
from service.http.context import annals
from service.http.responses.chart_responses import svg_response
from service.http.responses.representation import not_modified
from service.page.frame import bp
from service.page.visitor import visitor_language

MOVE_COUNT = 24
LUCK_SEED = 3
DAY_S = 86_400


@bp.get("/page/games/<game>.svg")
def sample(game: str) -> Response:
    """The picture of a game."""
    picture, digest = draw_sample(annals().game(game), visitor_language())
    headers = {"ETag": f'"{digest}"', "Cache-Control": f"public, max-age={DAY_S}"}
    headers["Vary"] = "Accept-Language, Cookie"
    return not_modified(headers) or svg_response(picture, headers)


@cache
def draw_sample(game: Game[Any], language: str) -> tuple[str, str]:
    """A picture of a game with all its seats, and its digest."""
    luck, seats = Luck(LUCK_SEED), game.seats[-1]
    state = new_state(game, game.setup(game.options(), seats), seats, luck)
    for _ in range(MOVE_COUNT):
        if seat := seats_to_move(state)[:1]:
            advance(game, state, choose(luck, legal_moves(game, state, seat[0])), luck)
    picture = game.render_svg(game.view(state, None), game.words(language))
    return picture, sha256(picture.encode()).hexdigest()[:16]
