"""The rules of a game to read: each with its number to link to, and examples drawn beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from flask import Response

from domain.engine.game import Game
from domain.engine.resources.examples import Example
from domain.engine.resources.rulebook import NUMBER
from service.drawing.pictures import rule_examples
from service.http.context import annals
from service.http.guides import MARKDOWN
from service.page.frame import bp, render
from service.page.visitor import visitors_language

HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>")


@bp.get("/rules/<game>")
def rules(game: str) -> Response:
    """The rule book of a game."""
    known, language = annals().game(game), visitors_language()
    return render(
        "rules",
        game={"key": known.key, "title": known.called(language)},
        chapters=chapters(known, language),
        sections=sections(known, language),
        drawn={example.key: figure(known, example, language) for example in known.examples},
    )


@cache
def sections(game: Game[Any], language: str) -> Sequence[tuple[str, Sequence[str]]]:
    """The rule book piece by piece: HTML up to the next heading, and the keys of the examples that
    belong there.
    """
    html = _html(game, language)
    starts = [found.start() for found in HEADING.finditer(html)]
    pieces = [html[at:end] for at, end in zip([0, *starts], [*starts, len(html)], strict=True)]
    return [(_linked(piece), list(_examples(game, piece))) for piece in pieces if piece.strip()]


@cache
def chapters(game: Game[Any], language: str) -> Sequence[tuple[str, str]]:
    """The chapters of a rule book: their anchors, and what they are called."""
    html = _html(game, language)
    return [(_anchor(text), text) for level, text in HEADING.findall(html) if level == "2"]


@cache
def _html(game: Game[Any], language: str) -> str:
    html: str = MARKDOWN.render(game.rulebooks[language].text)
    return html


def figure(game: Game[Any], example: Example, language: str) -> dict[str, Any]:
    """What is told of an example: what it shows, its rules, and why its last move is refused."""
    says, refused = rule_examples.told(game, example.key, language)
    return {"says": says, "rules": example.rules, "refused": refused}


def _linked(piece: str) -> str:
    """A piece of a rule book, its heading with an anchor, and links to the rules that it cites."""

    def named(found: re.Match[str]) -> str:
        level, text = found.groups()
        return f'<h{level} id="{escape(_anchor(text))}">{text}</h{level}>'

    heading, rest = HEADING.match(piece), piece
    start = ""
    if heading:
        start, rest = HEADING.sub(named, heading[0]), piece[heading.end() :]
    cited = NUMBER.sub(lambda found: f'<a href="#{found[0]}">{found[0]}</a>', rest)
    return start + cited


def _anchor(heading: str) -> str:
    """The number of a rule, or that of a chapter with `chapter-` before it."""
    number = NUMBER.search(heading)
    return number[0] if number else f"chapter-{heading.partition(' ')[0]}"


def _examples(game: Game[Any], piece: str) -> Iterator[str]:
    """The examples of the rule that a piece tells: of those that they show, the first."""
    heading = HEADING.match(piece)
    number = heading and NUMBER.search(heading[2])
    return (one.key for one in game.examples if number and one.rules[0] == number[0])


def get_ready(game: Game[Any], language: str) -> None:
    """Work out what is the same for all who read the rules of a game."""
    sections(game, language)
    chapters(game, language)
    for example in game.examples:
        rule_examples.told(game, example.key, language)
