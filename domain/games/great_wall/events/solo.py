"""Qin Jiushao: his card, what he does and by which rule."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards.automata import Token
from domain.games.great_wall.events.changes import score
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.steps import Part
from domain.games.great_wall.state.table import State

Deed = Literal[
    "move",
    "activate",
    "recruit",
    "shoot",
    "upgrade",
    "build_wall",
    "build_barricade",
    "gain",
    "copy",
    "move_reed",
    "reed_attack",
    "reed_barricade",
    "reed_advisor",
]
"""What Qin Jiushao does, for himself or as Overlord of the Reed Clan."""


class PartOfCard(msgspec.Struct, frozen=True):
    """A part of a command card, his own or another clan's."""

    card: str
    part: Part


class LocationTrackLaid(Event[State]):
    """The Location tokens of Qin Jiushao were laid in random order, the highest first: GW-14.3."""

    reveals: ClassVar[bool] = True

    tokens: tuple[Token, ...]

    def apply(self, state: State) -> None:
        """Set his Location track."""
        state.tokens = self.tokens


class SupportersLaid(Event[State]):
    """Advisors were laid face down under the card of Qin Jiushao, unseen by all: GW-14.3."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("advisors",)

    clan: int
    advisors: tuple[str | None, ...]

    def apply(self, state: State) -> None:
        """Move them from the deck."""
        laid = tuple(card for card in self.advisors if card)
        state.clans[self.clan].supporting = laid
        state.advisor_deck = tuple(card for card in state.advisor_deck if card not in laid)


class SoloCommandsReshuffled(Event[State]):
    """The discarded command cards of Qin Jiushao became his deck: GW-1.4."""

    clan: int
    cards: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Make them his deck, without an order."""
        state.solo_deck, state.clans[self.clan].discard = self.cards, ()


class SoloCommandDrawn(Event[State]):
    """The top command card of Qin Jiushao was drawn: GW-14.5."""

    reveals: ClassVar[bool] = True

    clan: int
    card: str

    def apply(self, state: State) -> None:
        """Show the card, which waits for its slot."""
        state.solo_deck = without(state.solo_deck, self.card)
        state.clans[self.clan].shown = self.card


class QinActed(Event[State]):
    """Qin Jiushao does something by a part of a command card, or only by a rule.

    Later events record the result; none do if he could do nothing.
    """

    does: Deed
    rule: str
    by: PartOfCard | None = None  # null if only the rule makes him do it

    def apply(self, state: State) -> None:
        """Change nothing: later events record the result."""


class QinChose(Event[State]):
    """Qin Jiushao chose the next of the Locations that activate."""

    location: board.Location
    rule: str

    def apply(self, state: State) -> None:
        """Change nothing: later events record the result."""


class QinGathered(Event[State]):
    """Qin Jiushao got honor in a Location: for each clerk, the level of his Overseer: GW-14.7."""

    clan: int
    location: board.Location
    clerks: int
    level: int
    honor: int

    def apply(self, state: State) -> None:
        """Add the honor. He gets no resources."""
        score(state.clans[self.clan], self.honor, "locations")


class TokenRaised(Event[State]):
    """The token of a Location that Qin Jiushao resolved went to the top of his track: GW-14.7."""

    token: Token
    tokens: tuple[Token, ...]

    def apply(self, state: State) -> None:
        """Move the token to the top, and those above it down by one."""
        state.tokens = self.tokens


class AdvisorGiven(Event[State]):
    """The human chose an advisor of the track for Qin Jiushao: GW-14.13."""

    seat: Seat
    clan: int
    advisor: str

    def apply(self, state: State) -> None:
        """Move it face down under his card; the others slide to the left."""
        clan = state.clans[self.clan]
        state.advisors = without(state.advisors, self.advisor)
        clan.supporting = (*clan.supporting, self.advisor)


class QinScored(Event[State]):
    """The final score of Qin Jiushao: GW-14.14."""

    clan: int
    honor: int

    def apply(self, state: State) -> None:
        """Change nothing: the score decides who wins."""
