"""Whether the store has what the log of all matches says, and the log is sound itself."""

from __future__ import annotations

from collections.abc import Iterator

from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, Leaf, read_leaf
from domain.audit.notes import read_checkpoint, read_note
from domain.audit.tiles import ENTRIES, WIDTH, tile_at, unpack
from domain.match.log import Damaged
from service.matches.container import Annals
from service.store.event_store import Store
from service.tlog.folder import CHECKPOINT, Folder
from workers.tools.check.tlog import check_all


def wrong_log(annals: Annals) -> Iterator[str]:
    """What is wrong with the log, and with matches that are otherwise there than in it, in
    sentences; nothing if there is no log on this machine.
    """
    path = annals.settings.tlog_folder
    folder = Folder(path) if path else None
    if folder is None or folder.text(CHECKPOINT) is None:
        return
    try:
        yield from (f"the log: {fault}" for fault in check_all(folder)[1])
        for leaf in _leaves(folder):
            yield from _otherwise(annals.store, leaf)
    except Unproven as why:
        yield f"the log: {why}"


def _leaves(folder: Folder) -> Iterator[Leaf]:
    """All leaves that a checkpoint was signed for."""
    size = read_checkpoint(read_note(folder.text(CHECKPOINT) or "").text).size
    for first in range(0, size, WIDTH):
        bundle = folder.tile(tile_at(size, ENTRIES, first // WIDTH))
        yield from map(read_leaf, unpack(bundle))


def _otherwise(store: Store, leaf: Leaf) -> Iterator[str]:
    """What the store has otherwise than a leaf says."""
    version = leaf.version if isinstance(leaf, HeadLeaf) else 1
    try:
        found = store.read(leaf.match, version - 1, version)
    except Damaged:
        return  # the check of the match tells it
    if not found:
        yield f"{leaf.match}: version {version} is in the log and not in the store."
    elif isinstance(leaf, HeadLeaf) and found[0].head.hex() != leaf.head:
        yield f"{leaf.match}: version {version} has another head than in the log."
