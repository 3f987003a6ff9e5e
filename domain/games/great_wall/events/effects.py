"""Tactic cards that seats play, and moments that they let pass."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall.state.clans import Reaction
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State


class ReactionSealed(Event[State]):
    """A seat chose a tactic card, or none, in secret: GW-9.4."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("card", "boosted")

    seat: Seat
    card: str | None
    boosted: bool | None

    def apply(self, state: State) -> None:
        """Record the answer. The card is still in the hand."""
        assert self.boosted is not None, "a redacted event cannot be folded"
        state.clans[self.seat].reaction = Reaction(self.card, self.boosted)


class TacticPlayed(Event[State]):
    """A seat played a tactic card: GW-9.3."""

    reveals: ClassVar[bool] = True

    seat: Seat
    card: str
    boosted: bool

    def apply(self, state: State) -> None:
        """Lay the card on the table until its effect is over."""
        clan = state.clans[self.seat]
        clan.tactics = without(clan.tactics, self.card)
        clan.reaction = None
        state.played = (*state.played, self.card)


class TacticSpent(Event[State]):
    """The effect of a tactic card is over: GW-9.3."""

    card: str

    def apply(self, state: State) -> None:
        """Move the card to the discard."""
        state.played = without(state.played, self.card)
        state.tactic_discard = (*state.tactic_discard, self.card)


class MomentPassed(Event[State]):
    """The cards that these seats chose at a moment were played, or could not be played: GW-9.4."""

    reveals: ClassVar[bool] = True

    seats: tuple[Seat, ...]

    def apply(self, state: State) -> None:
        """Forget what the seats chose."""
        for seat in self.seats:
            state.clans[seat].reaction = None


class PassOrdered(Event[State]):
    """A seat ordered to pass without a question: for a while, or always for a window: GW-9.4."""

    seat: Seat
    until: str  # `turn`, `card`, or the window that it always lets pass

    def apply(self, state: State) -> None:
        """Record the order."""
        clan = state.clans[self.seat]
        clan.passing = (*clan.passing, self.until)


class PassesWithdrawn(Event[State]):
    """A seat wants to be asked for tactic cards again: GW-9.4."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Remove all its orders."""
        state.clans[self.seat].passing = ()
