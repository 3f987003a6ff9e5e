"""The cards of the viewer as tiles to touch: their names, with their texts as explanations."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel
from domain.engine.drawing.panel import INK
from domain.engine.drawing.svg import Attribute, explain, group, mark, rect, text
from domain.games.great_wall.render import cards, letters, signs
from domain.games.great_wall.render.cards import Card
from domain.games.great_wall.render.letters import SMALL
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign

TILE, GAP = 27, 4
"""The height of a tile, and the space around it."""
FILLS = {"command": "#fffdf6", "tactic": "#e3e8fb", "advisor": "#e6f1df", "general": "#f7e3dd"}
"""The background of a tile, by the kind of its card."""


def panels(table: Table, across: float) -> Iterator[Panel]:
    """The hand of the viewer; none without cards."""
    rows = signs.rows(_tiles(table), across, GAP)
    if rows:
        high = len(rows) * (TILE + GAP) - GAP
        parts = (
            group(*signs.place(row, 0, 0, GAP), at=(0, number * (TILE + GAP)))
            for number, row in enumerate(rows)
        )
        yield Panel("hand", "own", table.words("your_cards"), across, high, tuple(parts))


def _tiles(table: Table) -> Iterator[Sign]:
    view = table.view
    gone = view.clans[view.seat].discard if view.seat is not None else ()
    for card in cards.own(table):
        kind, _, name = (card.touch or "").partition(":")
        yield _tile(table, card, kind, discarded=kind == "command" and name in gone)


def _tile(table: Table, card: Card, kind: str, *, discarded: bool) -> Sign:
    """A card as a tile; that of a discarded card has a dashed edge."""
    width = 14 + letters.length(card.name)
    edge: dict[str, Attribute] = {"stroke_dasharray": "4 3"} if discarded else {}
    box = rect(
        0.6,
        0.6,
        width - 1.2,
        TILE - 1.2,
        rx=6,
        fill=FILLS[kind],
        stroke=INK,
        stroke_width=1.2,
        **edge,
    )
    name = text(width / 2, 18.5, card.name, SMALL, fill=INK, text_anchor="middle")
    drawn = explain(cards.line(table.words, card), box, name)
    return Sign(width, mark(card.touch, drawn) if card.touch else drawn)
