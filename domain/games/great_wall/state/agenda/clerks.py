"""Steps about clerks and Locations."""

from __future__ import annotations

from typing import Literal

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill

Spread = Literal["any", "distinct", "one_or_two"]


class MoveClerks(Step, kw_only=True):
    """Move up to `left` more clerks, each at most once: GW-6.2."""

    left: int
    spread: Spread
    moved: tuple[board.Location, ...] = ()  # destinations of clerks by this effect
    rule: str = "GW-6.2"


class MoveReedClerks(Step, kw_only=True):
    """Move up to `left` more clerks of the Reed Clan."""

    left: int
    moved: tuple[board.Location, ...] = ()
    rule: str = "GW-15.5"


class MoveQinClerks(Step):
    """Clerks of Qin Jiushao move on the turn of the Reed Clan: GW-14.6, GW-15.5."""


class QinActivations(Step, kw_only=True):
    """Qin Jiushao resolves `left` more Locations, full or not: GW-18.9."""

    left: int


class SendBack(Step, kw_only=True):
    """Take `left` clerks back to the pool: GW-18.6."""

    left: int
    where: str


class ActivationStep(Step):
    """Find which Locations activate: GW-6.4."""


class NextActivation(Step, kw_only=True):
    """Ask which of these Locations is resolved next: GW-6.4."""

    waiting: tuple[board.Location, ...]


class OrderActivations(Step, kw_only=True):
    """Choose which of these Locations is resolved next: GW-6.4."""

    waiting: tuple[board.Location, ...]


class AdvancedActivation(Step, kw_only=True):
    """Resolve up to `left` more Locations, full or not: GW-6.6."""

    left: int
    where: str


class ResolveLocation(Step, kw_only=True):
    """Resolve a Location: GW-6.5."""

    location: board.Location
    advanced: bool = False


class ResolveFor(Step, kw_only=True):
    """Let one clan resolve a Location with all its clerks there: GW-6.5."""

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
    """Move the Tea marker of a clan up, by one or to the top: GW-8.7."""

    clan: int
    top: bool


class ReturnClerks(Step, kw_only=True):
    """Return the clerks in a Location: GW-6.5."""

    location: board.Location


class Upgrade(Step, kw_only=True):
    """Upgrade up to `left` more Overseers, each in another Location: GW-8.4."""

    left: int
    where: tuple[board.Location, ...]
    less: int = 0
    free: bool = False


class UpgradeNow(Step, kw_only=True):
    """Do an upgrade that is paid: GW-8.4."""

    seat: Seat
    location: board.Location
    soldier: board.Soldier | None


class Donate(Step, kw_only=True):
    """Put up to `left` more resources into the Warehouse: GW-8.5."""

    left: int
    resources: tuple[board.Resource, ...]


class TakeIncomes(Step, kw_only=True):
    """Take what up to `left` more Overseers yield: GW-18.6."""

    left: int
    where: str
    others: bool = False  # Overseers of one other clan, not one's own
    done: tuple[tuple[int, board.Location], ...] = ()


class Build(Step, kw_only=True):
    """Build up to `left` more Barricades or Wall parts: GW-8.8."""

    left: int
    barricades: tuple[board.Section, ...]  # Sections where Barricades may be built
    walls: tuple[board.Section, ...]  # Sections where Wall parts may be built
    less: int = 0
    free: bool = False
    honor: bool = True


class BuildNow(Step, kw_only=True):
    """Build a Barricade or Wall part that is paid: GW-8.8."""

    seat: Seat
    section: board.Section
    wall: bool
    honor: bool = True


class ReedBarricade(Step):
    """Put a Barricade on a Section for the Reed Clan: GW-15.7."""


class Hire(Step, kw_only=True):
    """Hire up to `left` more clerks and advisors: GW-8.9."""

    left: int
    clerk: Bill | None  # what a clerk costs; None if clerks cannot be hired
    advisors: bool
    less: int = 0


class HireNow(Step, kw_only=True):
    """Hire a clerk, or this advisor, that is paid: GW-8.9."""

    seat: Seat
    advisor: str | None = None
    active: bool = False


class ReedAdvisor(Step):
    """Discard an advisor of the track for the Reed Clan: GW-15.7."""


class Logistics(Step, kw_only=True):
    """Make up to `left` more moves of soldiers from one Section to another: GW-8.10."""

    left: int
    route: tuple[board.Section, board.Section] | None = None  # of the current move
