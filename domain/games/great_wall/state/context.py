"""What an ability or a card can ask about the event that it answers."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.games.great_wall import board

Choice = Literal["reclaim", "honor"]


class Context(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The event that abilities and cards answer: GW-18.11. All of it is public."""

    location: board.Location | None = None
    clerks: int = 0  # how many of the clan's clerks were in the resolved Location
    sections: tuple[board.Section, ...] = ()
    hordes: tuple[str, ...] = ()  # the Horde cards of the event
    types: tuple[board.Soldier, ...] = ()  # the types of soldiers that took part
    defeater: int | None = None  # the clan that claims the defeated Horde card
    participants: tuple[int, ...] = ()  # clans with soldiers on it
    choice: Choice | None = None  # in Summer
    killed: int = 0
    dying: int = 0  # before any is saved
    saved: int = 0
    shame: int = 0  # tokens received
    recruited: int = 0
    last_wounds: int = 0  # Horde cards whose last free Vital spot was filled
    level: int = 0  # of the new Wall part
    resting: tuple[tuple[board.Section, board.Soldier], ...] = ()
    """Recruits of this event that went to a Rest Zone."""
    firing: tuple[board.Section, ...] = ()
    """The Sections where Archers recruited in this event took a Firing spot, one entry for each."""


NOTHING = Context()
