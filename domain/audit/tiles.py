"""Tiles as C2SP tlog-tiles 0.1.0 has them: where they are, what is in them, which are new.

A tile has up to 256 hashes of one level; those of level 0 are leaves, those of each further level
the roots of full tiles of the level below. An entry bundle has the entries of a tile of level 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from msgspec import Struct

from domain.audit.errors import Unproven
from domain.audit.tree import HASH_BYTES, Nodes, leaf_hash, root

HEIGHT = 8
WIDTH = 1 << HEIGHT
ENTRIES = -1
"""The level that stands for bundles of entries."""
_PATH = re.compile(
    r"tile/(entries|0|[1-9]\d?)/((?:x\d{3}/){0,5})(\d{3})(?:\.p/([1-9]\d{0,2}))?", re.ASCII
)


class Tile(Struct, frozen=True, order=True):
    """A tile: its level, its number from the left, and how many hashes (or entries) it has."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Where it is, below the place of the log."""
        level = "entries" if self.level == ENTRIES else self.level
        partial = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{level}/{_in_threes(self.number)}{partial}"

    @property
    def full(self) -> Tile:
        """The tile that this one becomes a part of."""
        return Tile(self.level, self.number)


Read = Callable[[Tile], bytes]
"""What is in a tile."""


def read_path(path: str) -> Tile:
    """The tile that is at a path; Unproven if no tile can be there."""
    found = _PATH.fullmatch(path)
    if not found:
        raise Unproven("This is not the path of a tile.")
    level, above, last, width = found.groups()
    digits = above.replace("x", "").replace("/", "") + last
    tile = Tile(
        ENTRIES if level == "entries" else int(level), int(digits), int(width) if width else WIDTH
    )
    if tile.path != path or tile.level > 63 or tile.width > WIDTH:
        raise Unproven("This is not the path of a tile.")  # too many zeros, too wide, or too high
    return tile


def count_at(size: int, level: int) -> int:
    """How many hashes a level of the tree of a size has in its tiles, or how many entries."""
    return size >> HEIGHT * max(level, 0)


def tile_at(size: int, level: int, number: int) -> Tile:
    """A tile as it is in the tree of a size."""
    return Tile(level, number, min(WIDTH, count_at(size, level) - number * WIDTH))


def tiles_of(size: int) -> Iterator[Tile]:
    """All tiles and bundles of the tree of a size."""
    return new_tiles(0, size)


def new_tiles(old: int, new: int) -> Iterator[Tile]:
    """The tiles and bundles of the tree of a size that are not in that of a smaller size."""
    for level in count(ENTRIES):
        before, after = count_at(old, level), count_at(new, level)
        if not after:
            return
        if after > before:
            for number in range(before // WIDTH, (after - 1) // WIDTH + 1):
                yield tile_at(new, level, number)


def grown(old: int, entries: Sequence[bytes], read: Read) -> dict[Tile, bytes]:
    """What is in the new tiles and bundles once entries were added to the tree of a size; what was
    in its partial tiles is read. Unproven if what is read does not fit together.
    """
    made: dict[Tile, bytes] = {}
    if not entries:
        return made
    kept = unpack(read(last)) if (last := _partial(old, ENTRIES)) else []
    packed = [len(entry).to_bytes(2, "big") + entry for entry in [*kept, *entries]]
    for tile, parts in _cut(old, ENTRIES, packed):
        made[tile] = b"".join(parts)
    if list(map(leaf_hash, kept)) != _known(old, 0, read):
        raise Unproven("The last bundle of entries is not that of the last hashes.")
    added = list(map(leaf_hash, entries))
    for level in count():
        if not added:
            return made
        added, hashes = [], _known(old, level, read) + added
        for tile, parts in _cut(old, level, hashes):
            made[tile] = b"".join(parts)
            if tile.width == WIDTH:
                added.append(root(parts))
    raise AssertionError


def nodes_of(size: int, read: Read) -> Nodes:
    """The hashes of all complete subtrees of the tree of a size, out of its tiles."""

    def node(height: int, number: int) -> bytes:
        level, inside = divmod(height, HEIGHT)
        first = number << inside
        tile = tile_at(size, level, first // WIDTH)
        begin = first % WIDTH
        return root(hashes_in(read(tile), tile)[begin : begin + (1 << inside)])

    return node


def hashes_in(content: bytes, tile: Tile) -> list[bytes]:
    """The hashes in a tile; Unproven if there are fewer or more than it must have."""
    if len(content) != tile.width * HASH_BYTES:
        raise Unproven(f"{tile.path} has not {tile.width} hashes.")
    return [content[n : n + HASH_BYTES] for n in range(0, len(content), HASH_BYTES)]


def unpack(bundle: bytes) -> list[bytes]:
    """The entries in a bundle; Unproven if it is not one."""
    entries, place = [], 0
    while place < len(bundle):
        begin = place + 2
        place = begin + int.from_bytes(bundle[place:begin], "big")
        if place > len(bundle) or begin > len(bundle):
            raise Unproven("A bundle of entries ends within one.")
        entries.append(bundle[begin:place])
    return entries


def _cut(old: int, level: int, parts: Sequence[bytes]) -> Iterator[tuple[Tile, Sequence[bytes]]]:
    """New tiles of a level with their parts, from the last partial one of the old size on."""
    first = count_at(old, level) // WIDTH
    for begin in range(0, len(parts), WIDTH):
        some = parts[begin : begin + WIDTH]
        yield Tile(level, first + begin // WIDTH, len(some)), some


def _partial(size: int, level: int) -> Tile | None:
    """The last tile of a level in the tree of a size, if it is not full."""
    number, width = divmod(count_at(size, level), WIDTH)
    return Tile(level, number, width) if width else None


def _known(size: int, level: int, read: Read) -> list[bytes]:
    """The hashes in that tile; none if there is no such tile."""
    last = _partial(size, level)
    return hashes_in(read(last), last) if last else []


def _in_threes(number: int) -> str:
    digits = str(number)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[n : n + 3] for n in range(0, len(digits), 3)]
    return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
