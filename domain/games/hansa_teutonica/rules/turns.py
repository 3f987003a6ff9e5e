"""The beginning, turns, and what all actions share: chapters 2 and 3."""

from __future__ import annotations

from collections.abc import Callable

from domain.engine.answers import Answer, Deed, Judge, M, Offer
from domain.engine.dice import shuffle
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.events import course
from domain.games.hansa_teutonica.moves import EndTurn
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.state.table import State


def begin(p: Play[State]) -> None:
    """Choose who begins, give out pieces, fill the taverns: HT-2.2, HT-12.2."""
    seats, first = p.state.seats, _choose_first_player(p)
    kinds = list(board.STARTING)
    shuffle(p.dice, kinds)
    taverns = [route.id for route in p.state.setup.map.routes if route.tavern]
    pairs = zip(taverns, kinds, strict=True)
    p.emit(course.TavernsFilled(tuple(course.MarkerOnRoute(*pair) for pair in pairs)))
    p.then(steps.NextTurn(seat=first))
    if p.state.setup.provinces:
        p.then(steps.PlacePawn(((first + 1) % seats,)))


def _choose_first_player(p: Play[State]) -> Seat:
    """Choose who begins; each later seat gets a piece more: HT-2.5, HT-2.3."""
    seats, first = p.state.seats, p.state.setup.first_player
    if first is None:
        first = p.dice.below(seats)
    supplies = [board.START_SUPPLY[(seat - first) % seats] for seat in range(seats)]
    p.emit(course.FirstPlayerChosen(first, tuple(supplies)))
    return first


def next_turn(p: Play[State], step: steps.NextTurn) -> None:
    """Begin a turn with all its actions: HT-3.1, HT-3.2."""
    actions = p.state.value(step.seat, board.ACTIONS)
    p.emit(course.TurnBegan(step.seat, p.state.turn + 1, actions))
    p.then(Turn((step.seat,)))


def end_turn(p: Play[State], _step: Turn, move: EndTurn) -> None:
    """End the turn, also with actions left; then refill the board: HT-3.3, HT-3.6."""
    p.emit(course.TurnEnded(move.seat, p.state.actions))
    p.then(steps.Refill(seat=move.seat))


def check_open(state: State) -> None:
    """Refuse anything after the free move of the pawn that closed the turn: HT-11.6."""
    if state.closed:
        raise RuleBroken("HT-11.6", "turn_closed")


def check_action(state: State) -> None:
    """Refuse an action if none is left: HT-3.2."""
    check_open(state)
    if not state.actions:
        raise RuleBroken("HT-3.2", "no_action_left")


def can_act(state: State, _seat: Seat) -> bool:
    """Whether an action is left: HT-3.2, HT-11.6."""
    return state.actions > 0 and not state.closed


def spend(p: Play[State], seat: Seat) -> None:
    """Use an action: HT-3.2."""
    p.emit(course.ActionSpent(seat, p.state.actions - 1))


def in_turn(
    move: type[M],
    offer: Offer[State, Turn, M],
    judge: Judge[State, Turn, M],
    deed: Deed[State, Turn, M],
    when: Callable[[State, Seat], bool] | None = None,
) -> Answer[State, Turn, M]:
    """A row of the table: a move after which the turn continues: HT-3.4, HT-3.5."""

    def go_on(p: Play[State], step: Turn, move: M) -> None:
        p.then(step)
        deed(p, step, move)

    return Answer(Turn, move, offer, judge, go_on, exact=True, when=when)


def action(
    move: type[M],
    offer: Offer[State, Turn, M],
    judge: Judge[State, Turn, M],
    deed: Deed[State, Turn, M],
    when: Callable[[State, Seat], bool] = can_act,
) -> Answer[State, Turn, M]:
    """A row of the table: a move that costs an action: HT-3.2, HT-3.3."""

    def judge_with_actions(state: State, step: Turn, move: M) -> None:
        check_action(state)
        judge(state, step, move)

    def pay_and_play(p: Play[State], step: Turn, move: M) -> None:
        spend(p, move.seat)
        deed(p, step, move)

    return in_turn(move, offer, judge_with_actions, pay_and_play, when)
