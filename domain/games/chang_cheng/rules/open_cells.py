"""Which cells are open to whom: reservations and towers."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Seat
from domain.games.chang_cheng.board import NOWHERE
from domain.games.chang_cheng.state import EMPTY, NEUTRAL, TOWER, State


def is_open(state: State, cell: int, colour: int) -> bool:
    """CC-5.1, CC-5.5, CC-11.4: the cell is in play and empty, and not kept for another colour."""
    if state.cells[cell] or cell not in state.wall.cells:
        return False
    holders = keepers(state, cell)
    return not holders or colour - 1 in holders


def open_cells(state: State, colour: int) -> list[int]:
    """CC-5.1"""
    return [cell for cell in state.wall.cells if is_open(state, cell, colour)]


def keepers(state: State, cell: int) -> list[Seat]:
    """CC-5.5, CC-5.6: for whom alone this empty cell is kept; nobody if it is not."""
    if not any(state.reserved):
        return []
    return [seat for seat in _holders(state, cell) if not _lapsed(state, seat, cell)]


def beside_tower(state: State, cell: int) -> bool:
    """CC-5.3"""
    return any(state.kinds[other] == TOWER for other in state.beside(cell))


def double_cells(state: State, colour: int) -> Iterator[tuple[int, int]]:
    """CC-4.4, CC-5.2"""
    right = state.wall.right
    for cell in open_cells(state, colour):
        other = right[cell]
        if other != NOWHERE and is_open(state, other, colour):
            yield cell, other


def tower_cells(state: State, colour: int) -> Iterator[int]:
    """CC-4.5"""
    return (cell for cell in open_cells(state, colour) if not beside_tower(state, cell))


def can_act(state: State, seat: Seat) -> bool:
    """CC-4.7"""
    colour = seat + 1
    if state.hands[seat] and state.incomplete():
        return True
    if state.singles[colour] and open_cells(state, colour):
        return True
    if state.doubles[colour] and any(double_cells(state, colour)):
        return True
    return bool(state.towers[colour] and any(True for _ in tower_cells(state, colour)))


def neutral_cells(state: State, regions: tuple[int, ...], inside: bool) -> list[int]:
    """CC-11.3"""
    if not state.singles[NEUTRAL]:
        return []
    china = state.map.china_of
    return [cell for cell in open_cells(state, NEUTRAL) if (china[cell] in regions) == inside]


def _holders(state: State, cell: int) -> list[Seat]:
    """CC-5.5: the seats of which this is the last empty cell that they reserved."""
    return [
        seat
        for seat, cells in enumerate(state.reserved)
        if cell in cells and sum(state.cells[other] == EMPTY for other in cells) == 1
    ]


def _lapsed(state: State, seat: Seat, cell: int) -> bool:
    """CC-5.6: its owner has nothing that he could build there."""
    if state.singles[seat + 1]:
        return False
    if not state.doubles[seat + 1]:
        return True
    return not any(
        not state.cells[other] and _holders(state, other) in ([], [seat])
        for other in state.beside(cell)
    )


def kept_cells(state: State) -> dict[int, tuple[Seat, ...]]:
    """CC-5.5: the empty cells on which only some seats may build."""
    reserved = {cell for cells in state.reserved for cell in cells if not state.cells[cell]}
    kept = {cell: tuple(keepers(state, cell)) for cell in sorted(reserved)}
    return {cell: seats for cell, seats in kept.items() if seats}
