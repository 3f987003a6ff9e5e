"""Rounds: the prize, the sealed cards, the end."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.dice import draw
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from tests.engine.toy import events
from tests.engine.toy.board import CHALLENGES, HAND, SIDES
from tests.engine.toy.moves import Seal
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import EndReason, State


def begin(p: Play[State]) -> None:
    """Fill the hands, then play the first round: TOY-1.2."""
    p.then(steps.Refill(), steps.Round(number=1))


def refill(p: Play[State], _step: steps.Refill) -> None:
    """Draw until each hand is full, as long as the bag lasts: TOY-1.2."""
    for seat, hand in enumerate(p.state.hands):
        for _ in range(HAND - len(hand)):
            draw_card(p, seat, "TOY-1.2")


def draw_card(p: Play[State], seat: Seat, rule: str) -> None:
    """Draw a card from the bag by this rule, if it holds any: TOY-1.1."""
    if any(p.state.bag):
        p.emit(events.CardDrawn(seat, 1 + draw(p.dice, p.state.bag[:]), rule))


def _end(p: Play[State], reason: EndReason) -> None:
    """End the game: TOY-4.1."""
    p.emit(events.GameEnded(reason))


def next_round(p: Play[State], step: steps.Round) -> None:
    """Begin a round, or end the game: TOY-2.1."""
    holders = tuple(seat for seat, hand in enumerate(p.state.hands) if hand)
    if step.number > p.state.setup.rounds:
        _end(p, "rounds")
    elif not holders:
        _end(p, "cards")
    else:
        p.emit(events.PrizeRolled(step.number, 1 + p.dice.below(SIDES)))
        following = steps.Round(number=step.number + 1)
        p.then(steps.Choose(holders), steps.Reveal(), steps.Refill(), following)


def cards(state: State, _step: steps.Choose, seat: Seat) -> Iterator[Seal]:
    """Each value in the hand: TOY-2.2."""
    return (Seal(seat, card) for card in sorted(set(state.hands[seat])))


def check_card(state: State, _step: steps.Choose, move: Seal) -> None:
    """Refuse a card that is not in the hand: TOY-2.2."""
    check_held(state, move.seat, move.card, "TOY-2.2")


def check_held(state: State, seat: Seat, card: int, rule: str) -> None:
    """Refuse a card that is not in the hand, by this rule."""
    if card not in state.hands[seat]:
        raise RuleBroken(rule, "not_in_hand", card=card)


def seal(p: Play[State], _step: steps.Choose, move: Seal) -> None:
    """Lay the card down sealed: TOY-2.2."""
    p.emit(events.CardSealed(move.seat, move.card))


def reveal(p: Play[State], _step: steps.Reveal) -> None:
    """Show the sealed cards; a single highest one takes the prize: TOY-2.3."""
    shown = tuple(p.state.sealed)
    best = max(card for card in shown if card is not None)
    winner = shown.index(best) if shown.count(best) == 1 else None
    p.emit(events.CardsShown(shown, winner, p.state.prize if winner is not None else 0))
    if winner is not None:
        p.then(steps.Challenge((winner,), left=CHALLENGES))
