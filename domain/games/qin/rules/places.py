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
    placements: tuple[dict[int, PlaceTile], dict[int, PlaceTile]]
    """Across two cells of a row, by the left one, and of a column, by the upper one."""


def connected(state: State) -> tuple[int, int]:
    """Adjacent free cells of which one touches a province space: QIN-4.3, QIN-4.4.

    Flags of the left ones of two in a row, and of the upper ones of two in a column.
    """
    board, row = state.board, 8 * state.board.width
    free, (_, red, yellow, blue) = state.free, state.once
    touched = red | yellow | blue
    right = free & (free & board.within) >> 8 & (touched | touched >> 8)
    down = free & free >> row & (touched | touched >> row)
    return right, down


def pairs(state: State) -> Iterator[tuple[int, int]]:
    """The cells on which a tile may lie by QIN-4.3 and QIN-4.4: in rows, then in columns."""
    for flags, step in zip(connected(state), (1, state.board.width), strict=True):
        for cell in state.board.flagged(flags):
            yield cell, cell + step


def legal(state: State, seat: Seat) -> list[Move]:
    """All placements of a seat, judged by colour and cell: QIN-4.7. In the order of the offer."""
    board = state.board
    right, down = places = connected(state)
    cells = right | right << 8 | down | down << 8 * board.width
    refused = [_refused(state, colour, cells & beside) for colour, beside in enumerate(state.twice)]
    found: list[Move] = []
    for one, two, placements in _ways_of_hand(state, seat):
        for flags, step, by_cell in zip(places, (1, board.width), placements, strict=True):
            if one == two:
                bad = _refused(state, one, flags & _joining(state, one, one, step), step)
            else:
                bad = refused[one] | refused[two] >> 8 * step
            found += map(by_cell.__getitem__, board.flagged(flags & ~bad))
    return found


def draw(state: State, seat: Seat, dice: Dice) -> Move:
    """A legal placement: one that the hand and the cells allow, again until its areas may be."""
    board, ways = state.board, _ways_of_hand(state, seat)
    places = connected(state)
    in_rows, in_columns = map(int.bit_count, places)
    for _ in range(TRIES):
        number, pair = divmod(dice.below(len(ways) * (in_rows + in_columns)), in_rows + in_columns)
        upright = pair >= in_rows
        cell = board.flagged(places[upright])[pair - in_rows * upright]
        one, two, placements = ways[number]
        if fits(state, cell, one, cell + (board.width if upright else 1), two):
            return placements[upright][cell]
    return choose(dice, legal(state, seat))


def can_place(state: State, seat: Seat) -> bool:
    """Whether this seat has a legal placement: QIN-9.3. Mostly there is one that joins nothing."""
    places = connected(state)
    for one, two, _ in _ways_of_hand(state, seat):
        for flags, step in zip(places, (1, state.board.width), strict=True):
            if flags & ~_joining(state, one, two, step):
                return True
    return bool(legal(state, seat))


def fits(state: State, a: int, one: int, b: int, two: int) -> bool:
    """Whether the areas may be that a tile makes with these colours on two cells: QIN-4.7."""
    board, near = state.board, state.board.neighbours
    if one == two:
        return not forbidden(state, one, near[a] + near[b])
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


def _ways_of_hand(state: State, seat: Seat) -> list[Way]:
    """Every kind in the hand in each direction, in the order of the kinds."""
    held = compress(_ways(state.board.rows, seat), state.hands[seat])
    return list(chain.from_iterable(held))


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
        (
            {a: place(a, b) for a, b in pairs if b - a == 1},
            {a: place(a, b) for a, b in pairs if b - a == board.width},
        ),
    )
