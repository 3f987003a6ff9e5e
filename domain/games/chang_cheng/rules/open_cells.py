"""Where pieces may go: empty cells in play, towers, reservations."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.engine.telling import Who
from domain.games.chang_cheng.board import CELL_NUMBER, NOWHERE
from domain.games.chang_cheng.state.table import EMPTY, TOWER, State


def check_open(state: State, name: str, colour: int) -> None:
    """Refuse a cell that is not in play, not empty, or kept for another colour: CC-5.1, CC-5.5."""
    cell = CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells:
        raise RuleBroken("CC-5.1", "no_such_cell", cell=name)
    if state.cells[cell]:
        raise RuleBroken("CC-5.1", "not_empty", cell=name)
    holders = keepers(state, cell)
    if holders and colour - 1 not in holders:
        raise RuleBroken("CC-5.5", "reserved", cell=name, seats=tuple(map(Who, holders)))


def check_no_tower_beside(state: State, name: str) -> None:
    """Refuse a tower next to another one: CC-5.3."""
    if _beside_tower(state, CELL_NUMBER[name]):
        raise RuleBroken("CC-5.3", "beside_tower", cell=name)


def empty_cells(state: State) -> list[int]:
    """List the cells in play where nothing was built: CC-5.1."""
    return [cell for cell in state.wall.cells if not state.cells[cell]]


def empty_pairs(state: State) -> Iterator[tuple[int, int]]:
    """Give each two empty cells next to each other, the left one first: CC-1.2, CC-5.2."""
    for cell in empty_cells(state):
        other = state.wall.right[cell]
        if other != NOWHERE and not state.cells[other]:
            yield cell, other


def open_cells(state: State, colour: int) -> list[int]:
    """List the empty cells that are not kept for another colour: CC-5.1, CC-5.5, CC-11.4."""
    return [cell for cell in empty_cells(state) if _is_free(state, cell, colour)]


def open_pairs(state: State, colour: int) -> Iterator[tuple[int, int]]:
    """Give each pair of cells where a double of this colour may go: CC-4.4, CC-5.2."""
    for one, other in empty_pairs(state):
        if _is_free(state, one, colour) and _is_free(state, other, colour):
            yield one, other


def tower_cells(state: State, colour: int) -> Iterator[int]:
    """Give each cell where a tower of this colour may go: CC-4.5, CC-5.3."""
    return (cell for cell in open_cells(state, colour) if not _beside_tower(state, cell))


def keepers(state: State, cell: int) -> list[Seat]:
    """Tell for whom alone this empty cell is kept; nobody if it is not: CC-5.5, CC-5.6."""
    if not any(state.reserved):  # most of the time, and this is asked for every empty cell
        return []
    return [seat for seat in _holders(state, cell) if not _lapsed(state, seat, cell)]


def kept_cells(state: State) -> dict[int, tuple[Seat, ...]]:
    """Find the empty cells on which only some seats may build: CC-5.5."""
    reserved = {cell for cells in state.reserved for cell in cells if not state.cells[cell]}
    kept = {cell: tuple(keepers(state, cell)) for cell in sorted(reserved)}
    return {cell: seats for cell, seats in kept.items() if seats}


def _is_free(state: State, cell: int, colour: int) -> bool:
    """Tell whether this empty cell is kept for nobody else: CC-5.5."""
    holders = keepers(state, cell)
    return not holders or colour - 1 in holders


def _beside_tower(state: State, cell: int) -> bool:
    """Tell whether a tower of any colour is next to this cell: CC-5.3."""
    return any(state.kinds[other] == TOWER for other in state.beside(cell))


def _holders(state: State, cell: int) -> list[Seat]:
    """List the seats of whose reservation this is the only cell still empty: CC-5.5."""
    return [
        seat
        for seat, cells in enumerate(state.reserved)
        if cell in cells and sum(state.cells[other] == EMPTY for other in cells) == 1
    ]


def _lapsed(state: State, seat: Seat, cell: int) -> bool:
    """Tell whether the owner of a reservation has nothing to build there: CC-5.6.

    A neighbour that somebody else holds is no room for the double even if that reservation has
    lapsed: were lapsing asked of it in turn, two reservations could wait for each other.
    """
    if state.singles[seat + 1]:
        return False
    if not state.doubles[seat + 1]:
        return True
    return not any(
        not state.cells[other] and not _holders(state, other) for other in state.beside(cell)
    )
