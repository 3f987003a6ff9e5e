"""The player aid of a game: a turn and the scoring, as a page to print and at a match."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Response

from domain.engine.game import Game
from domain.engine.resources.rulebook import RULE_NUMBER
from service.http.context import annals
from service.http.responses.html_pages import relative_root
from service.page.frame import bp, render
from service.page.views.rules.html import to_html
from service.page.visitor import visitor_language


@bp.get("/rules/<game>/aid")
def aid(game: str) -> Response:
    """The player aid of a game."""
    known, language = annals().game(game), visitor_language()
    return render(
        "aid",
        game={"key": known.key, "title": known.title_in(language)},
        aid=link_aid(known, language),
    )


def link_aid(game: Game[Any], language: str) -> str:
    """The player aid as HTML, with links from the requested page to its rules."""
    book = f"{relative_root()}rules/{game.key}"
    return RULE_NUMBER.sub(
        lambda found: f'<a class="rule" href="{book}#{found[0]}">{found[0]}</a>',
        aid_html(game, language),
    )


@cache
def aid_html(game: Game[Any], language: str) -> str:
    """The player aid as HTML, without links."""
    return to_html(game.resources.aids[language], language)
