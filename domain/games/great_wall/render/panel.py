"""A card for each seat, and for the Reed Clan, with what they own."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import INK, seat_card
from domain.engine.drawing.svg import Markup, group, text
from domain.games.great_wall.render import pieces, sentences
from domain.games.great_wall.render.pieces import LINE
from domain.games.great_wall.render.sentences import Table

WIDTH = 571
HEAD = 40
FOOT = 10


def panels(table: Table) -> Iterator[Panel]:
    """A panel for each clan, the viewer's first, the Reed Clan last."""
    view = table.view
    clans = seats_from_own(view, len(view.clans))
    for clan in sorted(clans, key=lambda clan: clan == view.reed):
        lines = _lines(table, clan)
        high = HEAD + LINE * len(lines) + FOOT
        parts = _card(table, clan, WIDTH, high, lines)
        yield seat_panel(view, table.words, clan, (WIDTH, high), parts)


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


def _lines(table: Table, clan: int) -> list[str]:
    """What a clan owns, in lines that fit its card."""
    facts = sentences.facts(table, clan)
    return [line for fact in facts for line in pieces.wrap_text(fact, WIDTH - 28)]
