"""Steps about soldiers: recruits, attacks, wounds, defeats, kills."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill

Origin = Literal["pool", "rest", "firing"]
PlaceOfUnit = Literal["horde", "firing", "rest"]


class Tally(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The results of an attack event so far: GW-10.9."""

    types: tuple[board.Soldier, ...] = ()
    sections: tuple[board.Section, ...] = ()
    hordes: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()  # Horde cards whose last free Vital spot it filled
    covered: tuple[tuple[str, int], ...] = ()  # Horde cards, each with a soldier's first spot


class Unit(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A soldier that may be killed, and where it is: GW-10.12, GW-10.13."""

    soldier: board.Soldier
    section: board.Section
    place: PlaceOfUnit
    card: str | None = None
    spot: int | None = None  # its first spot on that card


class Recruit(Step, kw_only=True):
    """Name up to `left` more recruits: GW-8.6."""

    left: int
    types: tuple[board.Soldier, ...]
    cost: Bill | None = None  # of each soldier; None for the normal costs
    less: int = 0
    free: bool = False
    named: tuple[board.Soldier, ...] = ()


class Deploy(Step, kw_only=True):
    """Let each recruit attack, or send it to a Rest Zone: GW-8.6."""

    left: tuple[board.Soldier, ...]
    recruited: tuple[board.Soldier, ...]
    tally: Tally = Tally()
    resting: tuple[tuple[board.Section, board.Soldier], ...] = ()
    firing: tuple[board.Section, ...] = ()


class Attacking(Step, kw_only=True):
    """Attack with soldiers in Rest Zones and Firing spots."""

    left: int | None  # how many more soldiers; None for all that can, which then must
    types: tuple[board.Soldier, ...]
    origins: tuple[Origin, ...]
    sections: int  # how many more Sections may be chosen
    chosen: tuple[board.Section, ...] = ()
    each_section: int | None = None
    made: tuple[int, ...] = (0, 0, 0)  # by Section, the attacks of this effect
    shot: tuple[int, ...] = (0, 0, 0)  # by Section, Archers in Firing spots that shoot no more
    spare: tuple[tuple[board.Section, board.Soldier], ...] = ()
    """Soldiers in Rest Zones that may not attack."""
    tally: Tally = Tally()
    rule: str = "GW-10.2"


class ReedSpearman(Step):
    """Put a Spearman of the Reed Clan on a Vital spot: GW-15.7."""


class AttackOver(Step, kw_only=True):
    """End an attack event: GW-10.9."""

    seat: Seat
    tally: Tally


class Wounding(Step, kw_only=True):
    """Put up to `left` more Wound markers on Horde cards: GW-18.6."""

    left: int
    first_row: bool
    sections: tuple[board.Section, ...]
    one: bool = False  # whether all go to one Section
    cards: tuple[str, ...] = ()  # only on one of these cards; on any if empty
    filled: tuple[str, ...] = ()


class DefeatCheck(Step):
    """Find which Horde cards are full: GW-10.11."""


class Defeat(Step, kw_only=True):
    """Defeat a full Horde card, after tactic cards: GW-10.11."""

    card: str


class Defeated(Step, kw_only=True):
    """Resolve honor, kills and the claim of a defeated Horde card: GW-10.11."""

    card: str
    defeater: int | None


class Slay(Step, kw_only=True):
    """Kill soldiers of a clan on a defeated Horde card: GW-10.11."""

    clan: int
    card: str


class TakeAway(Step, kw_only=True):
    """Remove a defeated Horde card from the board: GW-10.11."""

    card: str
    defeater: int | None


class ChooseDoomed(Step, kw_only=True):
    """Choose which of these soldiers of the seat are about to be killed: GW-10.11."""

    left: int
    units: tuple[Unit, ...]
    cause: str | UnsetType = UNSET  # by which rule they die; not in entries before version 5


class KillBatch(Step, kw_only=True):
    """Soldiers of one clan are about to be killed by one event: GW-10.12."""

    clan: int
    doomed: tuple[Unit, ...] = ()
    rule: str = "GW-13.6"


class Dying(Step, kw_only=True):
    """Kill the soldiers, except the saved ones: GW-10.12."""

    clan: int
    doomed: tuple[Unit, ...]
    saved: tuple[Unit, ...] = ()
    rule: str = "GW-13.6"


class Save(Step, kw_only=True):
    """Save up to `left` more of the soldiers that are about to be killed: GW-10.12."""

    left: int
    bill: Bill
    cause: str | UnsetType = UNSET  # by which rule they die; not in entries before version 5
