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
    lines = _lines(table, across)
    return sum(_row_height(lines, row) for row in _rows(table))


def parts(table: Table, across: float) -> Iterator[Markup]:
    """The cards in two columns."""
    lines, width, y = _lines(table, across), _width(across), 0.0
    for clans in _rows(table):
        high = _row_height(lines, clans)
        for column, clan in enumerate(clans):
            at = (column * (width + GAP), y)
            yield group(*_card(table, clan, width, high - FOOT, lines[clan]), at=at)
        y += high


def _rows(table: Table) -> list[list[int]]:
    """The clans row by row, the Reed Clan last."""
    view = table.view
    clans = sorted(range(len(view.clans)), key=lambda clan: clan == view.reed)
    return [clans[start : start + COLUMNS] for start in range(0, len(clans), COLUMNS)]


def _width(across: float) -> float:
    return (across - GAP * (COLUMNS - 1)) / COLUMNS


def _row_height(lines: list[list[str]], row: list[int]) -> float:
    """The height of a row of cards, which is that of its highest card."""
    return HEAD + LINE * max(len(lines[clan]) for clan in row) + 2 * FOOT


def _card(table: Table, clan: int, width: float, high: float, lines: list[str]) -> Iterator[Markup]:
    """The name of a clan, its honor, and what it owns."""
    view = table.view
    yield seat_card(view, clan, width, high)
    yield group(pieces.token(view, clan), at=(22, 22), scale=1.2)
    yield text(42, 27, sentences.heading(table, clan), 15, fill=INK, font_weight=700)
    if clan != view.reed:
        scores = sentences.honor(table, clan, "honor_line")
        yield text(width - 12, 27, scores, 14, fill=INK, font_weight=700, text_anchor="end")
    yield from pieces.lines(14, HEAD + LINE - 4, lines, fill=INK)


def _lines(table: Table, across: float) -> list[list[str]]:
    """What each clan owns, in lines that fit its card."""
    width = _width(across) - 28
    owned = (sentences.facts(table, clan) for clan in range(len(table.view.clans)))
    return [[line for fact in facts for line in pieces.wrap_text(fact, width)] for facts in owned]
