"""The table as a picture: the Wall, the Locations, the cards, and the players below."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, Picture, plain_panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.sentences import Words
from domain.games.great_wall.render import aims, hand, panel, pieces, places, sentences, wall
from domain.games.great_wall.render.pieces import LINE
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import View

WIDTH = 1160
HEAD = 62


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    table = Table(view, words)
    panels = (
        _map(table),
        plain_panel(words, "head", (WIDTH, _head_height(table, WIDTH)), _head(table, WIDTH)),
        *hand.panels(table, WIDTH),
        *panel.panels(table),
        *aims.panels(table, WIDTH),
    )
    return Picture(sentences.title(table), sentences.summary(table), panels)


def _map(table: Table) -> Panel:
    """The Sections of the Wall, and the Locations below them."""
    below = wall.height(table.view)
    parts = (
        group(*wall.parts(table, WIDTH)),
        group(*places.parts(table, WIDTH), at=(0, below)),
    )
    return plain_panel(table.words, "map", (WIDTH, below + places.height(table, WIDTH)), parts)


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
