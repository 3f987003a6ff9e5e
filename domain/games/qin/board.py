"""The box of Qin: both sides of the board, tiles, pagodas, and lookup tables for a layout."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

import msgspec

Color = Literal["R", "Y", "B"]
Kind = Literal["RR", "RY", "YY", "YB", "BB", "BR"]
PlayerColour = Literal["green", "purple", "black", "white"]
BoardName = Literal["bird", "lion"]
Rows = tuple[str, ...]
Space = tuple[int, int]
"""Row and column, counted from 0 at the top left: QIN-2.1."""


def _read(name: str) -> dict[str, Any]:
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


_BOX = _read("components.json")

SIDES: dict[str, Rows] = {
    side["id"]: tuple(side["rows"]) for side in _read("boards.json")["boards"]
}
"""The layouts of both sides: QIN-1.1."""
KINDS: tuple[Kind, ...] = tuple(tile["kind"] for tile in _BOX["tiles"])
TILES: tuple[int, ...] = tuple(tile["count"] for tile in _BOX["tiles"])
"""The number of tiles of each kind: QIN-1.2."""
KIND_NUMBER: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}
KIND_OF: dict[tuple[str, str], Kind] = {
    pair: kind for kind in KINDS for pair in ((kind[0], kind[1]), (kind[1], kind[0]))
}
HAND_SIZE: int = _BOX["hand_size"]
PAGODAS: dict[int, int] = {int(n): count for n, count in _BOX["pagodas_per_player"].items()}
PLAYER_COLOURS: tuple[PlayerColour, ...] = tuple(_BOX["player_colors"])
"""The colours of the pagodas, 24 of each: QIN-1.3."""
MAJOR: int = _BOX["major_min_size"]
"""The number of spaces that makes a province major: QIN-2.7."""
LARGEST = max(_BOX["board_size"])

COLORS = "RYB"
COLOR_NAMES: dict[str, str] = _BOX["colors"]
NUMBER_OF: dict[str, int] = {"R": 1, "Y": 2, "B": 3}
"""The number of each colour on a cell; 0 is free grassland."""
FREE = 0
VILLAGE, WATER, NOTHING = 4, 5, 6
_GROUND = {".": FREE, "V": VILLAGE, "~": WATER, "#": NOTHING, **NUMBER_OF}


class Half(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One half of a tile on its space."""

    row: int
    col: int
    color: Color


@dataclass(frozen=True, slots=True)
class Board:
    """A layout and its lookup tables; cells are numbered row by row."""

    rows: Rows
    width: int = field(compare=False)
    ground: bytes = field(compare=False)
    neighbours: tuple[tuple[int, ...], ...] = field(compare=False)
    villages: tuple[int, ...] = field(compare=False)
    every: int = field(compare=False)
    """Flags of all cells. Flags are a long integer with one byte per cell, the first cell lowest.
    """
    flags: tuple[int, ...] = field(compare=False)
    """By cell, the flag of that cell."""
    flags_beside: tuple[int, ...] = field(compare=False)
    """By cell, the flags of its neighbours."""
    grassland: int = field(compare=False)
    village_flags: int = field(compare=False)
    villages_beside: tuple[int, ...] = field(compare=False)
    """By cell, the flags of the villages among its neighbours."""
    within: int = field(compare=False)
    """Flags of the cells that have a cell on their left."""
    numbers: int = field(compare=False)
    """By cell, its own number, one byte each."""
    spaces: tuple[Space, ...] = field(compare=False)
    halves: tuple[tuple[Half, ...], ...] = field(compare=False)
    """By the number of a colour and by cell, half a tile of that colour on that cell."""

    def cell(self, row: int, col: int) -> int:
        """The number of the cell, or -1 if it is off the board."""
        if 0 <= row < len(self.rows) and 0 <= col < self.width:
            number = row * self.width + col
            return number if self.ground[number] != NOTHING else -1
        return -1

    def cells_with(self, flags: int) -> bytes:
        """The numbers of the cells with these flags; all flags must be on the board."""
        if not flags:
            return b""
        numbers = self.numbers | (self.every ^ flags) * _NO_CELL
        return numbers.to_bytes(len(self.ground), "little").translate(None, _NO_CELLS)

    def beside(self, flags: int) -> int:
        """Flags of the cells that share an edge with one of these cells: QIN-2.3.

        The result may contain flags below the last row.
        """
        within, row = self.within, 8 * self.width
        return (flags << 8 & within) | (flags & within) >> 8 | flags << row | flags >> row


_NO_CELL = 255
"""Greater than the number of any cell."""
_NO_CELLS = bytes((_NO_CELL,))


@lru_cache(maxsize=16)  # there are two layouts; their tables take some 100 kB each
def board_of(rows: Rows) -> Board:
    """The board with the lookup tables of a layout: QIN-2.2."""
    width = len(rows[0])
    ground = bytes(_GROUND[sign] for row in rows for sign in row)
    neighbours = tuple(_neighbours(ground, width, cell) for cell in range(len(ground)))
    flags = tuple(1 << 8 * cell for cell in range(len(ground)))
    spaces = tuple(divmod(cell, width) for cell in range(len(ground)))
    return Board(
        rows=rows,
        width=width,
        ground=ground,
        neighbours=neighbours,
        villages=tuple(cell for cell, what in enumerate(ground) if what == VILLAGE),
        every=int.from_bytes(b"\1" * len(ground), "little"),
        flags=flags,
        flags_beside=tuple(sum(flags[n] for n in near) for near in neighbours),
        grassland=int.from_bytes((what == FREE for what in ground), "little"),
        village_flags=int.from_bytes((what == VILLAGE for what in ground), "little"),
        villages_beside=tuple(
            sum(flags[n] for n in near if ground[n] == VILLAGE) for near in neighbours
        ),
        within=int.from_bytes((cell % width > 0 for cell in range(len(ground))), "little"),
        numbers=int.from_bytes(range(len(ground)), "little"),
        spaces=spaces,
        halves=((), *(tuple(Half(*space, color) for space in spaces) for color in get_args(Color))),
    )


def name_of(row: int, col: int) -> str:
    """The name of a space: column letter and row number: QIN-2.1."""
    return f"{chr(ord('a') + col)}{row + 1}"


def _neighbours(ground: bytes, width: int, cell: int) -> tuple[int, ...]:
    """The cells that share an edge with this one: QIN-2.3."""
    row, col = divmod(cell, width)
    around = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
    height = len(ground) // width
    near = (r * width + c for r, c in around if 0 <= r < height and 0 <= c < width)
    return tuple(number for number in near if ground[number] != NOTHING)
