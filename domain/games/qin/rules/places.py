"""Where tiles can lie, found for all cells of the board at once. Chapter 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from domain.engine.dice import Dice, choose
from domain.engine.play import Move, Seat
from domain.games.qin.board import KINDS, NUMBER_OF, Board, Kind, Rows, board_of
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.joining import forbidden
from domain.games.qin.state.table import NOBODY, State

TRIES = 12
"""So often a placement is drawn before all are judged: most are legal nearly always."""

_IS_COLOUR = {colour: bytes(what == colour for what in range(256)) for colour in NUMBER_OF.values()}
_IS_OWNED = bytes(owner != NOBODY for owner in range(256))
_IS_SEVERAL = bytes(number > 1 for number in range(256))


class Way(NamedTuple):
    """A kind of tile in one direction, and all placements of it by a seat: QIN-4.5."""

    first: int  # the colour of its left or upper half
    second: int  # the colour of the other one
    right: dict[int, PlaceTile]  # by its left cell, across two cells of a row
    down: dict[int, PlaceTile]  # by its upper cell, across two cells of a column


def connected(state: State) -> tuple[int, int]:
    """Adjacent free cells of which one touches a province space: QIN-4.3, QIN-4.4.

    Flags of the left ones of two in a row, and of the upper ones of two in a column.
    """
    board, row = state.board, 8 * state.board.width
    free, touched = state.free, state.touched
    right = free & (free & board.within) >> 8 & (touched | touched >> 8)
    down = free & free >> row & (touched | touched >> row)
    return right, down


def pairs(state: State) -> Iterator[tuple[int, int]]:
    """The cells on which a tile may lie by QIN-4.3 and QIN-4.4: in rows, then in columns."""
    for flags, step in zip(connected(state), (1, state.board.width), strict=True):
        for cell in state.board.flagged(flags):
            yield cell, cell + step


def legal(state: State, seat: Seat) -> list[Move]:
    """All placements of a seat, judged by colour and cell, in the order of `placements`."""
    board, row = state.board, 8 * state.board.width
    right, down = connected(state)
    sides = {colour: _sides(state, colour) for colour in _IS_COLOUR}
    cells = right | right << 8 | down | down << row
    good = {colour: _joinable(state, colour, cells, sides[colour]) for colour in sides}
    found: list[Move] = []
    for way in _ways_of_hand(state, seat):
        one, two = way.first, way.second
        if one == two:
            near = sides[one]
            across = _joinable(state, one, right, near + (near >> 8), 1)
            along = _joinable(state, one, down, near + (near >> row), board.width)
        else:
            across = right & good[one] & good[two] >> 8
            along = down & good[one] & good[two] >> row
        found += map(way.right.__getitem__, board.flagged(across))
        found += map(way.down.__getitem__, board.flagged(along))
    return found


def draw(state: State, seat: Seat, dice: Dice) -> Move:
    """A legal placement: one that the hand and the cells allow, again until its areas may be."""
    board = state.board
    right, down = connected(state)
    across, along = right.bit_count(), down.bit_count()
    ways = _ways_of_hand(state, seat)
    for _ in range(TRIES):
        turned, pair = divmod(dice.below(len(ways) * (across + along)), across + along)
        way = ways[turned]
        if pair < across:
            cell = board.flagged(right)[pair]
            if fits(state, cell, way.first, cell + 1, way.second):
                return way.right[cell]
        else:
            cell = board.flagged(down)[pair - across]
            if fits(state, cell, way.first, cell + board.width, way.second):
                return way.down[cell]
    return choose(dice, legal(state, seat))


def can_place(state: State, seat: Seat) -> bool:
    """Whether this seat has a legal placement: QIN-9.3."""
    ways = _ways_of_hand(state, seat)
    for a, b in pairs(state):
        for way in ways:
            if fits(state, a, way.first, b, way.second):
                return True
    return False


def fits(state: State, a: int, one: int, b: int, two: int) -> bool:
    """Whether the areas may be that a tile makes with these colours on two cells: QIN-4.7."""
    near = state.board.neighbours
    if one == two:
        return not forbidden(state, one, near[a] + near[b])
    return not (forbidden(state, one, near[a]) or forbidden(state, two, near[b]))


def _sides(state: State, colour: int) -> int:
    """By cell, on how many sides of it there are provinces of a colour, also ruined ones."""
    board, row = state.board, 8 * state.board.width
    is_owned = state.owners.translate(_IS_OWNED).ljust(256, b"\0")
    owned = int.from_bytes(state.areas.translate(is_owned), "little")
    owned &= int.from_bytes(state.cells.translate(_IS_COLOUR[colour]), "little")
    within = board.within
    return (owned << 8 & within) + ((owned & within) >> 8) + (owned << row) + (owned >> row)


def _joinable(state: State, colour: int, flags: int, sides: int, other: int = 0) -> int:
    """Those of these cells on which a colour may lie, alone or also so many cells further: QIN-4.7.

    What meets a province on one side at most joins nothing: `sides` says on how many.
    """
    board, near = state.board, state.board.neighbours
    size = len(state.cells) + board.width
    several = int.from_bytes(sides.to_bytes(size, "little").translate(_IS_SEVERAL), "little")
    for cell in board.flagged(flags & several):
        around = near[cell] + near[cell + other] if other else near[cell]
        if forbidden(state, colour, around):
            flags ^= 1 << 8 * cell
    return flags


def _ways_of_hand(state: State, seat: Seat) -> list[Way]:
    """Every kind in the hand in each direction, in the order of the kinds."""
    ways = _ways(state.board.rows, seat)
    return [way for kind, count in enumerate(state.hands[seat]) if count for way in ways[kind]]


@lru_cache(maxsize=32)
def _ways(rows: Rows, seat: Seat) -> tuple[tuple[Way, ...], ...]:
    """By kind: a tile of one colour is the same when it is turned round."""
    board = board_of(rows)
    return tuple(
        (_way(board, seat, kind, turned=False),)
        if kind[0] == kind[1]
        else (_way(board, seat, kind, turned=False), _way(board, seat, kind, turned=True))
        for kind in KINDS
    )


def _way(board: Board, seat: Seat, kind: Kind, *, turned: bool) -> Way:
    """All placements of a kind with its first colour to the left or above, or turned round."""
    one, two = kind[0], kind[1]

    def place(a: int, b: int) -> PlaceTile:
        first, second = (b, a) if turned else (a, b)
        return PlaceTile(seat, kind, (board.halves[first][one], board.halves[second][two]))

    first, second = (two, one) if turned else (one, two)
    near = enumerate(board.neighbours)
    pairs = [(cell, other) for cell, around in near for other in around if cell < other]
    return Way(
        NUMBER_OF[first],
        NUMBER_OF[second],
        {a: place(a, b) for a, b in pairs if b - a == 1},
        {a: place(a, b) for a, b in pairs if b - a == board.width},
    )
