"""Pictures of a game for visitors who do not know it yet: its board, and examples of its rules."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from flask import Response

from domain.engine.game import Game
from service.drawing.pictures import rule_examples
from service.drawing.pictures.adapting import adapt
from service.drawing.pictures.cover import draw_look, sample_view
from service.drawing.pictures.text_lengths import hold_lengths
from service.http.context import annals
from service.http.requests import parse_query
from service.http.responses.chart_responses import svg_response
from service.http.responses.representation import not_modified
from service.http.schemas.common import ExampleQuery, ThemeQuery
from service.page.frame import bp
from service.page.visitor import visitor_language

DAY_S = 86_400
EXAMPLE, THEME = ExampleQuery(), ThemeQuery()
SHARP = "contrast"
"""The theme that a browser cannot pass on from a page to its images."""


@bp.get("/page/games/<game>.svg")
def sample(game: str) -> Response:
    """The board of a game."""
    is_sharp = parse_query(THEME)["theme"] == SHARP
    return _picture_response(*draw_sample(annals().game(game), visitor_language(), is_sharp))


@bp.get("/page/games/<game>/<example>.svg")
def picture_of_example(game: str, example: str) -> Response:
    """A worked example of a rule, as in the interface, in the colours that the page has."""
    asked = parse_query(EXAMPLE)
    language = asked.get("language", visitor_language())
    picture, palettes = rule_examples.draw_example(
        annals().game(game), example, asked["after"], language
    )
    adapted = adapt(picture, palettes, is_sharp=asked["theme"] == SHARP)
    return _picture_response(adapted, _digest(adapted))


def _picture_response(picture: str, digest: str) -> Response:
    headers = {"ETag": f'"{digest}"', "Cache-Control": f"public, max-age={DAY_S}"}
    headers["Vary"] = "Accept-Language, Cookie"
    return not_modified(headers) or svg_response(picture, headers)


def _digest(picture: str) -> str:
    return sha256(picture.encode()).hexdigest()[:16]


@cache
def draw_sample(game: Game[Any], language: str, is_sharp: bool) -> tuple[str, str]:
    """The board of a game with all its seats, and its digest."""
    drawn = game.draw(sample_view(game), game.words(language))
    picture = adapt(hold_lengths(draw_look(drawn)), drawn.palettes, is_sharp=is_sharp)
    return picture, _digest(picture)
