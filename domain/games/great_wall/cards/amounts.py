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
    "overseer_levels",  # the sum of their levels
    "clerks_owned",  # your clerks in the pool and on Locations
    "soldiers_fielded",  # your soldiers in Rest Zones, Firing spots and on Horde cards
    "archers_firing",  # your Archers in Firing spots
    "sections_with_own_firing_archer",  # Sections with at least one of them
    "archers_on_highest_walls",  # those of them where the Wall is highest, and not level 0
    "hordes_claimed",  # Horde cards you claimed
    "vital_spots_claimed",  # Vital spots printed on them
    "tactics_in_hand",  # your tactic cards
    "commands_in_hand",  # your command cards in hand
    "commands_in_discard",  # your command cards in the discard
    "commands_on_track",  # cards called `name` on the Command track, whosever
    "same_name_commands_on_track",  # cards there with the name of the one you played, and that one
    "resources_in_pool",  # your resources of all types together
    "shame_tokens",  # your Shame tokens
    "wall_levels_total",  # the built levels of all Sections in use
    "killed_now",  # your soldiers killed in this event
    "about_to_die_now",  # your soldiers about to be killed in it, before Saving
    "shame_gained_now",  # Shame tokens you received in it
    "saved_now",  # your soldiers saved in it
    "recruited_now",  # soldiers you recruited in it
    "last_wounds_now",  # Horde cards of which you filled the last free Vital spot in it
    "wall_level_now",  # the level built in it
    "lethality",  # Lethality of the Year
    "year",  # the number of the Year
    "players",  # human players
    "hordes_on_board",  # Horde cards on the board
]
"""What an amount can count: GW-18.7."""

MOST = 999
"""The largest number on a card: what is larger would keep the table busy for ever."""
Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Natural = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Whole = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Resources = Annotated[tuple[Resource, ...], msgspec.Meta(min_length=1)]
Soldiers = Annotated[tuple[Soldier, ...], msgspec.Meta(min_length=1)]
Places = Literal["any", "production", "regular", "special"] | Location
"""A Location, or all Locations of a kind: GW-18.3."""

NAMED: Counter = "commands_on_track"
"""The counter that needs a `name`."""


def snake(name: str) -> str:
    """The name of a class as cards write it: `gain_shame` for `GainShame`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of what a card says; what it does not know is refused."""


class Count(Phrase, frozen=True):
    """A counted number: count x mul x times + plus, at least 0 and at most `max`: GW-18.1."""

    count: Counter
    mul: Natural = 1
    plus: Whole = 0
    max: Natural | None = None
    times: Counter | None = None  # a second counter
    name: str | None = None  # the command card that `commands_on_track` counts

    def __post_init__(self) -> None:
        """Refuse a name without use, and a counter without the name it needs."""
        if (self.name is not None) != (self.count == NAMED):
            raise ValueError(f"`{NAMED}`, and it alone, needs a `name`")


class Limit(Count, frozen=True, kw_only=True):
    """A counted number, and what it is compared with: GW-18.7."""

    n: Whole


Amount = Natural | Count
"""A number, or one that is counted: GW-18.1."""


class Cost(Phrase, frozen=True):
    """What is paid, whole or not at all: GW-18.2."""

    wood: Natural = 0
    stone: Natural = 0
    gold: Natural = 0
    chi: Natural = 0
    honor: Natural = 0
    any_of_wsg: Natural = 0  # any of wood, stone and gold

    def __post_init__(self) -> None:
        """Refuse a cost of nothing."""
        if not any(msgspec.structs.astuple(self)):
            raise ValueError("a cost names something")
