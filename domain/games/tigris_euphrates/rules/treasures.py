"""Treasures: at the end of an action, traders collect them."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates.board import GREEN, OFF
from domain.games.tigris_euphrates.events import TreasuresTaken
from domain.games.tigris_euphrates.moves import LeaveTreasure
from domain.games.tigris_euphrates.state import ChooseTreasure, ServeTraders, State


def serve_traders(p: Play[State], active: Seat) -> None:
    """TE-13.1, TE-13.3, TE-13.4, TE-13.5"""
    for owner, treasures in _served(p.state, active):
        choices = leavable(p.state, treasures)
        p.then(ServeTraders(seat=active))
        if len(choices) > 1:
            names = p.state.board.names
            p.then(ChooseTreasure((owner,), choices=tuple(names[cell] for cell in choices)))
        else:
            take(p, owner, treasures, choices[0])
        return


def leavable(state: State, treasures: list[int]) -> list[int]:
    """TE-13.2"""
    others = [cell for cell in treasures if cell not in state.board.corners]
    return others or treasures


def leave_treasure(p: Play[State], move: LeaveTreasure) -> None:
    """TE-13.2"""
    left = p.state.board.number[move.at]
    take(p, move.seat, _beside(p.state, left), left)


def take(p: Play[State], owner: Seat, treasures: list[int], left: int) -> None:
    """TE-13.1, TE-13.6"""
    names = p.state.board.names
    cells = tuple(names[cell] for cell in treasures if cell != left)
    p.emit(TreasuresTaken(owner, cells, names[left]))


def _served(state: State, active: Seat) -> Iterator[tuple[Seat, list[int]]]:
    """TE-13.1, TE-13.5: traders who have more than one treasure in their kingdom."""
    for owner in state.turn_order(active):
        home = state.leaders[4 * owner + GREEN]
        if home != OFF:
            treasures = _beside(state, home)
            if len(treasures) > 1:
                yield owner, treasures


def _beside(state: State, cell: int) -> list[int]:
    """All treasures of the region of a cell, also on tiles that lie face down; TE-13.1."""
    of = state.regions().of
    return [
        place for place in state.board.temples if state.treasures[place] and of[place] == of[cell]
    ]
