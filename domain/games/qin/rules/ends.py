"""The end of the game. Chapters 8 and 10."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.qin.events import GameEnded
from domain.games.qin.scoring import fewest_left
from domain.games.qin.state.table import EndReason, State


def end_by_last_pagoda(p: Play[State], active: Seat) -> bool:
    """End the game if a supply is empty; the first such seat in order wins: QIN-10.1, QIN-8.3."""
    if 0 not in p.state.supply:
        return False
    first = next(seat for seat in p.state.turn_order(active) if not p.state.supply[seat])
    _end(p, "last_pagoda", (first,))
    return True


def end_without_placements(p: Play[State]) -> None:
    """End the game because no tile can be placed: QIN-9.5, QIN-10.2."""
    tiles_left = any(map(any, p.state.hands))
    _end(p, "blocked" if tiles_left else "tiles_exhausted", fewest_left(p.state))


def _end(p: Play[State], reason: EndReason, winners: tuple[Seat, ...]) -> None:
    p.emit(GameEnded(reason, winners, tuple(p.state.supply)))
