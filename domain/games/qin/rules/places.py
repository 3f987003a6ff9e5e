"""Where tiles can lie, found for all cells of the board at once. Chapter 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, compress
from typing import NamedTuple

from domain.engine.dice import Dice, choose
from domain.engine.play import Move, Seat
from domain.games.qin.board import KINDS, NUMBER_OF, Board, Kind, Rows, board_of
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.joining import forbidden
from domain.games.qin.state.table import State

TRIES = 12
"""How often a placement is drawn before all are judged; nearly always most are legal."""


class Way(NamedTuple):
    """A kind of tile in one direction, and where a seat may place it: QIN-4.5."""

    first: int  # the colour of its left or upper half
    second: int  # the colour of the other one
    in_row: dict[int, PlaceTile]  # its placements by the left cell
    in_column: dict[int, PlaceTile]  # by the upper one


def pairs(state: State) -> Iterator[tuple[int, int]]:
    """The cells on which a tile may lie by QIN-4.3 and QIN-4.4: in rows, then in columns."""
    for flags, step in ((state.right, 1), (state.down, state.board.width)):
        for cell in state.board.flagged(flags):
            yield cell, cell + step


def legal(state: State, seat: Seat) -> list[Move]:
    """All placements of a seat, judged by colour and cell: QIN-4.7. In the order of the offer."""
    board = state.board
    right, down, width = state.right, state.down, board.width
    cells = right | right << 8 | down | down << 8 * width
    refused = [_refused(state, colour, cells & beside) for colour, beside in enumerate(state.twice)]
    found: list[Move] = []
    for one, two, in_row, in_column in _ways_of_hand(state, seat):
        for flags, step, by_cell in ((right, 1, in_row), (down, width, in_column)):
            if one == two:
                bad = _refused(state, one, flags & _joining(state, one, one, step), step)
            else:
                bad = refused[one] | refused[two] >> 8 * step
            found += map(by_cell.__getitem__, board.flagged(flags & ~bad))
    return found


def draw(state: State, seat: Seat, dice: Dice) -> Move:
    """A legal placement: one that the hand and the cells allow, again until its areas may be."""
    board, ways = state.board, _ways_of_hand(state, seat)
    in_rows = state.right.bit_count()
    pairs = in_rows + state.down.bit_count()
    for _ in range(TRIES):
        way, pair = divmod(dice.below(len(ways) * pairs), pairs)
        one, two, in_row, in_column = ways[way]
        if pair < in_rows:
            cell = board.flagged(state.right)[pair]
            if fits(state, cell, one, cell + 1, two):
                return in_row[cell]
        else:
            cell = board.flagged(state.down)[pair - in_rows]
            if fits(state, cell, one, cell + board.width, two):
                return in_column[cell]
    return choose(dice, legal(state, seat))


def can_place(state: State, seat: Seat) -> bool:
    """Whether this seat has a legal placement: QIN-9.3. Mostly there is one that joins nothing."""
    for one, two, _, _ in _ways_of_hand(state, seat):
        if state.right & ~_joining(state, one, two, 1):
            return True
        if state.down & ~_joining(state, one, two, state.board.width):
            return True
    return bool(legal(state, seat))


def fits(state: State, a: int, one: int, b: int, two: int) -> bool:
    """Whether the areas may be that a tile makes with these colours on two cells: QIN-4.7."""
    board, near = state.board, state.board.neighbours
    if one == two:
        met = state.once[one] & (board.flags[a] | board.flags[b])
        return not (met and forbidden(state, one, near[a] + near[b]))
    if state.twice[one] & board.flags[a] and forbidden(state, one, near[a]):
        return False
    return not (state.twice[two] & board.flags[b] and forbidden(state, two, near[b]))


def _joining(state: State, one: int, two: int, step: int) -> int:
    """Flags of the cells on which a tile, with its other half further on, may join areas.

    On all others each of its colours meets spaces of the same colour on one side at most: QIN-5.2.
    """
    if one == two:
        once, twice = state.once[one], state.twice[one]
        return twice | twice >> 8 * step | once & once >> 8 * step
    return state.twice[one] | state.twice[two] >> 8 * step


def _refused(state: State, colour: int, flags: int, step: int = 0) -> int:
    """Those of these cells on which a colour may not lie, alone or also so many cells further."""
    near, found = state.board.neighbours, 0
    for cell in state.board.flagged(flags):
        around = near[cell] + near[cell + step] if step else near[cell]
        if forbidden(state, colour, around):
            found |= state.board.flags[cell]
    return found


def _ways_of_hand(state: State, seat: Seat) -> tuple[Way, ...]:
    """Every kind in the hand in each direction, in the order of the kinds."""
    return _ways_with(state.board.rows, seat, tuple(state.hands[seat]))


@lru_cache(maxsize=1024)
def _ways_with(rows: Rows, seat: Seat, hand: tuple[int, ...]) -> tuple[Way, ...]:
    return tuple(chain.from_iterable(compress(_ways(rows, seat), hand)))


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
