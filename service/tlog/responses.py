"""Responses of the log: the checkpoint, the tiles, the keys, and proofs of matches."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from domain.audit.errors import Unproven
from domain.audit.log_entries import HeadLeaf, read_leaf
from domain.audit.notes import Note, read_checkpoint, read_note
from domain.audit.proofs import Proof
from domain.audit.tiles import ENTRIES_LEVEL, TILE_WIDTH, nodes_of, read_path, tile_at, unpack
from domain.audit.tree import inclusion
from service.runtime.errors import LogStopped, NotFound, NotLogged
from service.runtime.shares.byte_cache import ByteCache
from service.store.event_store import EventStore
from service.tlog.folder import CHECKPOINT, KEYS, WITNESSED_CHECKPOINT, Folder
from service.tlog.signed_state import SignedStateStore

Which = Literal["newest", "open"]


class LogResponses:
    """The public contents of the log."""

    def __init__(self, folder: Folder, store: EventStore, cache: ByteCache) -> None:
        """`cache` keeps proofs."""
        self._folder, self._signed_state = folder, SignedStateStore(store)
        self._cache = cache

    def checkpoint(self) -> str:
        """Return the newest checkpoint. Raises LogStopped if nothing is signed now."""
        if reason := self._folder.stop_reason:
            raise LogStopped(reason)
        return self._text(CHECKPOINT)

    def keys(self) -> str:
        """Return the keys that sign now, one per line."""
        return self._text(KEYS)

    def tile(self, path: str) -> bytes:
        """Return the content of a tile or of a bundle of entries. Raises NotFound."""
        try:
            return self._folder.tile(read_path(f"tile/{path}"))
        except Unproven:
            raise NotFound("There is no such tile.") from None

    def proof(self, match: str, which: Which) -> str:
        """Return the proof that a leaf of a match is in the log, with the leaf as extra data.
        Raises NotLogged.

        It uses a witnessed checkpoint if one covers the leaf. A leaf has one proof in a checkpoint.
        """
        leaves = self._signed_state.leaf_indices(match)
        if leaves is None:
            raise NotLogged("The log has no leaf of this match yet.")
        index = leaves.opening if which == "open" else leaves.newest
        text, note, size = self._checkpoint_with(index)
        key = "proof", match, which, index, sha256(text.encode()).digest()
        if found := self._cache.get(key):
            return found.decode()
        proof = self._build_proof(match, which, index, note, size)
        self._cache.put(key, proof.encode())
        return proof

    def _build_proof(self, match: str, which: Which, index: int, note: Note, size: int) -> str:
        entry = self._entry(index, size)
        leaf = read_leaf(entry)
        if leaf.match != match or (which == "open" and isinstance(leaf, HeadLeaf)):
            raise NotLogged("The log does not have this leaf of the match yet.")
        hashes = inclusion(index, size, nodes_of(size, self._folder.tile))
        return str(Proof(index, tuple(hashes), note, entry))

    def _checkpoint_with(self, index: int) -> tuple[str, Note, int]:
        """Return the text of a checkpoint that covers a leaf, its note, and its size."""
        for name in (WITNESSED_CHECKPOINT, CHECKPOINT):
            text = self._folder.text(name)
            if text is not None:
                note = read_note(text)
                size = read_checkpoint(note.text).size
                if 0 <= index < size:
                    return text, note, size
        raise NotLogged("No checkpoint covers this leaf of the match yet.")

    def _entry(self, index: int, size: int) -> bytes:
        bundle = tile_at(size, ENTRIES_LEVEL, index // TILE_WIDTH)
        return unpack(self._folder.tile(bundle))[index % TILE_WIDTH]

    def _text(self, name: str) -> str:
        text = self._folder.text(name)
        if text is None:
            raise NotFound("There is no log yet.")
        return text
