"""What there can still be to do with clerks and in Locations."""

from __future__ import annotations

from typing import Literal

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill

Spread = Literal["any", "distinct", "one_or_two"]


class MoveClerks(Step, kw_only=True):
    """Move so many more clerks, each at most once: GW-6.2."""

    left: int
    spread: Spread
    moved: tuple[board.Location, ...] = ()  # where clerks went by this effect


class MoveReedClerks(Step, kw_only=True):
    """Move so many more clerks of the Reed Clan: GW-15.5, GW-15.6."""

    left: int
    moved: tuple[board.Location, ...] = ()


class MoveQinClerks(Step):
    """Clerks of Qin Jiushao move on the turn of the Reed Clan: GW-14.6, GW-15.5."""


class QinActivations(Step, kw_only=True):
    """Qin Jiushao resolves so many more Locations, be they full or not: GW-18.9."""

    left: int


class SendBack(Step, kw_only=True):
    """Take so many own clerks back to the pool: GW-18.6."""

    left: int
    where: str


class ActivationStep(Step):
    """See which Locations activate: GW-6.4."""


class NextActivation(Step, kw_only=True):
    """Ask which of these Locations is resolved next: GW-6.4."""

    waiting: tuple[board.Location, ...]


class OrderActivations(Step, kw_only=True):
    """Choose which of these Locations is resolved next: GW-6.4."""

    waiting: tuple[board.Location, ...]


class AdvancedActivation(Step, kw_only=True):
    """Resolve so many more Locations, be they full or not: GW-6.6."""

    left: int
    where: str


class ResolveLocation(Step, kw_only=True):
    """Resolve a Location: GW-6.5."""

    location: board.Location
    advanced: bool = False


class ResolveFor(Step, kw_only=True):
    """One clan resolves a Location with all its clerks there: GW-6.5."""

    clan: int
    location: board.Location


class OfferUpgrade(Step, kw_only=True):
    """Ask a seat for an upgrade in the Location that is being resolved: GW-8.4."""

    seat: Seat
    location: board.Location


class OfferDonation(Step, kw_only=True):
    """Ask a seat for a donation in the Location that is being resolved: GW-8.5."""

    seat: Seat
    location: board.Location


class DrinkTea(Step, kw_only=True):
    """The Tea marker of a clan goes up, by one place or to the top: GW-8.7."""

    clan: int
    top: bool


class ReturnClerks(Step, kw_only=True):
    """The clerks in a Location return: GW-6.5."""

    location: board.Location


class Upgrade(Step, kw_only=True):
    """Upgrade so many more Overseers, each in another Location: GW-8.4, GW-18.6."""

    left: int
    where: tuple[board.Location, ...]
    less: int = 0
    free: bool = False


class UpgradeNow(Step, kw_only=True):
    """An upgrade that was paid takes place: GW-8.4."""

    seat: Seat
    location: board.Location
    soldier: board.Soldier | None


class Donate(Step, kw_only=True):
    """Put so many more resources into the Warehouse: GW-8.5, GW-18.6."""

    left: int
    resources: tuple[board.Resource, ...]


class TakeIncomes(Step, kw_only=True):
    """Take what so many more Overseers yield: GW-18.6."""

    left: int
    where: str
    others: bool = False  # Overseers of one other clan, and not the own ones
    done: tuple[tuple[int, board.Location], ...] = ()


class Build(Step, kw_only=True):
    """Build so many more Barricades or Wall parts: GW-8.8, GW-18.6."""

    left: int
    barricades: tuple[board.Section, ...]  # Sections where Barricades may be built
    walls: tuple[board.Section, ...]  # Sections where Wall parts may be built
    less: int = 0
    free: bool = False
    honor: bool = True


class BuildNow(Step, kw_only=True):
    """Something that was paid is built: GW-8.8."""

    seat: Seat
    section: board.Section
    wall: bool
    honor: bool = True


class ReedBarricade(Step):
    """Put a Barricade on a Section for the Reed Clan: GW-15.7."""


class Hire(Step, kw_only=True):
    """Hire so many more clerks and advisors: GW-8.9, GW-18.6."""

    left: int
    clerk: Bill | None  # what a clerk costs; None if clerks cannot be hired
    advisors: bool
    less: int = 0


class HireNow(Step, kw_only=True):
    """A clerk, or this advisor, that was paid is hired: GW-8.9."""

    seat: Seat
    advisor: str | None = None
    active: bool = False


class ReedAdvisor(Step):
    """Discard an advisor of the track for the Reed Clan: GW-15.7."""


class Logistics(Step, kw_only=True):
    """Make so many more moves of soldiers from one Section to another: GW-8.10."""

    left: int
    route: tuple[board.Section, board.Section] | None = None  # of the move that is being made
