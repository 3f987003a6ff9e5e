"""What a clan owns."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.state.counts import Counts
from domain.games.great_wall.state.names import HordeCard

Source = Literal[
    "participation",  # soldiers and Archers at defeated Horde cards
    "spots",  # rewards of Vital spots
    "walls",
    "barricades",
    "donations",
    "command_cards",  # their effects, and honor for those left in the discard
    "generals",
    "advisors",
    "tactics",
    "shame",  # losses for tokens without a place
    "costs",  # payments
    "hordes",  # claimed Horde cards that count at once: GW-16.9
    "difficulty",  # what Qin Jiushao began with; only he has this and what follows
    "locations",  # his clerks in production Locations
    "wounds",  # Vital spots that he covered or wounded
]
"""The sources of the honor of a clan."""
SOURCES: tuple[Source, ...] = get_args(Source)
SOURCE_NUMBER: dict[Source, int] = {source: number for number, source in enumerate(SOURCES)}
OF_QIN: tuple[Source, ...] = ("difficulty", "locations", "wounds")
"""The sources that only Qin Jiushao has: GW-14.7, GW-14.8, GW-14.15."""
PRODUCTION_NUMBER = {place: number for number, place in enumerate(board.PRODUCTION)}
_NO_SECTION = (0,) * len(board.SECTIONS)
_NO_LOCATION = (0,) * len(board.LOCATIONS)
_NOBODY: tuple[Counts, ...] = ((0,) * len(board.SOLDIERS),) * len(board.SECTIONS)


class Overseer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Overseer: a soldier on the slots of a production Location: GW-8.4."""

    level: Annotated[int, msgspec.Meta(ge=1, le=board.OVERSEER_TOP)]
    soldier: board.Soldier


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A claimed Horde card, and the Shame tokens on it: GW-11.2."""

    card: HordeCard
    shame: int = 0


class Leaders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The General that a clan kept, and its advisors: GW-2.8."""

    general: str
    active: str
    supporting: str


class Reaction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a seat while others may still react: a tactic card, or none."""

    card: str | None = None
    boosted: bool = False


class Clan(msgspec.Struct):
    """Everything of one clan. All values are immutable, so that copies can share them."""

    clerks_pool: int
    clerks_space: int
    pool: Counts  # by type: available soldiers
    shamed: Counts = (0, 0, 0)  # by type: soldiers in the pool under a Shame token
    lost: Counts = (0, 0, 0)  # by type: soldiers that left the game: GW-16.11
    resources: Counts = (0, 0, 0, 0)
    clerks: Counts = _NO_LOCATION  # by Location
    overseers: tuple[Overseer | None, ...] = (None,) * len(board.PRODUCTION)
    rest: tuple[Counts, ...] = _NOBODY  # by Section and type: soldiers in the Rest Zone
    firing: Counts = _NO_SECTION  # by Section: Archers in Firing spots
    general: str = ""
    active: tuple[str, ...] = ()  # Active Advisors, in the order they were hired
    supporting: tuple[str, ...] = ()  # Supporting Advisors, that of the setup first
    hand: tuple[str, ...] = ()  # command cards in hand, in the order of the data
    discard: tuple[str, ...] = ()  # command cards in the discard, in the order of the data
    tactics: tuple[str, ...] = ()  # tactic cards in hand
    claimed: tuple[Claim, ...] = ()
    defeated: tuple[str, ...] = ()  # Horde cards it claimed that were discarded at once: GW-16.9
    honor: int = 0
    counted: Counts = (0,) * len(SOURCES)  # by source: the honor it got
    dealt_generals: tuple[str, ...] = ()  # until the leaders are revealed: GW-2.8
    dealt_advisors: tuple[str, ...] = ()
    leaders: Leaders | None = None  # chosen, not yet revealed
    command: str | None = None  # chosen, not yet revealed: GW-7.1
    shown: str | None = None  # revealed, not yet on the track: GW-7.2
    reaction: Reaction | None = None  # answered, not yet resolved: GW-9.4
    passing: tuple[str, ...] = ()  # what this seat lets pass without a question: GW-9.4

    @property
    def clerks_owned(self) -> int:
        """Clerks in the pool and on Locations: GW-18.7."""
        return self.clerks_pool + sum(self.clerks)

    @property
    def advisors(self) -> int:
        """All advisors: GW-8.9."""
        return len(self.active) + len(self.supporting)

    @property
    def all_claimed(self) -> tuple[str, ...]:
        """All Horde cards that it claimed, kept or not: GW-18.7."""
        return (*(claim.card for claim in self.claimed), *self.defeated)

    @property
    def shame(self) -> int:
        """All Shame tokens, under soldiers and on Horde cards: GW-11.2."""
        return sum(self.shamed) + sum(claim.shame for claim in self.claimed)

    def at(self, location: board.Location) -> int:
        """How many clerks are in this Location."""
        return self.clerks[board.LOCATION_NUMBER[location]]

    def overseer(self, location: board.Location) -> Overseer | None:
        """The Overseer in a production Location; None without one."""
        return self.overseers[PRODUCTION_NUMBER[location]]

    def level(self, location: board.Location) -> int:
        """The level of the Overseer there; 0 without one: GW-8.3."""
        overseer = self.overseer(location)
        return overseer.level if overseer else 0

    def resting(self, section: board.Section) -> Counts:
        """By type, the soldiers in the Rest Zone of this Section."""
        return self.rest[board.SECTION_NUMBER[section]]

    def firing_in(self, section: board.Section) -> int:
        """How many Archers stand in the Firing spots of this Section."""
        return self.firing[board.SECTION_NUMBER[section]]

    def has(self, resource: board.Resource) -> int:
        """How many of this resource the clan has."""
        return self.resources[board.RESOURCE_NUMBER[resource]]
