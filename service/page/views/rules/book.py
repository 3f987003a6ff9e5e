"""The rule book of a game: how a turn goes, then each rule with its anchor and its examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from flask import Response, request

from domain.engine.game import Game
from domain.engine.resources.examples import Example
from domain.engine.resources.rulebook import RULE_NUMBER
from service.drawing.pictures import rule_examples
from service.http.context import annals
from service.page.frame import bp, render
from service.page.views.lobby import lessons_of
from service.page.views.rules.html import to_html
from service.page.views.rules.search import find_rules
from service.page.visitor import visitor_language

HEADING = re.compile(r"<h([1-3])>(.*?)</h\1>")
DRAWN = re.compile(r'<p><img src="(\w+)" alt="" ?/?></p>')
"""Where a text names an example, as HTML."""
MAX_QUERY = 64
"""Maximum number of letters of a search."""
Section = tuple[str, Sequence[str]]
"""HTML, and the keys of the examples below it."""


@bp.get("/rules/<game>")
def rules(game: str) -> Response:
    """The rule book of a game, perhaps with the rules that a search has found."""
    known, language = annals().game(game), visitor_language()
    query = request.args.get("query", "")[:MAX_QUERY].strip()
    return render(
        "rules",
        modules=("frame.js", "lessons/learn.js"),
        lessons=lessons_of(known, language),
        game={
            "key": known.key,
            "title": known.title_in(language),
            "goal": known.goal_in(language),
        },
        query=query,
        found=find_rules(known, language, query),
        turn=turn_sections(known, language),
        chapters=chapters(known, language),
        sections=sections(known, language),
        examples_by_key={
            example.key: example_texts(known, example, language)
            for example in known.resources.examples
        },
    )


@cache
def turn_sections(game: Game[Any], language: str) -> Sequence[Section]:
    """How a turn goes, in sections that end where it names an example."""
    pieces = DRAWN.split(to_html(game.resources.turns[language], language))
    texts, keys = pieces[::2], [[key] for key in pieces[1::2]]
    return [(_link_rules(text), own) for text, own in zip(texts, [*keys, []], strict=True)]


@cache
def sections(game: Game[Any], language: str) -> Sequence[Section]:
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
    return to_html(game.resources.rulebooks[language].text, language)


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
    return start + _link_rules(rest)


def _link_rules(html: str) -> str:
    """HTML with links to the rules on the same page that it cites."""
    return RULE_NUMBER.sub(lambda found: f'<a href="#{found[0]}">{found[0]}</a>', html)


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
    turn_sections(game, language)
    chapters(game, language)
    for example in game.resources.examples:
        rule_examples.describe_example(game, example.key, language)
