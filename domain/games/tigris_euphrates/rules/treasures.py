"""Treasures: at the end of an action, traders collect them."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.board import Cell
from domain.games.tigris_euphrates.events.monuments import TreasuresTaken
from domain.games.tigris_euphrates.state.steps import ChooseTreasure, ServeTraders
from domain.games.tigris_euphrates.state.table import State


def serve(p: Play[State], step: ServeTraders) -> None:
    """Serve the next trader, then look for others: TE-13.1, TE-13.3, TE-13.5."""
    if (served := _next_trader(p.state, step.seat)) is not None:
        p.then(step)
        _serve(p, *served)


def next_choice(state: State, seat: Seat) -> tuple[tuple[Seat], tuple[Cell, ...]] | None:
    """Who is asked first which treasure is left in a turn of this seat, and of which: TE-13.2."""
    if (served := _next_trader(state, seat)) is None:
        return None
    owner, treasures = served
    leavable = _leavable(state, treasures)
    names = tuple(state.board.names[cell] for cell in leavable)
    return ((owner,), names) if len(leavable) > 1 else None


def _next_trader(state: State, seat: Seat) -> tuple[Seat, list[int]] | None:
    """Whose trader has several treasures in its kingdom, and which: TE-13.1, TE-13.3."""
    for owner in state.turn_order(seat):
        treasures = _of_trader(state, owner)
        if len(treasures) > 1:
            return owner, treasures
    return None


def _of_trader(state: State, owner: Seat) -> list[int]:
    """The treasures in the kingdom of a trader; none if the trader is off the board: TE-13.1."""
    home = state.leaders[4 * owner + board.GREEN]
    return [] if home == board.OFF else _around(state, home)


def _serve(p: Play[State], owner: Seat, treasures: list[int]) -> None:
    """Ask which treasure is left, unless there is no choice: TE-13.2, TE-13.4."""
    leavable = _leavable(p.state, treasures)
    if len(leavable) > 1:
        names = p.state.board.names
        p.then(ChooseTreasure((owner,), choices=tuple(names[cell] for cell in leavable)))
    else:
        _take(p, owner, treasures, leavable[0])


def _around(state: State, cell: int) -> list[int]:
    """All treasures of the region of a cell, also on tiles that lie face down: TE-13.1."""
    of = state.regions().of
    return [
        place for place in state.board.temples if state.treasures[place] and of[place] == of[cell]
    ]


def _leavable(state: State, treasures: list[int]) -> list[int]:
    """Which of them may be left: those of corner temples only if all are: TE-13.2."""
    others = [cell for cell in treasures if cell not in state.board.corners]
    return others or treasures


def choices(_state: State, step: ChooseTreasure, seat: Seat) -> list[moves.LeaveTreasure]:
    """Each treasure that may be left: TE-13.2."""
    return [moves.LeaveTreasure(seat, at) for at in step.choices]


def check_choice(_state: State, step: ChooseTreasure, move: moves.LeaveTreasure) -> None:
    """Refuse to leave another treasure: TE-13.2."""
    if move.at not in step.choices:
        raise RuleBroken("TE-13.2", "not_a_choice", choices=step.choices)


def leave(p: Play[State], _step: ChooseTreasure, move: moves.LeaveTreasure) -> None:
    """Take all treasures of the kingdom but this one: TE-13.2."""
    left = p.state.board.number[move.at]
    _take(p, move.seat, _around(p.state, left), left)


def _take(p: Play[State], owner: Seat, treasures: list[int], left: int) -> None:
    """Take these treasures but the one that is left: TE-13.1, TE-13.6."""
    names = p.state.board.names
    cells = tuple(names[cell] for cell in treasures if cell != left)
    p.emit(TreasuresTaken(owner, cells, names[left]))
