"""The table as panels: the Wall with the Locations, what the viewer has, and what lies beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.drawing.layout import Panel, Picture, plain_panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Markup, group, text
from domain.engine.sentences import Words
from domain.games.great_wall.night import PALETTES
from domain.games.great_wall.render import (
    legend,
    letters,
    lists,
    panel,
    pieces,
    places,
    sentences,
    signs,
    tracks,
    wall,
)
from domain.games.great_wall.render.letters import LINE
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.view import View

WIDTH, COLUMN = 700, 340
"""The width of the map, and of all that stands beside it."""
HEAD = 66
EDGE = 4
"""Below the Locations, for their frames and the lights around these."""


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    table = Table(view, words)
    own, more = _own(table)
    panels = (
        _map(table),
        plain_panel(words, "head", (WIDTH, _head_height(table, WIDTH)), _head(table, WIDTH)),
        *own,
        *lists.command(table, COLUMN),
        *panel.others(table, COLUMN),
        *tracks.panels(table, COLUMN),
        *more,
        *lists.panels(table, COLUMN),
        _supply(table),
        *lists.leaders(table, COLUMN),
        legend.panel(words, COLUMN),
    )
    styled = tuple(map(letters.inherit_style, panels))
    return Picture(
        sentences.title(table), sentences.summary(table), styled, (wall.patterns(),), PALETTES
    )


def _map(table: Table) -> Panel:
    """The Sections of the Wall, and the Locations below them."""
    below = wall.height(table, WIDTH) + places.GAP
    high = below + places.HEIGHT + EDGE
    parts = (
        *wall.ground(WIDTH, wall.foot(table.view), high),
        group(*wall.parts(table, WIDTH)),
        group(*places.parts(table, WIDTH), at=(0, below)),
    )
    return plain_panel(table.words, "map", (WIDTH, high), parts)


def _own(table: Table) -> tuple[list[Panel], list[Panel]]:
    """What the viewer has, and the rest of it, for which there is no room at hand."""
    if table.view.seat is None:
        return [], []
    held = list(lists.hand(table, COLUMN))
    supply = panel.own(table, COLUMN, sum(one.height for one in held))
    return [supply.panel, *held], list(lists.own(table, supply.more, COLUMN))


def _supply(table: Table) -> Panel:
    """The supplies beside the board: the Warehouse, the Shame, the Horde deck."""
    view, words = table
    warehouse, *others = sentences.stocks(table)
    row = signs.stock(words, {one: view.warehouse.get(one, 0) for one in ("wood", "stone", "gold")})
    lines = [line for one in others for line in letters.wrap_text(one, COLUMN)]
    parts = (
        text(0, 17, words("warehouse_name"), 14, fill=INK, font_weight=700),
        group(*signs.place(row, COLUMN - signs.length(row), 12)),
        *letters.draw_lines(0, 40, lines),
    )
    return Panel("supply", "table", warehouse, COLUMN, 30 + LINE * len(lines), parts)


def _head_height(table: Table, across: float) -> float:
    return HEAD + LINE * len(_status(table, across))


def _status(table: Table, across: float) -> Sequence[str]:
    return letters.wrap_text(sentences.status(table), across, 16)


def _head(table: Table, across: float) -> Iterator[Markup]:
    """The title, the Year, the Tea order, and who must decide what."""
    view, words = table
    yield text(0, 20, sentences.title(table), 24, fill=INK, font_weight=700)
    yield text(0, 46, sentences.moment(table), 15, fill=FAINT)
    left = across - 24 * len(view.tea)
    yield letters.small(left - 8, 20, words("tea_order"), fill=FAINT, text_anchor="end")
    for place, clan in enumerate(view.tea):
        yield group(pieces.token(table, clan), at=(left + 24 * place + 12, 16))
    for number, line in enumerate(_status(table, across)):
        yield text(0, 70 + LINE * number, line, 15, fill=INK, font_weight=700)
