"""Where pieces may go: empty cells in play, towers, reservations; rows are those of the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from operator import itemgetter
from typing import TypeVar

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.engine.sentences import SeatName
from domain.games.chang_cheng.board import CELL_BITS, CELL_NUMBER, CHINA_NUMBER
from domain.games.chang_cheng.places import place_name
from domain.games.chang_cheng.state.table import State

T = TypeVar("T")


def check_open(state: State, name: str, colour: int) -> None:
    """Refuse a cell that is not in play, not empty, or kept for another colour: CC-5.1, CC-5.5."""
    cell = CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells:
        raise RuleBroken("CC-5.1", "no_such_cell", cell=place_name(name))
    if state.cells[cell]:
        raise RuleBroken("CC-5.1", "not_empty", cell=place_name(name))
    holders = find_reservations(state).get(cell)
    if holders and colour - 1 not in holders:
        raise RuleBroken(
            "CC-5.5", "reserved", cell=place_name(name), seats=tuple(map(SeatName, holders))
        )


def check_no_tower_beside(state: State, name: str) -> None:
    """Refuse a tower next to another one: CC-5.3."""
    if not tower_row(state, state.wall.alone[CELL_NUMBER[name]]):
        raise RuleBroken("CC-5.3", "beside_tower", cell=place_name(name))


def open_cells(state: State, colour: int) -> list[int]:
    """List the empty cells that are not kept for another colour: CC-5.1, CC-5.5, CC-11.4."""
    return list(select(state.wall.cells, open_row(state, colour)))


def select(things: Sequence[T], row: int) -> Iterator[T]:
    """Give those of these things that a row marks, one thing for each cell from left to right."""
    return compress(things, row.to_bytes(len(things), "little"))


def open_row(state: State, colour: int) -> int:
    """Mark the empty cells that are not kept for another colour: CC-5.1, CC-5.5, CC-11.4."""
    if not any(state.reserved):  # most of the time
        return state.empty
    alone, own, kept = state.wall.alone, 0, 0
    for seat, cell in _valid_reservations(state):
        if seat == colour - 1:
            own |= alone[cell]
        kept |= alone[cell]
    return state.empty & (own | ~kept)


def double_row(row: int) -> int:
    """Mark the open cells whose right neighbour is open too: CC-4.4, CC-5.2."""
    return row & row >> CELL_BITS


def tower_row(state: State, row: int) -> int:
    """Mark the open cells without a tower beside them: CC-4.5, CC-5.3."""
    return row & ~(state.tall << CELL_BITS | state.tall >> CELL_BITS)


def inside(state: State, regions: Iterable[str], row: int) -> int:
    """Of these marks, keep those in these Chinese regions."""
    return row & ~outside(state, regions, row)


def outside(state: State, regions: Iterable[str], row: int) -> int:
    """Of these marks, keep those in other Chinese regions."""
    for region in regions:
        row &= ~state.wall.regions[CHINA_NUMBER[region]]
    return row


def find_reservations(state: State) -> dict[int, tuple[Seat, ...]]:
    """Find the empty cells on which only some seats may build: CC-5.5, CC-5.6."""
    kept: dict[int, tuple[Seat, ...]] = {}
    for seat, cell in sorted(_valid_reservations(state), key=itemgetter(1)):
        kept[cell] = (*kept.get(cell, ()), seat)
    return kept


def _valid_reservations(state: State) -> list[tuple[Seat, int]]:
    """The seats that have something to build on the last cell they reserve, and that: CC-5.6."""
    last = _last_cells(state)
    singles = state.singles
    return [(s, cell) for s, cell in last if singles[s + 1] or _double_fits(state, s, cell, last)]


def _last_cells(state: State) -> list[tuple[Seat, int]]:
    """The reservations with only one cell that is still empty: whose, and which cell: CC-5.5."""
    last, cells = [], state.cells
    for seat, reserved in enumerate(state.reserved):
        if reserved:
            empty = [cell for cell in reserved if not cells[cell]]
            if len(empty) == 1:
                last.append((seat, empty[0]))
    return last


def _double_fits(state: State, seat: Seat, cell: int, last: list[tuple[Seat, int]]) -> bool:
    """Whether the owner of a reservation can build the double there: CC-5.6.

    A neighbour that another seat reserved is no room, even if that reservation has lapsed.
    Otherwise two reservations could wait for each other.
    """
    if not state.doubles[seat + 1]:
        return False
    held = [other for _, other in last]
    return any(not state.cells[other] and other not in held for other in state.beside(cell))
