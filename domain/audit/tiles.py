"""Tiles of a log (C2SP tlog-tiles 0.1.0): their paths, their content, and which are new.

A tile holds up to 256 hashes of one level: leaves at level 0; at each further level, the roots of
full tiles of the level below. An entry bundle holds the entries of a tile of level 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from msgspec import Struct

from domain.audit.errors import Unproven
from domain.audit.tree import HASH_BYTES, Nodes, leaf_hash, root

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
ENTRIES_LEVEL = -1
"""The level number used for bundles of entries."""
_PATH = re.compile(
    r"tile/(entries|0|[1-9]\d?)/((?:x\d{3}/){0,5})(\d{3})(?:\.p/([1-9]\d{0,2}))?", re.ASCII
)


class Tile(Struct, frozen=True, order=True):
    """A tile: its level, its number from the left, and its number of hashes (or entries)."""

    level: int
    number: int
    width: int = TILE_WIDTH

    @property
    def path(self) -> str:
        """Its path below the address of the log."""
        level = "entries" if self.level == ENTRIES_LEVEL else self.level
        partial = "" if self.width == TILE_WIDTH else f".p/{self.width}"
        return f"tile/{level}/{_in_threes(self.number)}{partial}"

    @property
    def full(self) -> Tile:
        """The full tile that this one will become."""
        return Tile(self.level, self.number)


TileReader = Callable[[Tile], bytes]
"""Returns the content of a tile."""


def read_path(path: str) -> Tile:
    """The tile at a path. Raises Unproven if the path is not that of a tile."""
    found = _PATH.fullmatch(path)
    if not found:
        raise Unproven("This is not the path of a tile.")
    level, above, last, width = found.groups()
    digits = above.replace("x", "").replace("/", "") + last
    tile = Tile(
        ENTRIES_LEVEL if level == "entries" else int(level),
        int(digits),
        int(width) if width else TILE_WIDTH,
    )
    if tile.path != path or tile.level > 63 or tile.width > TILE_WIDTH:
        raise Unproven("This is not the path of a tile.")  # too many zeros, too wide, or too high
    return tile


def count_at(size: int, level: int) -> int:
    """The number of hashes (or entries) at a level of a tree with `size` leaves."""
    return size >> TILE_HEIGHT * max(level, 0)


def tile_at(size: int, level: int, number: int) -> Tile:
    """A tile of a tree with `size` leaves."""
    return Tile(level, number, min(TILE_WIDTH, count_at(size, level) - number * TILE_WIDTH))


def tiles_of(size: int) -> Iterator[Tile]:
    """All tiles and bundles of a tree with `size` leaves."""
    return new_tiles(0, size)


def new_tiles(old: int, new: int) -> Iterator[Tile]:
    """The tiles and bundles that a tree gets when it grows from `old` to `new` leaves."""
    for level in count(ENTRIES_LEVEL):
        before, after = count_at(old, level), count_at(new, level)
        if not after:
            return
        if after > before:
            for number in range(before // TILE_WIDTH, (after - 1) // TILE_WIDTH + 1):
                yield tile_at(new, level, number)


def grow(old: int, entries: Sequence[bytes], read: TileReader) -> dict[Tile, bytes]:
    """The content of the new tiles and bundles after these entries are appended to a tree with
    `old` leaves. Reads the tree's partial tiles. Raises Unproven if they are inconsistent.
    """
    tiles: dict[Tile, bytes] = {}
    if not entries:
        return tiles
    old_entries = unpack(read(last)) if (last := _partial_tile(old, ENTRIES_LEVEL)) else []
    packed = [len(entry).to_bytes(2, "big") + entry for entry in [*old_entries, *entries]]
    for tile, parts in _new_tile_parts(old, ENTRIES_LEVEL, packed):
        tiles[tile] = b"".join(parts)
    if list(map(leaf_hash, old_entries)) != _partial_hashes(old, 0, read):
        raise Unproven("The last bundle of entries is not that of the last hashes.")
    added = list(map(leaf_hash, entries))
    for level in count():
        if not added:
            return tiles
        added, hashes = [], _partial_hashes(old, level, read) + added
        for tile, parts in _new_tile_parts(old, level, hashes):
            tiles[tile] = b"".join(parts)
            if tile.width == TILE_WIDTH:
                added.append(root(parts))
    raise AssertionError


def nodes_of(size: int, read: TileReader) -> Nodes:
    """The hashes of the complete subtrees of a tree, read from its tiles."""

    def node(height: int, number: int) -> bytes:
        level, inside = divmod(height, TILE_HEIGHT)
        first = number << inside
        tile = tile_at(size, level, first // TILE_WIDTH)
        begin = first % TILE_WIDTH
        return root(hashes_in(read(tile), tile)[begin : begin + (1 << inside)])

    return node


def hashes_in(content: bytes, tile: Tile) -> list[bytes]:
    """The hashes in a tile. Raises Unproven if their number is wrong."""
    if len(content) != tile.width * HASH_BYTES:
        raise Unproven(f"{tile.path} has not {tile.width} hashes.")
    return [content[n : n + HASH_BYTES] for n in range(0, len(content), HASH_BYTES)]


def unpack(bundle: bytes) -> list[bytes]:
    """The entries in a bundle. Raises Unproven if it is not one."""
    entries, place = [], 0
    while place < len(bundle):
        begin = place + 2
        place = begin + int.from_bytes(bundle[place:begin], "big")
        if place > len(bundle) or begin > len(bundle):
            raise Unproven("A bundle of entries ends within one.")
        entries.append(bundle[begin:place])
    return entries


def _new_tile_parts(
    old: int, level: int, parts: Sequence[bytes]
) -> Iterator[tuple[Tile, Sequence[bytes]]]:
    """New tiles of a level with their parts, from the last partial tile of the old tree on."""
    first = count_at(old, level) // TILE_WIDTH
    for begin in range(0, len(parts), TILE_WIDTH):
        some = parts[begin : begin + TILE_WIDTH]
        yield Tile(level, first + begin // TILE_WIDTH, len(some)), some


def _partial_tile(size: int, level: int) -> Tile | None:
    """The last tile of a level, if it is not full."""
    number, width = divmod(count_at(size, level), TILE_WIDTH)
    return Tile(level, number, width) if width else None


def _partial_hashes(size: int, level: int, read: TileReader) -> list[bytes]:
    """The hashes in the last partial tile of a level; empty if there is none."""
    last = _partial_tile(size, level)
    return hashes_in(read(last), last) if last else []


def _in_threes(number: int) -> str:
    digits = str(number)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[n : n + 3] for n in range(0, len(digits), 3)]
    return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
