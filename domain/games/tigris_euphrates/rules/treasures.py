"""Treasures: at the end of an action, traders collect them."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.board import Cell, CellSet
from domain.games.tigris_euphrates.events.monuments import TreasuresTaken
from domain.games.tigris_euphrates.state.steps import ChooseTreasure, ServeTraders
from domain.games.tigris_euphrates.state.table import State


def serve(p: Play[State], step: ServeTraders) -> None:
    """Serve the next trader, then look for others: TE-13.1, TE-13.3, TE-13.5."""
    if (served := _next_trader(p.state, step.seat)) is not None:
        p.then(step)
        _serve(p, *served)


def _next_trader(state: State, seat: Seat) -> tuple[Seat, CellSet] | None:
    """The owner of a trader with several treasures in its kingdom, and these: TE-13.1, TE-13.3."""
    rich = [k for k in state.kingdoms if (k.cells & state.treasures).bit_count() > 1]
    for owner in state.turn_order(seat) if rich else ():
        for kingdom in rich:
            if 4 * owner + board.GREEN in kingdom.leaders:
                return owner, kingdom.cells & state.treasures
    return None


def _serve(p: Play[State], owner: Seat, treasures: CellSet) -> None:
    """Ask which treasure to leave, unless there is no choice: TE-13.2, TE-13.4."""
    leavable = _leavable(p.state, treasures)
    if len(leavable) > 1:
        p.then(ChooseTreasure((owner,), choices=leavable))
    else:
        _take(p, owner, treasures, leavable[0])


def _leavable(state: State, treasures: CellSet) -> tuple[Cell, ...]:
    """The treasures that may be left; those of corner temples only without others: TE-13.2."""
    number, corners = state.board.number, state.board.corners
    names = state.board.names_of(treasures)
    return tuple(name for name in names if number[name] not in corners) or names


def choices(_state: State, step: ChooseTreasure, seat: Seat) -> list[moves.LeaveTreasure]:
    """Each treasure that may be left: TE-13.2."""
    return [moves.LeaveTreasure(seat, at) for at in step.choices]


def check_choice(_state: State, step: ChooseTreasure, move: moves.LeaveTreasure) -> None:
    """Refuse to leave another treasure: TE-13.2."""
    if move.at not in step.choices:
        raise RuleBroken("TE-13.2", "not_a_choice", choices=step.choices)


def leave(p: Play[State], _step: ChooseTreasure, move: moves.LeaveTreasure) -> None:
    """Take all treasures of the kingdom except this one: TE-13.2."""
    kingdom = p.state.kingdom_at(p.state.board.number[move.at])
    assert kingdom is not None, "a trader is there"
    _take(p, move.seat, kingdom.cells & p.state.treasures, move.at)


def _take(p: Play[State], owner: Seat, treasures: CellSet, left: Cell) -> None:
    """Take these treasures except the one that stays: TE-13.1, TE-13.6."""
    names = p.state.board.names_of(treasures)
    p.emit(TreasuresTaken(owner, tuple(name for name in names if name != left), left))
