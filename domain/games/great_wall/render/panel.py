"""A card for each seat, and for the Reed Clan, with what they own."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.panel import INK, seat_card
from domain.engine.drawing.svg import Markup, group, text
from domain.games.great_wall.render import pieces, sentences
from domain.games.great_wall.render.pieces import LINE
from domain.games.great_wall.render.sentences import Table

COLUMNS = 2
GAP = 16
HEAD = 40
FOOT = 10


def height(table: Table, across: float) -> float:
    """The height of all cards."""
    return sum(_row_heights(table, across))


def parts(table: Table, across: float) -> Iterator[Markup]:
    """The cards in two columns."""
    width, y = _width(across), 0.0
    for clans, high in zip(_rows(table), _row_heights(table, across), strict=True):
        for column, clan in enumerate(clans):
            at = (column * (width + GAP), y)
            yield group(*_card(table, clan, width, high - FOOT), at=at)
        y += high


def _rows(table: Table) -> list[list[int]]:
    """The clans row by row, the Reed Clan last."""
    view = table.view
    clans = sorted(range(len(view.clans)), key=lambda clan: clan == view.reed)
    return [clans[start : start + COLUMNS] for start in range(0, len(clans), COLUMNS)]


def _width(across: float) -> float:
    return (across - GAP * (COLUMNS - 1)) / COLUMNS


def _row_heights(table: Table, across: float) -> list[float]:
    """The height of each row of cards, which is that of its highest card."""
    width = _width(across)
    longest = (max(len(_lines(table, clan, width)) for clan in row) for row in _rows(table))
    return [HEAD + LINE * lines + 2 * FOOT for lines in longest]


def _card(table: Table, clan: int, width: float, high: float) -> Iterator[Markup]:
    """The name of a clan, its honor, and what it owns."""
    view = table.view
    yield seat_card(view, clan, width, high)
    yield group(pieces.token(view, clan), at=(22, 22), scale=1.2)
    yield text(42, 27, sentences.heading(table, clan), 15, fill=INK, font_weight=700)
    if clan != view.reed:
        scores = sentences.honor(table, clan, "honor_line")
        yield text(width - 12, 27, scores, 14, fill=INK, font_weight=700, text_anchor="end")
    yield from pieces.lines(14, HEAD + LINE - 4, _lines(table, clan, width), fill=INK)


def _lines(table: Table, clan: int, width: float) -> list[str]:
    """What a clan owns, in lines that fit its card."""
    facts = sentences.facts(table, clan)
    return [line for fact in facts for line in pieces.wrap_text(fact, width - 28)]
