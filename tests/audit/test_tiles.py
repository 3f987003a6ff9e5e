"""Tiles: their paths, their contents, and which are new."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.audit.errors import Unproven
from domain.audit.tiles import (
    ENTRIES_LEVEL,
    TILE_WIDTH,
    Tile,
    grow,
    new_tiles,
    nodes_of,
    read_path,
    tiles_of,
    unpack,
)
from domain.audit.tree import consistency, inclusion, leaf_hash, root, root_of
from tests.audit import trees
from tests.support.for_each import for_each


@for_each(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 273, 112), "tile/0/273.p/112"),
        (Tile(1, 1000, 1), "tile/1/x001/000.p/1"),
        (Tile(63, 1_234_067), "tile/63/x001/x234/067"),
        (Tile(ENTRIES_LEVEL, 999), "tile/entries/999"),
        (Tile(ENTRIES_LEVEL, 7, 255), "tile/entries/007.p/255"),
    ],
)
def test_a_tile_has_its_path(tile, path):
    assert tile.path == path
    assert read_path(path) == tile


@for_each(
    "path",
    [
        "tile/0/0", "tile/0/0000", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/a/000",
        "tile/0/" + 2_000 * "x001/" + "001",
        "tile/0/x000/001", "tile/0/001/002", "tile/0/x001", "tile/0/000.p/0", "tile/0/000.p/256",
        "tile/0/000.p/01", "tile/0/000.p/", "tile/0/000/", "/tile/0/000", "tile/0/000\n",
        "tile/0/../000",
        "tile/0/\u0660\u0660\u0660", "tile/entries", "", "checkpoint", "tile/0/x001/000.p/999",
    ],
)  # fmt: skip
def test_nothing_else_is_a_path(path):
    with pytest.raises(Unproven):
        read_path(path)


def test_seventy_thousand_leaves_have_these_tiles():
    paths = [tile.path for tile in tiles_of(70_000)]
    assert len(paths) == len(set(paths)) == 2 * 274 + 2 + 1
    assert {"tile/0/273.p/112", "tile/entries/273.p/112", "tile/1/000", "tile/1/001.p/17",
            "tile/2/000.p/1"} < set(paths)  # fmt: skip


def test_a_full_tile_is_a_hash_of_the_next_level():
    assert [tile.path for tile in new_tiles(255, 256)] == [
        "tile/entries/000", "tile/0/000", "tile/1/000.p/1",
    ]  # fmt: skip
    assert list(new_tiles(256, 256)) == []


@given(st.lists(st.integers(0, 700), min_size=1, max_size=5).map(sorted))
def test_a_tree_that_grew_has_the_tiles_of_one_that_was_made_at_once(sizes):
    entries, files = trees.entries(sizes[-1]), {}
    for old, new in pairwise([0, *sizes]):
        made = grow(old, entries[old:new], files.__getitem__)
        assert set(made) == set(new_tiles(old, new))
        files |= made
    at_once = grow(0, entries, files.__getitem__)
    assert set(at_once) == set(tiles_of(sizes[-1]))
    assert at_once == {tile: files[tile] for tile in at_once}


def test_what_is_in_tiles():
    entries = trees.entries(300)
    files = grow(0, entries, {}.__getitem__)
    leaves = [leaf_hash(entry) for entry in entries]
    assert files[Tile(0, 0)] == b"".join(leaves[:256])
    assert files[Tile(0, 1, 44)] == b"".join(leaves[256:])
    assert files[Tile(1, 0, 1)] == root(leaves[:256])
    assert (
        unpack(files[Tile(ENTRIES_LEVEL, 0)]) + unpack(files[Tile(ENTRIES_LEVEL, 1, 44)]) == entries
    )
    assert files[Tile(ENTRIES_LEVEL, 0)].startswith(b"\x00\x08entry 0\n\x00\x08entry 1\n")


def test_roots_and_proofs_come_out_of_tiles():
    entries = trees.entries(600)
    files = grow(0, entries, {}.__getitem__)
    read = nodes_of(600, files.__getitem__)
    assert root_of(600, read) == trees.hash_of(entries)
    for index in (0, 255, 256, 511, 512, 599):
        assert inclusion(index, 600, read) == trees.path(index, entries)
    for old in (1, 255, 256, 257, 512, 599, 600):
        assert consistency(old, 600, read) == trees.proof(old, entries)
        assert root_of(old, read) == trees.hash_of(entries[:old])


def test_a_large_tree_is_read_from_a_few_tiles():
    entries = [b"%d" % n for n in range(TILE_WIDTH * TILE_WIDTH + 300)]
    files = grow(0, entries, {}.__getitem__)
    asked = set()

    def read(tile):
        asked.add(tile)
        return files[tile]

    inclusion(12_345, len(entries), nodes_of(len(entries), read))
    assert len(asked) <= 6


@for_each("content", [b"", b"x" * 31, b"x" * 33, b"x" * 64])
def test_a_tile_of_another_length_is_refused(content):
    with pytest.raises(Unproven, match=r"tile/0/000\.p/1 has not 1 hashes"):
        root_of(1, nodes_of(1, lambda tile: content))


@for_each("bundle", [b"\0", b"\0\1", b"\0\3ab", b"\0\1ab"])
def test_a_bundle_that_ends_too_soon_is_refused(bundle):
    with pytest.raises(Unproven, match="ends within"):
        unpack(bundle)
