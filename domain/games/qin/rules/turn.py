"""The course of the game: setting up, a turn, whose turn is next, the end."""

from __future__ import annotations

from typing import assert_never

from domain.engine.dice import draw
from domain.engine.play import Play, Seat
from domain.games.qin.board import HAND_SIZE, KINDS, Kind
from domain.games.qin.events import (
    FirstPlayerChosen,
    GameEnded,
    TileDrawn,
    TilePlaced,
    TilesDealt,
    TurnPassed,
)
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.judge import can_place
from domain.games.qin.rules.provinces import change_provinces
from domain.games.qin.rules.villages import settle_villages
from domain.games.qin.scoring import fewest_left
from domain.games.qin.state import EndReason, NextTurn, Refill, State, Turn


def begin(p: Play[State]) -> None:
    """QIN-3.3, QIN-3.6, QIN-12.4"""
    first = p.state.setup.first_player
    if first is None:
        first = p.dice.below(len(p.state.supply))
    p.emit(FirstPlayerChosen(first))
    for seat in p.state.turn_order(first):
        p.emit(TilesDealt(seat, _drawn(p, HAND_SIZE)))
    p.then(Turn((first,)))


def play(p: Play[State], _turn: Turn, move: PlaceTile) -> None:
    """QIN-4.2, QIN-4.8, QIN-8.1"""
    p.emit(TilePlaced(move.seat, move.kind, move.halves))
    change_provinces(p, move)
    if _last_pagoda(p, move.seat):
        return
    settle_villages(p, move.seat)
    if _last_pagoda(p, move.seat):
        return
    p.then(Refill(seat=move.seat), NextTurn(seat=move.seat))


def proceed(p: Play[State], step: Refill | NextTurn) -> None:
    """QIN-4.2"""
    match step:
        case Refill():
            refill(p, step.seat)
        case NextTurn():
            next_turn(p, step.seat)
        case _:
            assert_never(step)


def refill(p: Play[State], seat: Seat) -> None:
    """QIN-9.1, QIN-9.2"""
    if any(p.state.pile):
        p.emit(TileDrawn(seat, _drawn(p, 1)[0]))


def next_turn(p: Play[State], seat: Seat) -> None:
    """QIN-9.3, QIN-9.4, QIN-9.5"""
    _, *others = p.state.turn_order(seat)
    passed: list[Seat] = []
    for following in (*others, seat):
        if can_place(p.state, following):
            for blocked in passed:
                p.emit(TurnPassed(blocked))
            p.then(Turn((following,)))
            return
        passed.append(following)
    _end(p, "blocked" if any(map(any, p.state.hands)) else "tiles_exhausted", fewest_left(p.state))


def _last_pagoda(p: Play[State], active: Seat) -> bool:
    """QIN-8.3, QIN-10.1"""
    for seat in p.state.turn_order(active):
        if not p.state.supply[seat]:
            _end(p, "last_pagoda", (seat,))
            return True
    return False


def _end(p: Play[State], reason: EndReason, winners: tuple[Seat, ...]) -> None:
    """QIN-10.1, QIN-10.2"""
    p.emit(GameEnded(reason, winners, tuple(p.state.supply)))


def _drawn(p: Play[State], tiles: int) -> tuple[Kind, ...]:
    """QIN-3.2, QIN-12.4"""
    pile = p.state.pile[:]
    return tuple(KINDS[draw(p.dice, pile)] for _ in range(tiles))
