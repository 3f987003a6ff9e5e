"""Challenges: a seat shows a card to another seat, which counters it or gives in."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from tests.engine.toy import events
from tests.engine.toy.moves import Counter, GiveIn, Pass, ShowCard
from tests.engine.toy.rules.rounds import check_held, draw_card
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import State


def challenges(state: State, _step: steps.Challenge, seat: Seat) -> Iterator[ShowCard]:
    """Each value in the hand, to each seat: TOY-3.1."""
    for to in range(len(state.hands)):
        yield from (ShowCard(seat, to, card) for card in sorted(set(state.hands[seat])))


def check_challenge(state: State, _step: steps.Challenge, move: ShowCard) -> None:
    """Refuse a card that is not in the hand, or a seat that may not be challenged: TOY-3.1."""
    check_held(state, move.seat, move.card, "TOY-3.1")
    if move.to == move.seat or move.to not in range(len(state.hands)):
        raise RuleBroken("TOY-3.1", "not_another")
    if state.points[move.to] == 0:
        raise RuleBroken("TOY-3.1", "no_points")


def challenge(p: Play[State], step: steps.Challenge, move: ShowCard) -> None:
    """Show a card to another seat; there may be one more challenge: TOY-3.1."""
    if step.left > 1:
        p.then(steps.Challenge((move.seat,), left=step.left - 1))
    _show(p, move.seat, move.to, move.card, "TOY-3.1")


def pass_on(p: Play[State], _step: steps.Challenge, move: Pass) -> None:
    """Make no further challenge: TOY-3.1."""
    p.emit(events.Passed(move.seat))


def counters(state: State, _step: steps.Respond, seat: Seat) -> Iterator[Counter]:
    """Each value in the hand: TOY-3.2."""
    return (Counter(seat, card) for card in sorted(set(state.hands[seat])))


def check_counter(state: State, step: steps.Respond, move: Counter) -> None:
    """Refuse a card that is not in the hand, or not higher: TOY-3.2."""
    check_held(state, move.seat, move.card, "TOY-3.2")
    if move.card <= step.card:
        raise RuleBroken("TOY-3.2", "too_low", card=step.card)


def counter(p: Play[State], step: steps.Respond, move: Counter) -> None:
    """Show a higher card to the seat that showed the last one: TOY-3.2."""
    _show(p, move.seat, step.to, move.card, "TOY-3.2")


def give_in(p: Play[State], step: steps.Respond, move: GiveIn) -> None:
    """Pay a point, if there is one: TOY-3.3."""
    p.emit(events.GaveIn(move.seat, step.to, min(1, p.state.points[move.seat])))


def _show(p: Play[State], seat: Seat, to: Seat, card: int, rule: str) -> None:
    """Show a card by this rule; its owner replaces it after the answer: TOY-3.2, TOY-3.4."""
    p.emit(events.CardPlayed(seat, to, card, rule))
    p.then(steps.Respond((to,), to=seat, card=card), steps.Replace(by=seat))


def replace(p: Play[State], step: steps.Replace) -> None:
    """Draw a card for a shown one: TOY-3.4."""
    draw_card(p, step.by, "TOY-3.4")
