"""Touches of a placement: the tile, the space of its first half, the space of its second half."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.engine.game import Json
from domain.engine.touches import ImpliedMoves, Pointing, Touch, TouchKind, Way, id_of, kind_of
from domain.games.qin.board import Space, name_of
from domain.games.qin.moves import PlaceTile
from domain.games.qin.view import View

TILE = TouchKind("tile", "thing", "a tile of the hand, by the colours of its halves")
SPACE = TouchKind("space", "thing", "a space of the board, by its column and its row")
ROW = TouchKind("row", "part", "the spaces of a row, by its number")
KINDS = (TILE, SPACE, ROW)


def touches(_view: View, move: PlaceTile) -> Iterator[Way]:
    """The tile, then its spaces in the order of its colours; in either order for a tile of one
    colour.
    """
    one, other = sorted(move.halves, key=lambda half: move.kind.index(half.color))
    yield TILE.of(move.kind), space(one.row, one.col), space(other.row, other.col)
    if one.color == other.color:
        yield TILE.of(move.kind), space(other.row, other.col), space(one.row, one.col)


def within(_view: View, touch: Touch) -> Touch | None:
    """The row that holds a space."""
    return ROW.of(id_of(touch)[1:]) if kind_of(touch) == SPACE.kind else None


def space(row: int, col: int) -> Touch:
    """The name of a space as a touch."""
    return SPACE.of(name_of(row, col))


def _beside(view: View, kind: str, one: str) -> Iterator[Json]:
    """A tile with its first half on a space and its other half on any adjacent space."""
    spaces = _spaces(view)
    row, col = spaces.get(one, (-2, -2))
    for at in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)):
        if min(at) >= 0 and (other := name_of(*at)) in spaces:
            yield from _on(view, kind, one, other)


def _with_any_tile(view: View, one: str) -> Iterator[Json]:
    """Each tile of the hand with its first half on a space."""
    hand = view.hands[view.seat] if view.seat is not None else None
    for kind in dict.fromkeys(hand or ()):
        yield from _beside(view, kind, one)


def _on(view: View, kind: str, *names: str) -> Iterator[Json]:
    """A tile with its halves on two spaces."""
    spaces = _spaces(view)
    yield {
        "type": "PlaceTile",
        "kind": kind,
        "halves": [
            {"row": spaces[name][0], "col": spaces[name][1], "color": color}
            for name, color in zip(names, kind, strict=False)
            if name in spaces
        ],
    }


def _spaces(view: View) -> dict[str, Space]:
    """All spaces by name."""
    return _list_spaces(len(view.cells), len(view.cells[0]))


@lru_cache(maxsize=16)  # there are few sizes of boards
def _list_spaces(height: int, width: int) -> dict[str, Space]:
    """The spaces of a board of this size, by name."""
    return {name_of(row, col): (row, col) for row in range(height) for col in range(width)}


IMPLIED_MOVES: ImpliedMoves = {
    ("space",): _with_any_tile,
    ("tile", "space"): _beside,
    ("tile", "space", "space"): _on,
}
"""The moves that a tile and spaces imply, legal or not."""
POINTING = Pointing(touches=touches, kinds=KINDS, part_of=within, implied_moves=IMPLIED_MOVES)
