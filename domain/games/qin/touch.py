"""How a placement is pointed at: the tile, the space of its first half, that of its second."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.touch import Kind, Touch, Way, kind_of, which
from domain.games.qin.board import name_of
from domain.games.qin.moves import PlaceTile
from domain.games.qin.view import View

TILE = Kind("tile", "thing", "a tile of the hand, by the colours of its halves")
SPACE = Kind("space", "thing", "a space of the board, by its column and its row")
ROW = Kind("row", "part", "the spaces of a row, by its number")
KINDS = (TILE, SPACE, ROW)


def touches(_view: View, move: PlaceTile) -> Iterator[Way]:
    """The tile, then its spaces in the order of its colours; of one colour, in either order."""
    one, other = sorted(move.halves, key=lambda half: move.kind.index(half.color))
    yield TILE.of(move.kind), space(one.row, one.col), space(other.row, other.col)
    if one.color == other.color:
        yield TILE.of(move.kind), space(other.row, other.col), space(one.row, one.col)


def within(_view: View, touch: Touch) -> Touch | None:
    """The row of a space."""
    return ROW.of(which(touch)[1:]) if kind_of(touch) == SPACE.kind else None


def space(row: int, col: int) -> Touch:
    """The name of a space."""
    return SPACE.of(name_of(row, col))
