"""The table as a picture: the Wall, the Locations, the cards, and the players below."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import FAINT, INK, PAPER
from domain.engine.drawing.svg import Markup, document, group, rect, text
from domain.engine.sentences import Words
from domain.games.great_wall.render import aims, hand, panel, pieces, places, sentences, wall
from domain.games.great_wall.render.pieces import LINE
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import View

WIDTH = 1200
MARGIN = 20
HEAD = 62


def svg(view: View, words: Words) -> str:
    """The whole table as this seat sees it. Small words are legible at half the width."""
    table, across = Table(view, words), WIDTH - 2 * MARGIN
    heights = (
        _head_height(table, across),
        wall.height(view),
        places.height(table, across),
        aims.height(table, across),
        hand.height(table, across),
        panel.height(table, across),
    )
    shapes = (_head, wall.parts, places.parts, aims.parts, hand.parts, panel.parts)
    tops = [MARGIN + sum(heights[:number]) for number in range(len(heights))]
    height = MARGIN + sum(heights)
    return document(
        WIDTH,
        int(height),
        sentences.title(table),
        sentences.summary(table),
        rect(0, 0, WIDTH, height, fill=PAPER),
        *(
            group(*draw(table, across), at=(MARGIN, top))
            for draw, high, top in zip(shapes, heights, tops, strict=True)
            if high
        ),
    )


def _head_height(table: Table, across: float) -> float:
    return HEAD - LINE + LINE * len(_status(table, across))


def _status(table: Table, across: float) -> list[str]:
    return pieces.wrap_text(sentences.status(table), across - 260, 15)


def _head(table: Table, across: float) -> Iterator[Markup]:
    """The title, the Year, who must decide what, and the Tea order."""
    view, words = table
    yield text(0, 20, sentences.title(table), 24, fill=INK, font_weight=700)
    yield text(across, 20, sentences.moment(table), 15, fill=FAINT, text_anchor="end")
    left = across - 24 * len(view.tea)
    yield text(left - 8, 44, words("tea_order"), 13, fill=FAINT, text_anchor="end")
    for place, clan in enumerate(view.tea):
        yield group(pieces.token(view, clan), at=(left + 24 * place + 12, 40))
    for number, line in enumerate(_status(table, across)):
        yield text(0, 46 + LINE * number, line, 15, fill=INK, font_weight=700)
