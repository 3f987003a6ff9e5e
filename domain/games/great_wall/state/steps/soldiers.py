"""What there can still be to do with soldiers: recruits, attacks, wounds, defeats, kills."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.play import Seat, Step
from domain.games.great_wall import board
from domain.games.great_wall.state.bills import Bill

Origin = Literal["pool", "rest", "firing"]
PlaceOfUnit = Literal["horde", "firing", "rest"]


class Tally(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an attack event has come to so far: GW-10.9."""

    types: tuple[board.Soldier, ...] = ()
    sections: tuple[board.Section, ...] = ()
    hordes: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()  # Horde cards whose last free Vital spot it took
    covered: tuple[tuple[str, int], ...] = ()  # Horde cards and the first spot of a soldier there


class Unit(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A soldier that may be killed, and where it is: GW-10.12, GW-10.13."""

    soldier: board.Soldier
    section: board.Section
    place: PlaceOfUnit
    card: str | None = None
    spot: int | None = None  # its first spot on that card


class Recruit(Step, kw_only=True):
    """Name so many more recruits: GW-8.6, GW-18.6."""

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
    """Attack with soldiers of Rest Zones and Firing spots: GW-10.2, GW-18.6."""

    left: int | None  # how many soldiers more; None for all that can, which then must
    types: tuple[board.Soldier, ...]
    origins: tuple[Origin, ...]
    sections: int  # how many Sections more may be chosen
    chosen: tuple[board.Section, ...] = ()
    each_section: int | None = None
    made: tuple[int, ...] = (0, 0, 0)  # by Section, the attacks of this effect
    shot: tuple[int, ...] = (0, 0, 0)  # by Section, Archers in Firing spots that shoot no more
    spare: tuple[tuple[board.Section, board.Soldier], ...] = ()
    """Soldiers in Rest Zones that may not attack."""
    tally: Tally = Tally()


class ReedSpearman(Step):
    """Put a Spearman of the Reed Clan on a Vital spot: GW-15.7."""


class AttackOver(Step, kw_only=True):
    """Everything of an attack event is in its place: GW-10.9."""

    seat: Seat
    tally: Tally


class Wounding(Step, kw_only=True):
    """Put so many more Wound markers on Horde cards: GW-18.6."""

    left: int
    first_row: bool
    sections: tuple[board.Section, ...]
    one: bool = False  # whether all of them go to one Section
    cards: tuple[str, ...] = ()  # to one of these cards only; to any if there are none
    filled: tuple[str, ...] = ()


class DefeatCheck(Step):
    """See which Horde cards are full: GW-10.11."""


class Defeat(Step, kw_only=True):
    """A full Horde card is about to be defeated: GW-10.11."""

    card: str


class Defeated(Step, kw_only=True):
    """Honor, kills and the claim of a defeated Horde card: GW-10.11."""

    card: str
    defeater: int | None


class Slay(Step, kw_only=True):
    """The soldiers that a clan loses on a defeated Horde card: GW-10.11."""

    clan: int
    card: str


class TakeAway(Step, kw_only=True):
    """A defeated Horde card leaves the board: GW-10.11."""

    card: str
    defeater: int | None


class ChooseDoomed(Step, kw_only=True):
    """Choose which of these own soldiers are about to be killed: GW-10.11."""

    left: int
    units: tuple[Unit, ...]


class KillBatch(Step, kw_only=True):
    """Soldiers of one clan are about to be killed by one event: GW-10.12."""

    clan: int
    doomed: tuple[Unit, ...] = ()


class Dying(Step, kw_only=True):
    """They die, but for those that were saved: GW-10.12."""

    clan: int
    doomed: tuple[Unit, ...]
    saved: tuple[Unit, ...] = ()


class Save(Step, kw_only=True):
    """Save so many more of the soldiers that are about to be killed: GW-10.12."""

    left: int
    bill: Bill
