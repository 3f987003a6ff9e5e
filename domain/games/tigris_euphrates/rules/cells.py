"""Reading the cells in moves."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.games.tigris_euphrates.board import Cell
from domain.games.tigris_euphrates.state.table import State


def cell_of(state: State, name: Cell) -> int:
    """The number of a cell; refuses a cell off the board: TE-1.1."""
    if (cell := state.board.number.get(name)) is None:
        raise RuleBroken("TE-1.1", "off_board", at=name)
    return cell
