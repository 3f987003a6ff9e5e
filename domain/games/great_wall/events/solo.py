"""Qin Jiushao: his card, what he does and by which rule."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.cards.automata import Token
from domain.games.great_wall.events.changes import score
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.steps.year import Part
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
"""What Qin Jiushao does, himself or as Overlord of the Reed Clan."""


class PartOfCard(msgspec.Struct, frozen=True):
    """A part of a command card, his own or that of another clan."""

    card: str
    part: Part


class LocationTrackLaid(Event[State]):
    """The Location tokens of Qin Jiushao were laid by chance, the highest first: GW-14.3."""

    reveals: ClassVar[bool] = True

    tokens: tuple[Token, ...]

    def apply(self, state: State) -> None:
        """Beside his card."""
        state.tokens = self.tokens


class SupportersLaid(Event[State]):
    """Advisors were laid face down under the card of Qin Jiushao; nobody saw them: GW-14.3."""

    hidden: ClassVar[tuple[str, ...]] = ("advisors",)

    clan: int
    advisors: tuple[str | None, ...]

    def apply(self, state: State) -> None:
        """From the deck."""
        laid = tuple(card for card in self.advisors if card)
        state.clans[self.clan].supporting = laid
        state.advisor_deck = tuple(card for card in state.advisor_deck if card not in laid)


class SoloCommandsReshuffled(Event[State]):
    """The discarded command cards of Qin Jiushao became his deck: GW-1.4."""

    clan: int
    cards: tuple[str, ...]

    def apply(self, state: State) -> None:
        """In no order."""
        state.solo_deck, state.clans[self.clan].discard = self.cards, ()


class SoloCommandDrawn(Event[State]):
    """The top command card of Qin Jiushao was drawn: GW-14.5."""

    reveals: ClassVar[bool] = True

    clan: int
    card: str

    def apply(self, state: State) -> None:
        """Shown; it waits for its slot."""
        state.solo_deck = without(state.solo_deck, self.card)
        state.clans[self.clan].shown = self.card


class QinActed(Event[State]):
    """Qin Jiushao does something by a part of a command card, or by a rule alone: GW-14.5.

    What comes of it is told next; nothing, if nothing could be done.
    """

    does: Deed
    rule: str
    """The rule by which he chooses how."""
    by: PartOfCard | None = None  # none if the rule alone has him do it

    def apply(self, state: State) -> None:
        """Nothing changes yet."""


class QinChose(Event[State]):
    """Of the Locations that activate Qin Jiushao chose the next one: GW-14.7."""

    location: board.Location
    rule: str

    def apply(self, state: State) -> None:
        """Nothing changes yet."""


class QinGathered(Event[State]):
    """Qin Jiushao got honor in a Location: the level of his Overseer for each clerk: GW-14.7."""

    clan: int
    location: board.Location
    clerks: int
    level: int
    honor: int

    def apply(self, state: State) -> None:
        """No resources."""
        score(state.clans[self.clan], self.honor, "locations")


class TokenRaised(Event[State]):
    """The token of a Location that Qin Jiushao resolved went to the top of his track: GW-14.7."""

    token: Token
    tokens: tuple[Token, ...]

    def apply(self, state: State) -> None:
        """Those before it one place down."""
        state.tokens = self.tokens


class AdvisorGiven(Event[State]):
    """The human chose an advisor of the track for Qin Jiushao: GW-14.13."""

    seat: Seat
    clan: int
    advisor: str

    def apply(self, state: State) -> None:
        """Face down under his card; the others slide to the left."""
        clan = state.clans[self.clan]
        state.advisors = without(state.advisors, self.advisor)
        clan.supporting = (*clan.supporting, self.advisor)


class QinScored(Event[State]):
    """What Qin Jiushao comes to in the end: GW-14.14."""

    clan: int
    honor: int

    def apply(self, state: State) -> None:
        """His honor stays; whoever has more has won."""
