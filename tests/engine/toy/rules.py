"""The rules: who may do what, and what comes of it."""

from __future__ import annotations

from typing import assert_never

from domain.engine.dice import draw
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from tests.engine.toy import events
from tests.engine.toy.board import CHALLENGES, HAND, SIDES
from tests.engine.toy.moves import AnyMove, Counter, GiveIn, Pass, Seal, ShowCard
from tests.engine.toy.state import (
    Answer,
    Challenge,
    Choose,
    Refill,
    Replace,
    Reveal,
    Round,
    State,
)


def begin(p: Play[State]) -> None:
    """TOY-1.2"""
    p.then(Refill(), Round(number=1))


def check(state: State, move: AnyMove) -> None:
    """Whether this may be done now; the turn was asked about before."""
    match state.agenda[-1], move:
        case Choose(), Seal():
            _hold(state, move.seat, move.card, "TOY-2.2")
        case Challenge(), ShowCard():
            _may_challenge(state, move)
        case Answer(card=card), Counter():
            _hold(state, move.seat, move.card, "TOY-3.2")
            if move.card <= card:
                raise RuleBroken("TOY-3.2", "too_low", f"The card must be higher than {card}.")
        case (Challenge(), Pass()) | (Answer(), GiveIn()):
            return
        case Choose(), _:
            raise RuleBroken("TOY-2.2", "not_now", "Lay down a card.")
        case Challenge(), _:
            raise RuleBroken("TOY-3.1", "not_now", "Challenge somebody, or pass.")
        case _:
            raise RuleBroken("TOY-3.2", "not_now", "Give in, or counter with a higher card.")


def _hold(state: State, seat: Seat, card: int, rule: str) -> None:
    if card not in state.hands[seat]:
        raise RuleBroken(rule, "not_in_hand", f"You hold no {card}.")


def _may_challenge(state: State, move: ShowCard) -> None:
    """TOY-3.1"""
    _hold(state, move.seat, move.card, "TOY-3.1")
    if move.to == move.seat or move.to not in range(len(state.hands)):
        raise RuleBroken("TOY-3.1", "not_another", "Challenge another seat.")
    if state.points[move.to] == 0:
        raise RuleBroken("TOY-3.1", "no_points", "This seat has nothing to lose.")


def play(p: Play[State], step: Step, move: AnyMove) -> None:
    """Carry out a move, in answer to a step."""
    match move:
        case Seal(seat, card):
            p.emit(events.CardSealed(seat, card))
        case ShowCard(seat, to, card):
            assert isinstance(step, Challenge)
            if step.left > 1:
                p.then(Challenge((seat,), left=step.left - 1))
            show(p, seat, to, card)
        case Counter(seat, card):
            assert isinstance(step, Answer)
            show(p, seat, step.to, card)
        case GiveIn(seat):
            assert isinstance(step, Answer)
            p.emit(events.GaveIn(seat, step.to, min(1, p.state.points[seat])))
        case Pass(seat):
            p.emit(events.Passed(seat))
        case _:
            assert_never(move)


def proceed(p: Play[State], step: Step) -> None:
    """Carry out a step that needs nobody."""
    match step:
        case Round(number=number):
            next_round(p, number)
        case Reveal():
            reveal(p)
        case Replace(by=seat):
            draw_card(p, seat)
        case Refill():
            for seat, hand in enumerate(p.state.hands):
                for _ in range(HAND - len(hand)):
                    draw_card(p, seat)
        case _:
            raise AssertionError(step)


def next_round(p: Play[State], number: int) -> None:
    """TOY-2.1, TOY-4.1"""
    holders = tuple(seat for seat, hand in enumerate(p.state.hands) if hand)
    if number > p.state.rounds:
        p.emit(events.GameEnded("rounds"))
    elif not holders:
        p.emit(events.GameEnded("cards"))
    else:
        p.emit(events.PrizeRolled(number, 1 + p.dice.below(SIDES)))
        p.then(Choose(holders), Reveal(), Refill(), Round(number=number + 1))


def reveal(p: Play[State]) -> None:
    """TOY-2.3"""
    cards = tuple(p.state.sealed)
    best = max(card for card in cards if card is not None)
    winner = cards.index(best) if cards.count(best) == 1 else None
    p.emit(events.CardsShown(cards, winner, p.state.prize if winner is not None else 0))
    if winner is not None:
        p.then(Challenge((winner,), left=CHALLENGES))


def show(p: Play[State], seat: Seat, to: Seat, card: int) -> None:
    """TOY-3.2, TOY-3.3, TOY-3.4"""
    p.emit(events.CardPlayed(seat, to, card))
    p.then(Answer((to,), to=seat, card=card), Replace(by=seat))


def draw_card(p: Play[State], seat: Seat) -> None:
    """TOY-1.1"""
    if any(p.state.bag):
        p.emit(events.CardDrawn(seat, 1 + draw(p.dice, p.state.bag[:])))
