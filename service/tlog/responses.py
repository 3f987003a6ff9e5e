"""What is shown of the log: the checkpoint, the tiles, the keys, and the proof of a match."""

from __future__ import annotations

from typing import Literal

from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, read_leaf
from domain.audit.notes import Note, read_checkpoint, read_note
from domain.audit.proofs import Proof
from domain.audit.tiles import ENTRIES, WIDTH, nodes_of, read_path, tile_at, unpack
from domain.audit.tree import inclusion
from service.runtime.errors import LogStopped, NotFound, NotLogged
from service.store.event_store import Store
from service.tlog.folder import CHECKPOINT, KEYS, WITNESSED, Folder
from service.tlog.signed_state import Noted

Which = Literal["newest", "open"]


class Served:
    """The log as everybody sees it."""

    def __init__(self, folder: Folder, store: Store) -> None:
        self._folder, self._noted = folder, Noted(store)

    def checkpoint(self) -> str:
        """The newest checkpoint; LogStopped if none is signed now."""
        if reason := self._folder.refused:
            raise LogStopped(reason)
        return self._text(CHECKPOINT)

    def keys(self) -> str:
        """The keys that sign now, each in a line."""
        return self._text(KEYS)

    def tile(self, path: str) -> bytes:
        """What is in a tile, or in a bundle of entries."""
        try:
            return self._folder.tile(read_path(f"tile/{path}"))
        except Unproven:
            raise NotFound("There is no such tile.") from None

    def proof(self, match: str, which: Which) -> str:
        """The proof that a leaf of a match is in the log, with its text as extra data; NotLogged.

        Its checkpoint is one that witnesses signed, if the leaf is in that.
        """
        known = self._noted.leaves(match)
        if known is None:
            raise NotLogged("Nothing of this match is in the log yet.")
        index = known.opening if which == "open" else known.newest
        note, size = self._checkpoint_with(index)
        entry = self._entry(index, size)
        leaf = read_leaf(entry)
        if leaf.match != match or (which == "open" and isinstance(leaf, HeadLeaf)):
            raise NotLogged("This leaf of the match is not in the log yet.")
        hashes = inclusion(index, size, nodes_of(size, self._folder.tile))
        return str(Proof(index, tuple(hashes), note, entry))

    def _checkpoint_with(self, index: int) -> tuple[Note, int]:
        """The checkpoint to show that a leaf is in it."""
        for name in (WITNESSED, CHECKPOINT):
            text = self._folder.text(name)
            if text is not None:
                note = read_note(text)
                size = read_checkpoint(note.text).size
                if 0 <= index < size:
                    return note, size
        raise NotLogged("This leaf of the match is in no checkpoint yet.")

    def _entry(self, index: int, size: int) -> bytes:
        bundle = tile_at(size, ENTRIES, index // WIDTH)
        return unpack(self._folder.tile(bundle))[index % WIDTH]

    def _text(self, name: str) -> str:
        text = self._folder.text(name)
        if text is None:
            raise NotFound("There is no log here yet.")
        return text
