"""Turns: the first tiles, the draw, and who is next. Chapters 3 and 9."""

from __future__ import annotations

from domain.engine.dice import draw
from domain.engine.play import Play, Seat
from domain.games.qin import events
from domain.games.qin.board import HAND_SIZE, KINDS, Kind
from domain.games.qin.rules import ends
from domain.games.qin.rules.places import can_place
from domain.games.qin.state import steps
from domain.games.qin.state.table import State


def begin(p: Play[State]) -> None:
    """Choose the first player, and deal three tiles each: QIN-3.3."""
    first = _choose_first_player(p)
    for seat in p.state.turn_order(first):
        p.emit(events.TilesDealt(seat, _draw(p, HAND_SIZE)))
    p.then(steps.Turn((first,)))


def _choose_first_player(p: Play[State]) -> Seat:
    """Take the seat that the host named, or draw one: QIN-3.6."""
    first = p.state.setup.first_player
    if first is None:
        first = p.dice.below(len(p.state.supply))
    p.emit(events.FirstPlayerChosen(first))
    return first


def refill(p: Play[State], step: steps.Refill) -> None:
    """Draw a tile, if the pile has any: QIN-9.1, QIN-9.2."""
    if any(p.state.pile):
        p.emit(events.TileDrawn(step.seat, KINDS[draw(p.dice, p.state.pile[:])]))


def next_turn(p: Play[State], step: steps.NextTurn) -> None:
    """Skip each seat that cannot place a tile; end the game if no seat can.

    QIN-9.3, QIN-9.4, QIN-9.5.
    """
    passed: list[Seat] = []
    for following in p.state.turn_order((step.seat + 1) % len(p.state.supply)):
        if can_place(p.state, following):
            for blocked in passed:  # recorded only now, because no seat passes when the game ends
                p.emit(events.TurnPassed(blocked))
            p.then(steps.Turn((following,)))
            return
        passed.append(following)
    ends.end_without_placements(p)


def _draw(p: Play[State], tiles: int) -> tuple[Kind, ...]:
    """Random tiles from the pile, which this function does not change: QIN-3.2, QIN-12.4."""
    pile = p.state.pile[:]
    return tuple(KINDS[draw(p.dice, pile)] for _ in range(tiles))
