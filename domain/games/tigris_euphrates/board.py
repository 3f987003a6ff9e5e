"""The box: boards, tiles, leaders, monuments, and lookup tables for a layout."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import compress
from typing import Annotated, Any, Literal, cast

from domain.engine.constraints import Choice

Color = Literal["black", "red", "green", "blue"]
Dynasty = Literal["archer", "bull", "pot", "lion"]
BoardName = Literal["standard", "advanced"]
Pair = Literal["black-red", "black-green", "black-blue", "red-green", "red-blue", "green-blue"]
Cell = Annotated[str, Choice("cell", lambda table: table.state.board.number)]
"""The name of a cell: column letter and row number, `N5`."""
Rows = tuple[str, ...]
Square = tuple[int, int, int, int]
CellSet = int
"""A set of cells as an integer with one bit per cell: 1 for the first, 2 for the second, and so on.
"""


def _read(name: str) -> dict[str, Any]:
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


_BOX = _read("components.json")

BOARDS: dict[str, Rows] = {
    board["id"]: tuple(board["rows"]) for board in _read("boards.json")["boards"]
}
"""The layouts: TE-1.1, TE-17.2."""
COLORS: tuple[Color, ...] = tuple(color["id"] for color in _BOX["colors"])
BLACK, RED, GREEN, BLUE = range(4)
"""The four spheres by number: TE-1.3."""
COLOR_NUMBER: dict[str, int] = {color: number for number, color in enumerate(COLORS)}
TILES: tuple[int, ...] = tuple(color["tiles"] for color in _BOX["colors"])
TILE_NAMES: tuple[str, ...] = tuple(color["tile"] for color in _BOX["colors"])
LEADER_NAMES: tuple[str, ...] = tuple(color["leader"] for color in _BOX["colors"])
DYNASTIES: tuple[Dynasty, ...] = tuple(_BOX["dynasties"])
"""One dynasty for the four leaders of each player: TE-1.4."""
MONUMENTS: tuple[Pair, ...] = tuple(_BOX["monuments"])
"""One monument for each pair of colours: TE-1.5."""
MONUMENT_COLORS: tuple[tuple[int, int], ...] = tuple(
    cast("tuple[int, int]", tuple(COLOR_NUMBER[word] for word in pair.split("-")))
    for pair in MONUMENTS
)
CATASTROPHES: int = _BOX["catastrophes_per_player"]
HAND_SIZE: int = _BOX["hand_size"]
ACTIONS: int = _BOX["actions_per_turn"]
LAST_TREASURES: int = _BOX["last_treasures"]
"""The game ends with at most this many treasures on the board: TE-15.1."""

EMPTY = 0
"""The content of a cell: EMPTY, the number of a colour + 1, or one of these: TE-1.7."""
FACE_DOWN, CATASTROPHE, LEADER = 5, 6, 8
TEMPLE = RED + 1
OFF = 255
"""The cell of a leader or monument that is not on the board."""

_LIT = bytes(digit == ord("1") for digit in range(256))


def leader_of(seat: int, color: Color) -> int:
    """The number of a leader: 4 * seat + colour."""
    return 4 * seat + COLOR_NUMBER[color]


@dataclass(frozen=True, slots=True)
class Board:
    """A layout and its lookup tables; cells are numbered row by row."""

    rows: Rows
    width: int = field(compare=False)
    names: tuple[Cell, ...] = field(compare=False)
    number: dict[Cell, int] = field(compare=False)
    river: bytes = field(compare=False)
    temples: tuple[int, ...] = field(compare=False)
    corners: frozenset[int] = field(compare=False)
    neighbours: tuple[tuple[int, ...], ...] = field(compare=False)
    squares: tuple[tuple[Square, ...], ...] = field(compare=False)
    """By cell, the squares that contain it, each with its top left cell first."""
    bits: tuple[CellSet, ...] = field(compare=False)
    """By cell, the set of that cell only."""
    reach: tuple[CellSet, ...] = field(compare=False)
    """By cell, the cell and those that share an edge with it: TE-1.2."""
    land: CellSet = field(compare=False)
    within: CellSet = field(compare=False)
    """The cells that have a cell on their left."""
    everywhere: CellSet = field(compare=False)

    def square(self, cell: int) -> Square | None:
        """The square with this top left cell, or None if it does not fit on the board: TE-1.6."""
        return next((square for square in self.squares[cell] if square[0] == cell), None)

    def beside(self, cells: CellSet) -> CellSet:
        """All cells that share an edge with one of these: TE-1.2."""
        within, width = self.within, self.width
        sides = cells << 1 & within | (cells & within) >> 1
        return (sides | cells << width | cells >> width) & self.everywhere

    def names_of(self, cells: CellSet) -> tuple[Cell, ...]:
        """The names of the cells of a set, row by row."""
        return tuple(compress(self.names, flags(cells)))


def where(cells: bytearray, *kinds: int) -> CellSet:
    """The cells that hold one of these: TE-1.7."""
    return int(cells.translate(_digits(kinds))[::-1], 2)


@lru_cache(maxsize=64)
def _digits(kinds: tuple[int, ...]) -> bytes:
    """A translation table: 1 for each of these contents of a cell, 0 for all others."""
    return bytes(ord("1" if what in kinds else "0") for what in range(256))


def flags(cells: CellSet) -> bytes:
    """By cell, 1 if the set contains it; as long as the last cell of the set."""
    return f"{cells:b}"[::-1].encode().translate(_LIT)


@lru_cache(maxsize=16)  # all matches on a layout share its tables, of some 100 kB
def board_of(rows: Rows) -> Board:
    """The board with the lookup tables of a layout: TE-1.1."""
    width, size = len(rows[0]), len(rows) * len(rows[0])
    signs = "".join(rows)
    bits = tuple(1 << cell for cell in range(size))
    neighbours = tuple(_neighbours(width, size, cell) for cell in range(size))
    names = tuple(f"{chr(ord('A') + cell % width)}{cell // width + 1}" for cell in range(size))
    return Board(
        rows=rows,
        width=width,
        names=names,
        number={name: cell for cell, name in enumerate(names)},
        river=bytes(sign == "~" for sign in signs),
        temples=tuple(cell for cell, sign in enumerate(signs) if sign in "TC"),
        corners=frozenset(cell for cell, sign in enumerate(signs) if sign == "C"),
        neighbours=neighbours,
        squares=tuple(_squares(width, size, cell) for cell in range(size)),
        bits=bits,
        reach=tuple(
            bits[cell] | sum(bits[near] for near in neighbours[cell]) for cell in range(size)
        ),
        land=sum(bit for bit, sign in zip(bits, signs, strict=True) if sign != "~"),
        within=sum(bit for cell, bit in enumerate(bits) if cell % width),
        everywhere=sum(bits),
    )


def _squares(width: int, size: int, cell: int) -> tuple[Square, ...]:
    """All squares of two by two cells that contain a cell: TE-1.6."""
    corners = (cell - width - 1, cell - width, cell - 1, cell)
    return tuple(
        (at, at + 1, at + width, at + width + 1)
        for at in corners
        if 0 <= at < size - width and at % width < width - 1 and cell % width - at % width in (0, 1)
    )


def _neighbours(width: int, size: int, cell: int) -> tuple[int, ...]:
    """The cells that share an edge with this one, river or land: TE-1.2."""
    beside = [cell - 1] if cell % width else []
    beside += [cell + 1] if cell % width < width - 1 else []
    return tuple(near for near in (cell - width, *beside, cell + width) if 0 <= near < size)
