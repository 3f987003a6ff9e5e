"""The rule book of a game: each rule with an anchor, and worked examples beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from flask import Response

from domain.engine.game import Game
from domain.engine.resources.examples import Example
from domain.engine.resources.rulebook import RULE_NUMBER, join_lines
from service.drawing.pictures import rule_examples
from service.http.context import annals
from service.http.guides import MARKDOWN
from service.page.frame import bp, render
from service.page.texts import words_in
from service.page.visitor import visitor_language

SCROLLING = '<div class="scroll" role="group" tabindex="0" aria-label="{}">'
HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>")


@bp.get("/rules/<game>")
def rules(game: str) -> Response:
    """The rule book of a game."""
    known, language = annals().game(game), visitor_language()
    return render(
        "rules",
        game={"key": known.key, "title": known.title_in(language)},
        chapters=chapters(known, language),
        sections=sections(known, language),
        examples_by_key={
            example.key: example_texts(known, example, language)
            for example in known.resources.examples
        },
    )


@cache
def sections(game: Game[Any], language: str) -> Sequence[tuple[str, Sequence[str]]]:
    """The rule book in sections: HTML up to the next heading, and the keys of its examples."""
    html = _html(game, language)
    starts = [found.start() for found in HEADING.finditer(html)]
    pieces = [html[at:end] for at, end in zip([0, *starts], [*starts, len(html)], strict=True)]
    return [(_add_links(piece), list(_examples(game, piece))) for piece in pieces if piece.strip()]


@cache
def chapters(game: Game[Any], language: str) -> Sequence[tuple[str, str]]:
    """The chapters of a rule book: their anchors and titles."""
    html = _html(game, language)
    return [(_anchor(text), text) for level, text in HEADING.findall(html) if level == "2"]


@cache
def _html(game: Game[Any], language: str) -> str:
    """The rule book as HTML, with tables that scroll by themselves on a narrow screen."""
    html: str = MARKDOWN.render(join_lines(game.resources.rulebooks[language].text))
    words = words_in(language)
    before = SCROLLING.format(words("rules_table")) + "<table>"
    return html.replace("<table>", before).replace("</table>", "</table></div>")


def example_texts(game: Game[Any], example: Example, language: str) -> dict[str, Any]:
    """The texts of an example: what it shows, its rules, and why its last move is refused."""
    description, refusal = rule_examples.describe_example(game, example.key, language)
    return {"description": description, "rules": example.rules, "refusal": refusal}


def _add_links(piece: str) -> str:
    """A section with an anchor at its heading, and links to the rules that it cites."""

    def with_anchor(found: re.Match[str]) -> str:
        level, text = found.groups()
        return f'<h{level} id="{escape(_anchor(text))}">{text}</h{level}>'

    heading, rest = HEADING.match(piece), piece
    start = ""
    if heading:
        start, rest = HEADING.sub(with_anchor, heading[0]), piece[heading.end() :]
    cited = RULE_NUMBER.sub(lambda found: f'<a href="#{found[0]}">{found[0]}</a>', rest)
    return start + cited


def _anchor(heading: str) -> str:
    """The number of a rule, or that of a chapter after `chapter-`."""
    number = RULE_NUMBER.search(heading)
    return number[0] if number else f"chapter-{heading.partition(' ')[0]}"


def _examples(game: Game[Any], piece: str) -> Iterator[str]:
    """The examples whose first rule is that of this section."""
    heading = HEADING.match(piece)
    number = heading and RULE_NUMBER.search(heading[2])
    return (one.key for one in game.resources.examples if number and one.rules[0] == number[0])


def warm_up(game: Game[Any], language: str) -> None:
    """Fill the caches that all readers of a rule book share."""
    sections(game, language)
    chapters(game, language)
    for example in game.resources.examples:
        rule_examples.describe_example(game, example.key, language)
