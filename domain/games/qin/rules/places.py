"""Where tiles can lie, found for all cells of the board at once. Chapter 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, compress
from typing import NamedTuple

from domain.engine.dice import Dice, choose
from domain.engine.play import Move, Seat
from domain.games.qin.board import KINDS, NUMBER_OF, Kind
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.joining import forbidden
from domain.games.qin.state.table import State

TRIES = 12
"""How often a placement is drawn before all are judged; nearly always most are legal."""


class Way(NamedTuple):
    """A kind of tile in one direction: QIN-4.5."""

    kind: Kind
    one: int  # the colours of its halves, in the order of the kind
    two: int
    turned: bool  # whether the second half is the left or upper one


def _ways(kind: Kind) -> tuple[Way, ...]:
    """A tile of one colour is the same when it is turned round."""
    one, two = NUMBER_OF[kind[0]], NUMBER_OF[kind[1]]
    turns = (False,) if one == two else (False, True)
    return tuple(Way(kind, one, two, turned) for turned in turns)


_WAYS = tuple(map(_ways, KINDS))


@lru_cache(maxsize=256)
def _ways_of(hand: tuple[int, ...]) -> tuple[Way, ...]:
    """Every kind in a hand in each direction, in the order of the kinds."""
    return tuple(chain.from_iterable(compress(_WAYS, hand)))


def pairs(state: State) -> Iterator[tuple[int, int]]:
    """The cells on which a tile may lie by QIN-4.3 and QIN-4.4: in rows, then in columns."""
    for flags, step in ((state.right, 1), (state.down, state.board.width)):
        for cell in state.board.flagged(flags):
            yield cell, cell + step


def legal(state: State, seat: Seat) -> list[Move]:
    """All placements of a seat, judged by colour and cell: QIN-4.7. In the order of the offer."""
    board, right, down = state.board, state.right, state.down
    cells = right | right << 8 | down | down << 8 * board.width
    refused = [_refused(state, colour, cells & beside) for colour, beside in enumerate(state.twice)]
    found: list[Move] = []
    for kind, one, two, turned in _ways_of(tuple(state.hands[seat])):
        ones, twos = board.halves[one], board.halves[two]
        for flags, step in ((right, 1), (down, board.width)):
            a, b = (step, 0) if turned else (0, step)  # how far each half is from the first cell
            if one == two:
                bad = _refused(state, one, flags & _joining(state, one, one, step), step)
            else:
                bad = refused[one] >> 8 * a | refused[two] >> 8 * b
            allowed = board.flagged(flags & ~bad)
            found += [PlaceTile(seat, kind, (ones[n + a], twos[n + b])) for n in allowed]
    return found


def draw(state: State, seat: Seat, dice: Dice) -> Move:
    """A legal placement: one that the hand and the cells allow, again until its areas may be."""
    board, ways = state.board, _ways_of(tuple(state.hands[seat]))
    in_rows = state.right.bit_count()
    places = in_rows + state.down.bit_count()
    for _ in range(TRIES):
        number, place = divmod(dice.below(len(ways) * places), places)
        if place < in_rows:
            a = board.flagged(state.right)[place]
            b = a + 1
        else:
            a = board.flagged(state.down)[place - in_rows]
            b = a + board.width
        kind, one, two, turned = ways[number]
        if turned:
            a, b = b, a
        if fits(state, a, one, b, two):
            return PlaceTile(seat, kind, (board.halves[one][a], board.halves[two][b]))
    return choose(dice, legal(state, seat))


def can_place(state: State, seat: Seat) -> bool:
    """Whether this seat has a legal placement: QIN-9.3. Mostly there is one that joins nothing."""
    for _, one, two, turned in _ways_of(tuple(state.hands[seat])):
        first, second = (two, one) if turned else (one, two)
        if state.right & ~_joining(state, first, second, 1):
            return True
        if state.down & ~_joining(state, first, second, state.board.width):
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
