"""A turn: who is next, and what there is to do."""

from __future__ import annotations

from domain.engine.play import Play, Seat, Step
from domain.games.chang_cheng.events.course import TurnBegan, TurnSkipped
from domain.games.chang_cheng.rules.actions import can_act
from domain.games.chang_cheng.rules.invasion import invasion
from domain.games.chang_cheng.rules.neutral import neutral_row
from domain.games.chang_cheng.state.steps import FirstTurn, ForcedNeutral, NextTurn, Turn
from domain.games.chang_cheng.state.table import State


def next_turn(p: Play[State], step: NextTurn) -> None:
    """End the game if the wall is complete, else go on with the next seat: CC-3.1, CC-10.1."""
    if p.state.complete():
        invasion(p)
        return
    seat = (step.seat + 1) % p.state.seats
    p.then(NextTurn(seat=seat, opening=max(0, step.opening - 1)))
    _go_on(p, seat, first=step.opening > 0)


def begin_turn(p: Play[State], seat: Seat, turn: Step) -> None:
    """Make this seat the active one: CC-3.1."""
    p.emit(TurnBegan(seat))
    p.then(turn)


def _go_on(p: Play[State], seat: Seat, *, first: bool) -> None:
    """Ask a seat for what it must do, or skip it if there is nothing: CC-4.7, CC-3.2, CC-11.6."""
    if first:
        begin_turn(p, seat, FirstTurn((seat,)))
    elif can_act(p.state, seat):
        begin_turn(p, seat, Turn((seat,)))
    elif neutral_row(p.state, (), inside=False):
        begin_turn(p, seat, ForcedNeutral((seat,)))
    else:
        p.emit(TurnSkipped(seat))
