"""Checks that the transparency log is consistent, and that the store has what it says."""

from __future__ import annotations

from collections.abc import Iterator

from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, Leaf, read_leaf
from domain.audit.notes import read_checkpoint, read_note
from domain.audit.tiles import ENTRIES_LEVEL, TILE_WIDTH, tile_at, unpack
from domain.match.log import CorruptEntry
from service.matches.container import Annals
from service.store.event_store import EventStore
from service.tlog.folder import CHECKPOINT, Folder
from workers.tools.check.tlog import check_log


def find_log_faults(annals: Annals) -> Iterator[str]:
    """Sentences about faults of the log, and about differences between log and store; none if there
    is no log on this machine.
    """
    path = annals.settings.tlog_folder
    folder = Folder(path) if path else None
    if folder is None or folder.text(CHECKPOINT) is None:
        return
    try:
        yield from (f"the log: {fault}" for fault in check_log(folder)[1])
        for leaf in _read_signed_leaves(folder):
            yield from _compare(annals.store, leaf)
    except Unproven as why:
        yield f"the log: {why}"


def _read_signed_leaves(folder: Folder) -> Iterator[Leaf]:
    """Yield all leaves that a checkpoint covers."""
    size = read_checkpoint(read_note(folder.text(CHECKPOINT) or "").text).size
    for first in range(0, size, TILE_WIDTH):
        bundle = folder.tile(tile_at(size, ENTRIES_LEVEL, first // TILE_WIDTH))
        yield from map(read_leaf, unpack(bundle))


def _compare(store: EventStore, leaf: Leaf) -> Iterator[str]:
    """Sentences about differences between the store and a leaf."""
    version = leaf.version if isinstance(leaf, HeadLeaf) else 1
    try:
        found = store.read(leaf.match, version - 1, version)
    except CorruptEntry:
        return  # the check of the match reports it
    if not found:
        yield f"{leaf.match}: version {version} is in the log but not in the store."
    elif isinstance(leaf, HeadLeaf) and found[0].head.hex() != leaf.head:
        yield f"{leaf.match}: version {version} has a different head in the log."
