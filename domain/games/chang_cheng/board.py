"""The box of Chang Cheng: boards, tiles, cards, and tables worked out from a layout."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec

from domain.engine.constraints import Choice

BoardName = Literal["b1", "b2", "b3", "b4"]
Face = Literal["a", "b"]
PlayerColour = Literal["red", "blue", "green", "purple"]
EventCard = Literal["diplomat", "hegemon", "imperial_reward", "scout"]
Row = tuple[int, ...]
"""Boards by number, from left to right: CC-1.2."""
Cell = Annotated[str, Choice("cell", lambda table: table.state.wall.cell_names)]
ChineseRegion = Annotated[str, Choice("Chinese region", lambda table: table.state.wall.china_names)]
MongolRegion = Annotated[str, Choice("Mongol region", lambda table: table.state.wall.mongol_names)]
CardNumber = Annotated[int, Choice("card", lambda _: CARDS)]


def _read(name: str) -> dict[str, Any]:
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


_BOX = _read("components.json")
_BOARDS = _read("boards.json")
_CARDS = _read("cards.json")

BOARDS: tuple[BoardName, ...] = tuple(board["id"] for board in _BOARDS["boards"])
"""The four boards by name: CC-1.1."""
BOARD_NUMBER: dict[str, int] = {name: number for number, name in enumerate(BOARDS)}
AT_START = 2
"""How many boards lie in play at first: CC-2.1."""
LENGTH: int = _BOARDS["cells_per_board"]
REGIONS: int = _BOX["board_regions"]
"""How many regions there are on each side of a board."""
PLAYER_COLOURS: tuple[PlayerColour, ...] = tuple(_BOX["colours"])
SINGLES: int = _BOX["per_colour"]["single_wall"]
"""How many singles a colour has, besides one double, one tower and six cards: CC-1.3."""
CARDS: tuple[int, ...] = tuple(_BOX["per_colour"]["action_cards"])
OPTIONAL = frozenset(card["number"] for card in _CARDS["cards"] if card["optional"])
WARRIOR, TRAITOR, FLOOD, ARCHITECT, GREAT_ARCHITECT, OFFICIAL = CARDS
EVENT_CARDS: tuple[EventCard, ...] = tuple(card["key"] for card in _CARDS["events"])
EVENTS_IN_PLAY: int = _CARDS["events_in_play"]
EMPERORS: int = _BOX["emperor_cards"]
PRESTIGE: tuple[int, ...] = tuple(tile["count"] for tile in _BOX["prestige_tiles"])
"""How many prestige tiles there are of each value from 0: CC-1.4."""
THREATS: dict[int, int] = {-tile["value"]: tile["count"] for tile in _BOX["threat_tiles"]}
"""How many threat tiles there are of each loss: CC-1.4."""
TABLES: dict[int, dict[str, int]] = {line["players"]: line for line in _BOX["setup_by_players"]}
"""What lies in play for how many players: CC-2.1, CC-11.1."""

CELLS: tuple[str, ...] = tuple(f"{name}:{i}" for name in BOARDS for i in range(1, LENGTH + 1))
CELL_NUMBER: dict[str, int] = {name: number for number, name in enumerate(CELLS)}
CHINA: tuple[str, ...] = tuple(f"{name}:C{i}" for name in BOARDS for i in range(1, REGIONS + 1))
CHINA_NUMBER: dict[str, int] = {name: number for number, name in enumerate(CHINA)}
MONGOL: tuple[str, ...] = tuple(f"{name}:M{i}" for name in BOARDS for i in range(1, REGIONS + 1))
MONGOL_NUMBER: dict[str, int] = {name: number for number, name in enumerate(MONGOL)}
NOWHERE = 255
"""Instead of a cell that does not exist."""
CELL_BITS = 8
"""A *row* marks cells in play, as a number: a byte for each, from left to right the higher, which
is 1 where something holds, else 0. Of two rows, `&` is what is in both."""


class Layout(msgspec.Struct, frozen=True, gc=False):
    """A face of a board: the sizes of its regions on both sides, from left to right."""

    board: BoardName
    china: tuple[int, ...]
    mongol: tuple[int, ...]


LAYOUTS: dict[str, tuple[Layout, ...]] = {
    face: tuple(
        Layout(board["id"], **{side: tuple(s) for side, s in board["faces"][face].items()})
        for board in _BOARDS["boards"]
    )
    for face in ("a", "b")
}
"""All boards with the same face up: CC-2.1."""


@dataclass(frozen=True, slots=True)
class Map:
    """Lookup tables for the layouts; cells and regions are numbered board by board."""

    layouts: tuple[Layout, ...]
    china_of: bytes = field(compare=False)
    """By cell, its Chinese region: CC-1.1."""
    mongol_of: bytes = field(compare=False)
    china: tuple[tuple[int, int], ...] = field(compare=False)
    """By Chinese region, its first cell and the cell after its last."""
    mongol: tuple[tuple[int, int], ...] = field(compare=False)
    touching: tuple[tuple[int, ...], ...] = field(compare=False)
    """By Chinese region, the Mongol regions that share a cell with it."""


@dataclass(frozen=True, slots=True, eq=False)
class Wall:
    """The cells of the boards in play, from left to right, and who is beside whom: CC-1.2.

    There is one of each, so that it is the same only as itself.
    """

    row: Row
    cells: tuple[int, ...]
    alone: tuple[int, ...]
    """By cell, the row with only that cell marked; empty if it is not in play."""
    left: bytes
    right: bytes
    china: tuple[int, ...]
    """The regions in play, Chinese and Mongol ones alike by number, from left to right."""
    regions: dict[int, int]
    """By Chinese region in play, the row with only its cells marked."""
    cell_names: frozenset[str]
    china_names: frozenset[str]
    mongol_names: frozenset[str]


@lru_cache(maxsize=64)  # all matches with the same face share their tables
def map_of(layouts: tuple[Layout, ...]) -> Map:
    """The tables of these layouts: CC-1.1."""
    china = _ranges([layout.china for layout in layouts])
    mongol = _ranges([layout.mongol for layout in layouts])
    mongol_of = _by_cell(mongol)
    return Map(
        layouts=layouts,
        china_of=_by_cell(china),
        mongol_of=mongol_of,
        china=china,
        mongol=mongol,
        touching=tuple(tuple(sorted(set(mongol_of[a:b]))) for a, b in china),
    )


@lru_cache(maxsize=256)  # the rows of boards of some dozen matches, of 8 kB each
def wall_of(layouts: tuple[Layout, ...], row: Row) -> Wall:
    """The cells in a row of these boards: CC-1.2."""
    cells = [board * LENGTH + i for board in row for i in range(LENGTH)]
    alone = [0] * len(CELLS)
    for number, cell in enumerate(cells):
        alone[cell] = 1 << CELL_BITS * number
    left, right = (bytearray([NOWHERE] * len(CELLS)) for _ in range(2))
    for one, other in pairwise(cells):
        right[one], left[other] = other, one
    china = tuple(board * REGIONS + i for board in row for i in range(REGIONS))
    return Wall(
        row=row,
        cells=tuple(cells),
        alone=tuple(alone),
        left=bytes(left),
        right=bytes(right),
        china=china,
        regions={region: sum(alone[slice(*map_of(layouts).china[region])]) for region in china},
        cell_names=frozenset(CELLS[cell] for cell in cells),
        china_names=frozenset(CHINA[region] for region in china),
        mongol_names=frozenset(MONGOL[region] for region in china),
    )


def _ranges(sizes: list[tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    ranges, start = [], 0
    for size in (size for board in sizes for size in board):
        ranges.append((start, start + size))
        start += size
    return tuple(ranges)


def _by_cell(ranges: tuple[tuple[int, int], ...]) -> bytes:
    return bytes(number for number, (a, b) in enumerate(ranges) for _ in range(a, b))
