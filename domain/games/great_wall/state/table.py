"""The state of the table, and the agenda."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from typing import Any, Literal, Self

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.cards import automata
from domain.games.great_wall.state import crowds
from domain.games.great_wall.state.clans import OF_QIN, SOURCES, Clan, Overseer
from domain.games.great_wall.state.counts import Counts
from domain.games.great_wall.state.crowds import Crowd, Places
from domain.games.great_wall.state.hordes import Horde
from domain.games.great_wall.state.names import ClanNumber
from domain.games.great_wall.state.setup import Setup

EndReason = Literal["walls", "shame", "time", "requests"]
Season = Literal["spring", "summer", "fall", "winter"]

_SLOTS: dict[board.Side, dict[board.Location, int | None]] = {
    side: {location: place.slots[side] for location, place in board.PLACES.items()}
    for side in board.TIME_TRACK
}


class LaidCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command card on the Command track, and its owner."""

    clan: ClanNumber
    card: str


class ClerkBonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clan whose clerks count as more in some Locations until the end of the turn: GW-6.8."""

    clan: ClanNumber
    where: str
    each: int


class PlacedHorde(msgspec.Struct, frozen=True):
    """A Horde card on the board, with its place."""

    section: board.Section
    row: int
    horde: Horde


class State(msgspec.Struct):
    """The table. All values except the agenda and the clans are immutable."""

    setup: Setup
    agenda: list[Any]
    clans: list[Clan]  # the seats, then the Reed Clan and Qin Jiushao if they take part
    tea: tuple[int, ...]  # clans from the top of the stack to the bottom
    shame: int  # Shame tokens in the pool
    barricades: Counts  # by Section
    horde_deck: tuple[str, ...]  # without an order, as all decks
    general_deck: tuple[str, ...]
    advisor_deck: tuple[str, ...]
    tactic_deck: tuple[str, ...]
    track: tuple[LaidCommand | None, ...]
    slot: int  # of the Time token
    walls: Counts = (0,) * len(board.SECTIONS)  # by Section
    warehouse: Counts = (0,) * len(board.RESOURCES)
    hordes: tuple[tuple[Horde, ...], ...] = ((),) * len(board.SECTIONS)
    """By Section, the Horde cards from the first row back."""
    indicator: board.Section | None = None  # on the back of the top Horde card
    horde_discard: tuple[str, ...] = ()
    advisor_discard: tuple[str, ...] = ()
    tactic_discard: tuple[str, ...] = ()
    played: tuple[str, ...] = ()  # tactic cards whose effect is not over
    advisors: tuple[str, ...] = ()  # the advisor track from the left
    artifacts: tuple[str, ...] = ()
    request_deck: tuple[str, ...] = ()  # this and the following in the cooperative game only
    requests: tuple[str, ...] = ()  # open Requests, in the order in which they were opened
    fulfilled: tuple[str, ...] = ()  # Requests, in the order in which they were fulfilled
    event_deck: tuple[str, ...] = ()
    events: tuple[str, ...] = ()  # those that were revealed, in this order
    breaches: int = 0  # Sections that were breached this Year
    defeats: int = 0  # Horde cards that were defeated this Year
    season: Season | None = None  # None before the first Year
    active: int | None = None  # the clan whose command card is being resolved: GW-1.9
    doubled: tuple[ClerkBonus, ...] = ()
    tokens: tuple[automata.Token, ...] = ()  # the Location track of Qin, the highest first
    solo_deck: tuple[str, ...] = ()  # his command cards, in no order
    ended: EndReason | None = None
    winners: tuple[int, ...] = ()

    def copy(self) -> Self:
        """A copy of the table that shares nothing mutable."""
        new = copy(self)
        new.agenda = self.agenda[:]
        new.clans = [copy(clan) for clan in self.clans]
        return new

    @property
    def seats(self) -> int:
        """How many humans or bots play."""
        return self.setup.table.players

    @property
    def reed(self) -> int | None:
        """The number of the Reed Clan; None if it takes no part: GW-15.2."""
        return self.seats if self.setup.table.reed else None

    @property
    def qin(self) -> int | None:
        """The number of Qin Jiushao; None if he takes no part: GW-14.2."""
        return self.seats + 1 if self.setup.table.qin else None

    @property
    def coop(self) -> bool:
        """Whether this is the cooperative game: GW-16.1."""
        return self.setup.table.mode == "coop"

    @property
    def players(self) -> tuple[int, ...]:
        """The clans of players, in Tea order: GW-1.3."""
        return _players(self.tea, self.setup.table.players)

    @property
    def fighters(self) -> tuple[int, ...]:
        """The clans that fight for honor: those of players, and Qin: GW-1.3, GW-14.9."""
        return _others(self.tea, self.reed)

    @property
    def year(self) -> int:
        """The number of the current Year: GW-4.1."""
        return self.setup.slots[self.slot].year

    def wall(self, section: board.Section) -> int:
        """The built level of a Section: GW-8.8."""
        return self.walls[board.SECTION_NUMBER[section]]

    def barricades_in(self, section: board.Section) -> int:
        """How many Barricades stand in a Section: GW-8.8."""
        return self.barricades[board.SECTION_NUMBER[section]]

    def horde_cards(self, section: board.Section) -> tuple[Horde, ...]:
        """The Horde cards of a Section, from the first row back."""
        return self.hordes[board.SECTION_NUMBER[section]]

    def hordes_on_board(self) -> Iterator[PlacedHorde]:
        """All Horde cards on the board, Sections left to right, from the first row back."""
        for section in self.setup.table.sections:
            for row, horde in enumerate(self.horde_cards(section)):
                yield PlacedHorde(section, row, horde)

    def command_cards(self) -> Iterator[LaidCommand]:
        """The command cards of this Fall: those on the track, and those still to be placed."""
        yield from (laid for laid in self.track if laid)
        for clan, owned in enumerate(self.clans):
            if owned.shown:
                yield LaidCommand(clan, owned.shown)

    def find_horde(self, card: str) -> PlacedHorde | None:
        """The place of a Horde card on the board; None if it is elsewhere."""
        return next((place for place in self.hordes_on_board() if place.horde.card == card), None)

    def crowd(self) -> Crowd:
        """All clerks in all Locations."""
        there = 0
        for clan in self.clans:
            there += crowds.crowd(clan.clerks)
        return there

    def find_full_places(self) -> Places:
        """The regular Locations without a free slot: GW-6.3."""
        return crowds.find_full(self.crowd(), self.setup.table.side)

    def find_visited_places(self) -> Places:
        """The Locations with a clerk that is not of the Reed Clan: GW-6.3, GW-6.6."""
        there = self.crowd()
        if self.setup.table.reed:
            there -= crowds.crowd(self.clans[self.setup.table.players].clerks)
        return crowds.find_visited(there)

    def clerks_at(self, location: board.Location) -> int:
        """How many clerks of all clans are in this Location."""
        number, total = board.LOCATION_NUMBER[location], 0
        for clan in self.clans:  # a loop, because bots ask this for nearly every move
            total += clan.clerks[number]
        return total

    def free_slots(self, location: board.Location) -> int | None:
        """How many more clerks fit into a Location; None without a limit: GW-6.1."""
        slots = _SLOTS[self.setup.table.side][location]
        return None if slots is None else slots - self.clerks_at(location)

    def is_full(self, location: board.Location) -> bool:
        """Whether a regular Location has no free slot: GW-6.3."""
        slots = _SLOTS[self.setup.table.side][location]
        return slots is not None and slots <= self.clerks_at(location)

    def free_firing_spots(self, section: board.Section) -> int:
        """How many more Archers can stand in the Firing spots of a Section: GW-10.5."""
        number = board.SECTION_NUMBER[section]
        taken = sum(clan.firing[number] for clan in self.clans)
        return board.WALL[self.walls[number]].firing_spots - taken


@lru_cache(maxsize=1024)
def _players(tea: tuple[int, ...], seats: int) -> tuple[int, ...]:
    return tuple(clan for clan in tea if clan < seats)


@lru_cache(maxsize=1024)
def _others(tea: tuple[int, ...], reed: int | None) -> tuple[int, ...]:
    return tuple(clan for clan in tea if clan != reed)


def blank(setup: Setup, seats: int) -> State:
    """An empty table with clans, Barricades and Shame pool, before any card: GW-2.1, GW-2.7."""
    table = setup.table
    clans = [Clan(table.clerks_pool, table.clerks_space, board.TROOPS) for _ in range(seats)]
    if table.reed:
        clans.append(_make_reed())
    if table.qin:
        clans.append(_make_qin(setup))
    return State(
        setup=setup,
        agenda=[],
        clans=clans,
        tea=tuple(range(len(clans))),
        shame=table.shame_pool,
        barricades=tuple(
            board.BARRICADES if section in table.sections else 0 for section in board.SECTIONS
        ),
        horde_deck=setup.hordes,
        general_deck=setup.generals,
        advisor_deck=setup.advisors,
        tactic_deck=setup.tactics,
        request_deck=setup.requests,
        event_deck=setup.events,
        track=(None,) * table.command_slots,
        slot=table.start_slot,
        tokens=automata.TOKENS if table.qin else (),
        solo_deck=tuple(automata.SOLO) if table.qin else (),
    )


def _make_reed() -> Clan:
    """The Reed Clan: clerks on three Locations, and Spearmen: GW-15.2."""
    at_start = automata.REED.start_locations
    clerks = tuple(int(location in at_start) for location in board.LOCATIONS)
    return Clan(0, 0, (board.TROOPS[board.SPEARMAN], 0, 0), clerks=clerks)


def _make_qin(setup: Setup) -> Clan:
    """Qin: all clerks in the pool, an Overseer in each production Location, some honor: GW-14.2."""
    level, soldiers = automata.QIN.start_overseers.level, automata.OVERSEERS
    honor = board.SOLO_HONOR[setup.difficulty]
    return Clan(
        automata.QIN.clerks,
        0,
        tuple(
            count - list(soldiers.values()).count(soldier)
            for soldier, count in zip(board.SOLDIERS, board.TROOPS, strict=True)
        ),
        overseers=tuple(Overseer(level, soldiers[place]) for place in board.PRODUCTION),
        honor=honor,
        counted=tuple(honor if source == OF_QIN[0] else 0 for source in SOURCES),
    )
