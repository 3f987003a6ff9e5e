"""A table of each game as it may look after some moves: for people who have not seen it yet."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from flask import Response

from domain.engine.dice import Luck, choose
from domain.engine.game import Game, advance, awaited, legal_moves, new_state
from service.http.context import annals
from service.http.responses.chart_responses import as_picture
from service.http.responses.representation import unchanged
from service.page.frame import bp
from service.page.visitor import visitors_language

MOVES = 24
LUCK = 3
DAY_S = 86_400


@bp.get("/page/games/<game>.svg")
def sample(game: str) -> Response:
    """The picture of a game."""
    picture, digest = drawn(annals().game(game), visitors_language())
    headers = {"ETag": f'"{digest}"', "Cache-Control": f"public, max-age={DAY_S}"}
    headers["Vary"] = "Accept-Language, Cookie"
    return unchanged(headers) or as_picture(picture, headers)


@cache
def drawn(game: Game[Any], language: str) -> tuple[str, str]:
    """A table of a game with all its seats, and the digest of its picture."""
    luck, seats = Luck(LUCK), game.seats[-1]
    state = new_state(game, game.setup(game.options(), seats), seats, luck)
    for _ in range(MOVES):
        if seat := awaited(state)[:1]:
            advance(game, state, choose(luck, legal_moves(game, state, seat[0])), luck)
    picture = game.svg(game.view(state, None), game.words(language))
    return picture, sha256(picture.encode()).hexdigest()[:16]
