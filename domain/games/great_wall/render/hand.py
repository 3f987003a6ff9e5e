"""The cards of the viewer as tiles to touch: their names, with their texts as explanations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.engine.drawing.layout import Panel
from domain.engine.drawing.panel import FAINT, INK
from domain.engine.drawing.svg import Attribute, explain, group, mark, rect, text
from domain.engine.touches import kind_of
from domain.games.great_wall.render import cards, letters, signs
from domain.games.great_wall.render.cards import Card
from domain.games.great_wall.render.letters import SMALL
from domain.games.great_wall.render.sentences import Table
from domain.games.great_wall.render.signs import Sign

TILES, GAP = (27, 40), 4
"""The least and the greatest height of a tile, and the space around it."""
ROOM = 130
"""The height of a hand, unless it has many cards."""
MAX_CACHED_TILES = 1024
"""More cards than some tables show at a time."""
FILLS = {"command": "#fffdf6", "tactic": "#e3e8fb", "advisor": "#e6f1df", "general": "#f7e3dd"}
"""The background of a tile, by the kind of its card."""


def panels(table: Table, across: float) -> Iterator[Panel]:
    """The hand of the viewer; none without cards."""
    count = len(signs.rows(_tiles(table, 0), across, GAP))
    if count:
        tile = min(max((ROOM + GAP) // count - GAP, TILES[0]), TILES[1])
        high = count * (tile + GAP) - GAP
        parts = (
            group(*signs.place(row, 0, 0, GAP), at=(0, number * (tile + GAP)))
            for number, row in enumerate(signs.rows(_tiles(table, tile), across, GAP))
        )
        yield Panel("hand", "own", table.words("your_cards"), across, high, tuple(parts))


def _tiles(table: Table, high: float) -> Iterator[Sign]:
    gone = table.words("card_command_discarded")
    for card in cards.own(table):
        yield _tile(card, cards.line(table.words, card), high, discarded=card.note == gone)


@lru_cache(MAX_CACHED_TILES)
def _tile(card: Card, said: str, high: float, *, discarded: bool) -> Sign:
    """A card as a tile; that of a discarded card has a dashed edge."""
    assert card.touch is not None, "each card of a viewer can be touched"
    width = 14 + letters.length(card.name)
    look: dict[str, Attribute] = {"fill": FILLS[kind_of(card.touch)], "stroke": INK}
    if discarded:
        look |= {"stroke": FAINT, "stroke_dasharray": "4 3"}
    box = rect(0.6, 0.6, width - 1.2, high - 1.2, rx=6, stroke_width=1.2, **look)
    name = text(width / 2, high / 2 + 5, card.name, SMALL, fill=INK, text_anchor="middle")
    return Sign(width, mark(card.touch, explain(said, box, name)))
