"""Tactic cards that are played, and seats that let moments pass."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall.state.clans import Reaction
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State


class ReactionSealed(Event[State]):
    """A seat chose a tactic card, or none, which only it knows: GW-9.4."""

    hidden: ClassVar[tuple[str, ...]] = ("card", "boosted")

    seat: Seat
    card: str | None
    boosted: bool | None

    def apply(self, state: State) -> None:
        """The card is still in the hand."""
        assert self.boosted is not None, "a redacted event cannot be folded"
        state.clans[self.seat].reaction = Reaction(self.card, self.boosted)


class TacticPlayed(Event[State]):
    """A seat played a tactic card: GW-9.3."""

    reveals: ClassVar[bool] = True

    seat: Seat
    card: str
    boosted: bool

    def apply(self, state: State) -> None:
        """It lies on the table until its effect is over."""
        clan = state.clans[self.seat]
        clan.tactics = without(clan.tactics, self.card)
        clan.reaction = None
        state.played = (*state.played, self.card)


class TacticSpent(Event[State]):
    """The effect of a tactic card is over: GW-9.3."""

    card: str

    def apply(self, state: State) -> None:
        """To the discard."""
        state.played = without(state.played, self.card)
        state.tactic_discard = (*state.tactic_discard, self.card)


class MomentPassed(Event[State]):
    """The cards that these seats chose at a moment were played, or could not be: GW-9.4."""

    reveals: ClassVar[bool] = True

    seats: tuple[Seat, ...]

    def apply(self, state: State) -> None:
        """What they chose is forgotten."""
        for seat in self.seats:
            state.clans[seat].reaction = None


class PassOrdered(Event[State]):
    """A seat lets moments pass without being asked: for a while, or such ones always: GW-9.4."""

    seat: Seat
    until: str  # `turn`, `card`, or the window that it always lets pass

    def apply(self, state: State) -> None:
        """From now on."""
        clan = state.clans[self.seat]
        clan.passing = (*clan.passing, self.until)


class PassesWithdrawn(Event[State]):
    """A seat is asked for tactic cards again: GW-9.4."""

    seat: Seat

    def apply(self, state: State) -> None:
        """All its orders are gone."""
        state.clans[self.seat].passing = ()
