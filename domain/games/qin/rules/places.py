"""Legal placements, found for all cells of the board at once. Chapter 4."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, compress
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.qin.board import KINDS, NUMBER_OF, Kind
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.joining import find_obstacle
from domain.games.qin.state.steps import Turn
from domain.games.qin.state.table import State


class Way(NamedTuple):
    """A kind of tile in one direction: QIN-4.5."""

    kind: Kind
    one: int  # the colours of its halves in the order of the kind
    two: int
    turned: bool  # whether the second half is the left or upper one


def _ways(kind: Kind) -> tuple[Way, ...]:
    """The directions of a kind; a tile of one colour looks the same turned round."""
    one, two = NUMBER_OF[kind[0]], NUMBER_OF[kind[1]]
    turns = (False,) if one == two else (False, True)
    return tuple(Way(kind, one, two, turned) for turned in turns)


_WAYS = tuple(map(_ways, KINDS))


@lru_cache(maxsize=256)
def ways_of(hand: tuple[int, ...]) -> tuple[Way, ...]:
    """Every kind of a hand in each direction, in the order of the kinds."""
    return tuple(chain.from_iterable(compress(_WAYS, hand)))


def placements(state: State, _step: Turn, seat: Seat) -> list[PlaceTile]:
    """Each kind in the hand, in each direction, on each pair of cells: QIN-4.5."""
    return _legal(state, seat)


def _legal(state: State, seat: Seat) -> list[PlaceTile]:
    """All placements on free, connected cells that make no forbidden area: QIN-4.3, QIN-4.4,
    QIN-4.7. First in rows, then in columns.
    """
    board, right, down = state.board, state.right, state.down
    cells = right | right << 8 | down | down << 8 * board.width
    refused = [
        _find_refusals(state, colour, cells & beside) for colour, beside in enumerate(state.twice)
    ]
    found: list[PlaceTile] = []
    for kind, one, two, turned in ways_of(tuple(state.hands[seat])):
        ones, twos = board.halves[one], board.halves[two]
        for flags, step in ((right, 1), (down, board.width)):
            a, b = (step, 0) if turned else (0, step)  # how far each half is from the first cell
            if one == two:
                bad = _find_refusals(state, one, flags & _joining(state, one, one, step), step)
            else:
                bad = refused[one] >> 8 * a | refused[two] >> 8 * b
            allowed = board.cells_with(flags & ~bad)
            found += [PlaceTile(seat, kind, (ones[n + a], twos[n + b])) for n in allowed]
    return found


def can_place(state: State, seat: Seat) -> bool:
    """Whether this seat has a legal placement: QIN-9.3. Usually one that joins nothing exists."""
    for _, one, two, turned in ways_of(tuple(state.hands[seat])):
        first, second = (two, one) if turned else (one, two)
        if state.right & ~_joining(state, first, second, 1):
            return True
        if state.down & ~_joining(state, first, second, state.board.width):
            return True
    return bool(_legal(state, seat))


def _joining(state: State, one: int, two: int, step: int) -> int:
    """Flags of the cells where a tile, with its other half `step` further on, may join areas.

    On all other cells each half meets its colour on at most one side: QIN-5.2.
    """
    if one == two:
        once, twice = state.once[one], state.twice[one]
        return twice | twice >> 8 * step | once & once >> 8 * step
    return state.twice[one] | state.twice[two] >> 8 * step


def _find_refusals(state: State, colour: int, flags: int, step: int = 0) -> int:
    """The cells among these where a colour may not lie, or may not lie also `step` cells further
    on.
    """
    near, found = state.board.neighbours, 0
    for cell in state.board.cells_with(flags):
        around = near[cell] + near[cell + step] if step else near[cell]
        if find_obstacle(state, colour, around):
            found |= state.board.flags[cell]
    return found
