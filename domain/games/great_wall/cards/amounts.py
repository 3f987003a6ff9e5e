"""Words that all phrases of the cards share: amounts, costs, selectors: GW-18.1 to GW-18.3."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from domain.games.great_wall.board import Location, Resource, Soldier

Counter = Literal[
    "supporting_advisors",  # your Supporting Advisors
    "active_advisors",  # your Active Advisors
    "advisors",  # all your Advisors
    "overseers",  # your standing Overseers
    "overseer_levels",  # the sum of the levels of your Overseers
    "clerks_owned",  # your clerks in the pool and on Locations
    "soldiers_fielded",  # your soldiers in Rest Zones, Firing spots and on Horde cards
    "archers_firing",  # your Archers in Firing spots
    "sections_with_own_firing_archer",  # Sections where you have an Archer in a Firing spot
    "archers_on_highest_walls",  # Archers in Firing spots where the Wall is highest, not level 0
    "hordes_claimed",  # Horde cards you claimed
    "vital_spots_claimed",  # Vital spots printed on the Horde cards you claimed
    "tactics_in_hand",  # your tactic cards
    "commands_in_hand",  # your command cards in hand
    "commands_in_discard",  # your command cards in the discard
    "commands_on_track",  # cards with this `name` on the Command track, of all clans
    "same_name_commands_on_track",  # cards there with the name of the one you played, and that one
    "resources_in_pool",  # your resources, all types together
    "shame_tokens",  # your Shame tokens
    "wall_levels_total",  # the built levels of all Sections in use
    "killed_now",  # your soldiers killed in this event
    "about_to_die_now",  # your soldiers about to be killed in this event, before Saving
    "shame_gained_now",  # Shame tokens you received in this event
    "saved_now",  # your soldiers saved in this event
    "recruited_now",  # soldiers you recruited in this event
    "last_wounds_now",  # Horde cards of which you filled the last free Vital spot in this event
    "wall_level_now",  # the level built in this event
    "lethality",  # the Lethality of the Year
    "year",  # the number of the Year
    "players",  # human players
    "hordes_on_board",  # Horde cards on the board
]
"""What an amount can count: GW-18.7."""

MAX_NUMBER = 999
"""The largest number on a card. A larger one would keep the table busy for too long."""
Positive = Annotated[int, msgspec.Meta(ge=1, le=MAX_NUMBER)]
Natural = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]
Whole = Annotated[int, msgspec.Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Resources = Annotated[tuple[Resource, ...], msgspec.Meta(min_length=1)]
Soldiers = Annotated[tuple[Soldier, ...], msgspec.Meta(min_length=1)]
Places = Literal["any", "production", "regular", "special"] | Location
"""A Location, or all Locations of a kind: GW-18.3."""

NAMED_COUNTER: Counter = "commands_on_track"
"""The only counter that needs a `name`."""


def to_snake_case(name: str) -> str:
    """The name of a class as cards write it: `gain_shame` for `GainShame`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a card's text in the data files. Unknown members are refused."""


class Count(Phrase, frozen=True):
    """A counted number: count x mul x times + plus, at least 0 and at most `max`: GW-18.1."""

    count: Counter
    mul: Natural = 1
    plus: Whole = 0
    max: Natural | None = None
    times: Counter | None = None  # a second counter
    name: str | None = None  # the command card that `commands_on_track` counts

    def __post_init__(self) -> None:
        """Refuse a name where the counter needs none, and a missing name where it needs one."""
        if (self.name is not None) != (self.count == NAMED_COUNTER):
            raise ValueError(f"only `{NAMED_COUNTER}` needs a `name`")


class Limit(Count, frozen=True, kw_only=True):
    """A counted number and the number to compare it with: GW-18.7."""

    n: Whole


Amount = Natural | Count
"""A fixed or a counted number: GW-18.1."""


class Cost(Phrase, frozen=True):
    """A cost, paid in full or not at all: GW-18.2."""

    wood: Natural = 0
    stone: Natural = 0
    gold: Natural = 0
    chi: Natural = 0
    honor: Natural = 0
    any_of_wsg: Natural = 0  # any of wood, stone and gold

    def __post_init__(self) -> None:
        """Refuse an empty cost."""
        if not any(msgspec.structs.astuple(self)):
            raise ValueError("a cost must not be empty")
