"""The box of The Great Wall: the board, the pieces, and the numbers for each count of players."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Literal, get_args

import msgspec

Resource = Literal["wood", "stone", "gold", "chi"]
Soldier = Literal["spearman", "archer", "horseman"]
Section = Literal["left", "center", "right"]
Side = Literal["2-3", "4-5"]
"""The two sides of the board, by the number of players: GW-2.1."""
Mode = Literal["standard", "solo", "coop"]
"""Against each other, solo against Qin Jiushao, or cooperative: GW-1.1, GW-14, GW-16."""
Difficulty = Literal["normal", "hard", "very_hard"]
"""How much honor Qin Jiushao begins with: GW-14.15."""
Clan = Literal["dragon", "snake", "monkey", "turtle", "panda"]
Location = Literal[
    "lumber_mill",
    "quarry",
    "gold_mine",
    "temple",
    "barracks",
    "tea_house",
    "builders",
    "embassy",
    "logistics",
    "academy",
]
"""Where clerks can go. The Warehouse is not a Location for clerks: GW-6.1."""
Cost = dict[Resource, int]

RESOURCES: tuple[Resource, ...] = ("wood", "stone", "gold", "chi")
WOOD, STONE, GOLD, CHI = range(4)
SOLDIERS: tuple[Soldier, ...] = ("spearman", "archer", "horseman")
SPEARMAN, ARCHER, HORSEMAN = range(3)
RESOURCE_NUMBER: dict[Resource, int] = {name: number for number, name in enumerate(RESOURCES)}
SOLDIER_NUMBER: dict[Soldier, int] = {name: number for number, name in enumerate(SOLDIERS)}


def read(name: str) -> dict[str, Any]:
    """The content of a data file of the game."""
    data: dict[str, Any] = json.loads(read_text(name))
    return data


def read_text(name: str) -> str:
    """The text of a data file of the game."""
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")


class WallLevel(msgspec.Struct, frozen=True):
    """What a Section with this number of Wall parts is worth, and the cost of the next: GW-8.8."""

    level: int
    defense: int
    firing_spots: int
    next_cost: int | None
    next_honor: int | None


class LocationRow(msgspec.Struct, frozen=True):
    """A Location as it is printed: GW-6.1, GW-6.7."""

    id: str
    name: str
    kind: Literal["regular", "special", "none"]
    slots: dict[Side, int | None]
    shame_icon: bool
    produces: Resource | None


class Slot(msgspec.Struct, frozen=True):
    """A slot of the Time track: GW-4.1."""

    year: int
    lethality: int
    new_hordes: int


class Table(msgspec.Struct, frozen=True):
    """The numbers for a mode and a number of players: GW-1.1, GW-2.1, GW-14, GW-16.1."""

    mode: Mode
    players: int
    side: Side
    sections: tuple[Section, ...]
    reed: bool
    shame_pool: int
    start_slot: int
    initial_hordes: int
    clerks_pool: int
    clerks_space: int
    command_slots: int
    walls_to_end: int | None = None  # complete Walls that end the game; None if they do not
    qin: bool = False  # whether Qin Jiushao plays: GW-14.2
    extra_hordes: int = 0  # additional Horde cards each Spring: GW-16.8
    requests_open: int = 0  # open Requests of the Emperor: GW-16.1
    requests_to_win: int = 0  # how many Requests win the game: GW-16.2


_BOARD = read("board.json")
_BOX = read("components.json")
_MODES = read("modes.json")

SECTIONS: tuple[Section, ...] = tuple(_BOARD["sections"])
SECTION_NUMBER: dict[Section, int] = {name: number for number, name in enumerate(SECTIONS)}
ROWS: int = _BOARD["rows"]
"""How many Horde cards a Section holds, the first row at the Wall: GW-5.2."""
WALL: tuple[WallLevel, ...] = msgspec.convert(_BOARD["wall_levels"], tuple[WallLevel, ...])
"""The levels of a Section, from 0 on: GW-8.8."""
TOP_LEVEL = len(WALL) - 1
BARRICADES: int = _BOARD["barricade_slots"]
"""How many Barricades a Section has room for, and has at the start: GW-2.7, GW-8.8."""
BARRICADE_DEFENSE: int = _BOARD["barricade_defense"]
BARRICADE_COST: int = _BOARD["barricade_cost"]["any_of_wsg"]
BARRICADE_HONOR: int = _BOARD["barricade_honor"]

PLACES: dict[Location, LocationRow] = {
    row["id"]: msgspec.convert(row, LocationRow)
    for row in _BOARD["locations"]
    if row["kind"] != "none"
}
"""The Locations in the order of the board: GW-6.1."""
LOCATIONS: tuple[Location, ...] = tuple(PLACES)
LOCATION_NUMBER: dict[Location, int] = {name: number for number, name in enumerate(LOCATIONS)}
PRODUCTION: dict[Location, Resource] = {
    place: row.produces for place, row in PLACES.items() if row.produces is not None
}
"""The production Locations and what they yield: GW-8.1."""
REGULAR: tuple[Location, ...] = tuple(p for p, row in PLACES.items() if row.kind == "regular")
SPECIAL: tuple[Location, ...] = tuple(p for p, row in PLACES.items() if row.kind == "special")

LOCATIONS_BY_WORD: dict[str, tuple[Location, ...]] = {
    "any": LOCATIONS,
    "production": tuple(PRODUCTION),
    "regular": REGULAR,
    "special": SPECIAL,
    **{place: (place,) for place in LOCATIONS},
}
"""By a word of the cards, the Locations that it stands for: GW-18.3."""

OVERSEER_COSTS: dict[Location, tuple[Cost, ...]] = {
    place: tuple(costs) for place, costs in _BOARD["overseer_costs"].items()
}
"""What the first, second and third level of an Overseer costs: GW-8.4."""
OVERSEER_TOP: int = _BOARD["overseer_max_level"]
RECRUIT_COSTS: dict[Soldier, Cost] = _BOARD["recruit_costs"]
CLERK_COST: int = _BOARD["clerk_cost"]["gold"]
SAVE_COST: int = _BOARD["save_cost"]["chi"]
SHAME_COST: int = _BOARD["shame_discard_cost"]["chi"]
SHAME_HONOR: int = _BOARD["shame_discard_cost_coop"]["honor"]
"""What it costs to return a Shame token in the cooperative game: GW-16.6."""
SHAME_PENALTY: int = _BOARD["shame_penalty"]
DONATE_HONOR: int = _BOARD["donate_honor"]
PARTICIPATION_HONOR: int = _BOARD["defeat_participation_honor"]
ARCHER_HONOR: int = _BOARD["defeat_archer_honor"]
UNRECLAIMED_HONOR: int = _BOARD["unreclaimed_card_honor"]
HAND_LIMIT: int = _BOARD["hand_limit"]
ADVISOR_TRACK: int = _BOARD["advisor_track"]
ADVISORS_LEAVING: int = _BOARD["advisors_discarded_each_spring"]
TIME_TRACK: dict[Side, tuple[Slot, ...]] = msgspec.convert(
    _BOARD["time_track"], dict[Side, tuple[Slot, ...]]
)

CLANS: tuple[Clan, ...] = tuple(clan["id"] for clan in _BOX["clans"])
CLERKS: int = _BOX["per_clan"]["clerks"]
TROOPS: tuple[int, ...] = tuple(_BOX["per_clan"][soldier] for soldier in SOLDIERS)
"""How many soldiers of each type a clan has: GW-1.2."""
TABLES: dict[tuple[Mode, int], Table] = {
    (row["mode"], row["players"]): msgspec.convert(row, Table) for row in _MODES["modes"]
}
"""By mode and number of players: GW-1.1, GW-2.1, GW-14, GW-15.1, GW-16.2, GW-17.1."""
PLAYERS: dict[str, range] = {
    mode: range(
        min(players for one, players in TABLES if one == mode),
        1 + max(players for one, players in TABLES if one == mode),
    )
    for mode in get_args(Mode)
}
"""By mode, how many can play: GW-1.1."""
SOLO_HONOR: dict[Difficulty, int] = _MODES["solo_difficulty"]
"""By difficulty, the honor that Qin Jiushao begins with: GW-14.15."""
