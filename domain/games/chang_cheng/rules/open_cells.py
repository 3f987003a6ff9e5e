"""Where pieces may go: empty cells in play, towers, reservations.

A *row* has a byte for each cell in play, from left to right: 1 where something holds, else 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress, pairwise

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.engine.telling import Who
from domain.games.chang_cheng.board import CELL_NUMBER, CHINA_NUMBER
from domain.games.chang_cheng.state.table import EMPTY, TOWER, State

IS_EMPTY = bytes(content == EMPTY for content in range(256))
IS_TOWER = bytes(kind == TOWER for kind in range(256))
CELL_BITS = 8
"""A row as a number: the next cell on the right is so many bits higher."""


def check_open(state: State, name: str, colour: int) -> None:
    """Refuse a cell that is not in play, not empty, or kept for another colour: CC-5.1, CC-5.5."""
    cell = CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells:
        raise RuleBroken("CC-5.1", "no_such_cell", cell=name)
    if state.cells[cell]:
        raise RuleBroken("CC-5.1", "not_empty", cell=name)
    holders = kept_cells(state).get(cell)
    if holders and colour - 1 not in holders:
        raise RuleBroken("CC-5.5", "reserved", cell=name, seats=tuple(map(Who, holders)))


def check_no_tower_beside(state: State, name: str) -> None:
    """Refuse a tower next to another one: CC-5.3."""
    if _beside_towers(state) >> CELL_BITS * state.wall.place[CELL_NUMBER[name]] & 1:
        raise RuleBroken("CC-5.3", "beside_tower", cell=name)


def empty_cells(state: State) -> Iterator[int]:
    """Give the cells in play where nothing was built: CC-5.1."""
    return compress(state.wall.cells, empty_row(state))


def empty_pairs(state: State) -> Iterator[tuple[int, int]]:
    """Give each two empty cells next to each other, the left one first: CC-1.2, CC-5.2."""
    cells = state.wall.cells
    return compress(pairwise(cells), double_row(empty_row(state)))


def open_cells(state: State, colour: int) -> list[int]:
    """List the empty cells that are not kept for another colour: CC-5.1, CC-5.5, CC-11.4."""
    return list(compress(state.wall.cells, open_row(state, colour)))


def empty_row(state: State) -> bytes:
    """Mark the cells where nothing was built: CC-5.1."""
    return state.row(state.cells).translate(IS_EMPTY)


def open_row(state: State, colour: int) -> bytes:
    """Mark the empty cells that are not kept for another colour: CC-5.1, CC-5.5, CC-11.4."""
    return not_kept(state, colour, empty_row(state))


def not_kept(state: State, colour: int, row: bytes) -> bytes:
    """Of empty cells, mark those that are not kept for another colour: CC-5.5."""
    for cell, seats in kept_cells(state).items():
        if colour - 1 not in seats:
            place = state.wall.place[cell]
            row = row[:place] + b"\0" + row[place + 1 :]
    return row


def double_row(row: bytes) -> bytes:
    """Of cells that are open, mark those whose neighbour on the right is, too: CC-4.4, CC-5.2."""
    cells = _number(row)
    return (cells & cells >> CELL_BITS).to_bytes(len(row), "little")


def tower_row(state: State, row: bytes) -> bytes:
    """Of cells that are open, mark those with no tower beside them: CC-4.5, CC-5.3."""
    return (_number(row) & ~_beside_towers(state)).to_bytes(len(row), "little")


def inside(state: State, regions: Iterable[str], row: bytes) -> bytes:
    """Of these marks, keep those in these Chinese regions."""
    return (_number(row) ^ _number(outside(state, regions, row))).to_bytes(len(row), "little")


def outside(state: State, regions: Iterable[str], row: bytes) -> bytes:
    """Of these marks, keep those in other Chinese regions."""
    for region in regions:
        places = state.wall.places[CHINA_NUMBER[region]]
        row = row[: places.start] + bytes(places.stop - places.start) + row[places.stop :]
    return row


def kept_cells(state: State) -> dict[int, tuple[Seat, ...]]:
    """Find the empty cells on which only some seats may build: CC-5.5, CC-5.6."""
    if not any(state.reserved):  # most of the time
        return {}
    last = _last_cells(state)
    kept = {
        cell: tuple(seat for seat in seats if not _lapsed(state, seat, cell, last))
        for cell, seats in sorted(last.items())
    }
    return {cell: seats for cell, seats in kept.items() if seats}


def _beside_towers(state: State) -> int:
    """The cells beside a tower of any colour, as a number: CC-5.3."""
    towers = _number(state.row(state.kinds).translate(IS_TOWER))
    return towers << CELL_BITS | towers >> CELL_BITS


def _number(row: bytes) -> int:
    return int.from_bytes(row, "little")


def _last_cells(state: State) -> dict[int, list[Seat]]:
    """The only cell of a reservation that is still empty, and whose reservation: CC-5.5."""
    last: dict[int, list[Seat]] = {}
    for seat, reserved in enumerate(state.reserved):
        if reserved:
            empty = [cell for cell in reserved if not state.cells[cell]]
            if len(empty) == 1:
                last.setdefault(empty[0], []).append(seat)
    return last


def _lapsed(state: State, seat: Seat, cell: int, last: dict[int, list[Seat]]) -> bool:
    """Tell whether the owner of a reservation has nothing to build there: CC-5.6.

    A neighbour that somebody else holds is no room for the double even if that reservation has
    lapsed: were lapsing asked of it in turn, two reservations could wait for each other.
    """
    if state.singles[seat + 1]:
        return False
    if not state.doubles[seat + 1]:
        return True
    return not any(not state.cells[other] and other not in last for other in state.beside(cell))
