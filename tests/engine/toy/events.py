"""What can happen in this game."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from tests.engine.toy.state.table import EndReason, State


class CardDrawn(Event[State]):
    """A seat drew a card, which only its owner knows. A card can be drawn by two rules."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("card",)
    reveals: ClassVar[bool] = True

    seat: Seat
    card: int | None
    rule: str = "TOY-1.2"

    def apply(self, state: State) -> None:
        assert self.card is not None
        state.bag[self.card - 1] -= 1
        state.hands[self.seat].append(self.card)
        state.hands[self.seat].sort()


class PrizeRolled(Event[State]):
    """A round began; the prize is this many points: TOY-2.1."""

    reveals: ClassVar[bool] = True

    round: int
    points: int

    def apply(self, state: State) -> None:
        state.round, state.prize = self.round, self.points


class CardSealed(Event[State]):
    """A seat laid down a card, which only its owner knows: TOY-2.2."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("card",)

    seat: Seat
    card: int | None

    def apply(self, state: State) -> None:
        assert self.card is not None
        state.hands[self.seat].remove(self.card)
        state.sealed[self.seat] = self.card


class CardsShown(Event[State]):
    """The seats showed the sealed cards, and one seat or none took the prize: TOY-2.3."""

    reveals: ClassVar[bool] = True

    cards: tuple[int | None, ...]
    winner: Seat | None
    points: int

    def apply(self, state: State) -> None:
        state.sealed = [None] * len(self.cards)
        state.prize = 0
        if self.winner is not None:
            state.points[self.winner] += self.points


class CardPlayed(Event[State]):
    """A seat showed a card of its hand to another one, and put it away."""

    seat: Seat
    to: Seat
    card: int
    rule: str = "TOY-3.1"

    def apply(self, state: State) -> None:
        state.hands[self.seat].remove(self.card)


class GaveIn(Event[State]):
    """A seat paid another one: TOY-3.3."""

    seat: Seat
    to: Seat
    points: int

    def apply(self, state: State) -> None:
        state.points[self.seat] -= self.points
        state.points[self.to] += self.points


class Passed(Event[State]):
    """A seat made no further challenge: TOY-3.1."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Nothing on the table changes."""


class GameEnded(Event[State]):
    """The game ended: TOY-4.1."""

    reason: EndReason

    def apply(self, state: State) -> None:
        state.reason = self.reason
