"""The checkpoint signer (process `notary`): appends to the log step by step, and signs checkpoints.

A step first saves the new state (service/tlog/state.py), then applies it: tiles, the signed state
in Redis, the signature, the index. Each of these can be repeated with the same result, so a killed
process does no harm. Before it signs, it compares the state with the tiles and with Redis; if they
disagree it raises LogInconsistent and signs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

from msgspec.structs import replace

from domain.audit.errors import Unproven
from domain.audit.log_entries import Leaf, read_leaf
from domain.audit.notes import Checkpoint, Key, Note, Signature, find_signers, read_note
from domain.audit.tiles import ENTRIES_LEVEL, TILE_WIDTH, Tile, grow, nodes_of, tile_at, unpack
from domain.audit.tree import root_of
from service.store.event_store import EventStore
from service.tlog.errors import LogInconsistent
from service.tlog.feed import FeedReader, LoggedLeaves
from service.tlog.folder import CHECKPOINT, KEYS, WITNESSED_CHECKPOINT, Folder
from service.tlog.keys import Keys
from service.tlog.signed_state import SignedState, SignedStateStore
from service.tlog.state import LogState, load, save


def _load_or_start(folder: Folder, origin: str) -> LogState:
    """Return the state of the log. Without one, start a log with this origin, which it keeps,
    unless the log had no public address to name yet.
    """
    state = load(folder.path)
    if state is None or state.may_take(origin):
        state = replace(state or LogState(origin), origin=origin)
        save(folder.path, state)
    return state


class CheckpointSigner:
    """Appends to the log in a folder that this process has locked."""

    def __init__(
        self,
        folder: Folder,
        store: EventStore,
        keys: Keys,
        origin: str,
        origin_is_set: bool = False,
    ) -> None:
        """Open the log, or start one with this origin; complete an interrupted step.

        With `origin_is_set`, a log with another origin raises LogInconsistent.
        """
        self._folder, self._store, self._keys = folder, store, keys
        self._signed_state = SignedStateStore(store)
        self._lock = Lock()  # guards the checkpoint, which witness threads change, too
        self.state = _load_or_start(folder, origin)
        if origin_is_set and self.state.origin != origin:
            raise LogInconsistent(
                f"The log in {folder.path} has the origin {self.state.origin}, not {origin}, and"
                " keeps it: set ANNALS_TLOG_ORIGIN to that, or start another log with `annals tlog"
                " restart`."
            )
        self._apply_state()
        logged = LoggedLeaves(self._all_leaves() if self.state.rescan else iter(()))
        self._reader = FeedReader(store, self.state, logged)

    def step(self, now: int) -> bool:
        """Append the next entries of the feeds; returns whether there are more."""
        leaves, more = self._reader.read()
        leaves += self._reader.close_window(now)
        rescan = self.state.rescan and more
        if leaves or rescan != self.state.rescan:
            self._grow(leaves, rescan)
        else:
            self._publish()  # the keys may have changed
        return more

    def checkpoint(self) -> Note:
        """Return the published checkpoint."""
        text = self._folder.text(CHECKPOINT)
        assert text
        return read_note(text)

    def add_cosignatures(self, text: str, key: Key, signatures: tuple[Signature, ...]) -> None:
        """Add the signatures of a witness, unless a newer checkpoint has been published."""
        with self._lock:
            note = self.checkpoint()
            if note.text != text:
                return
            others = tuple(one for one in note.signatures if not key.claims(one))
            cosigned = str(Note(text, (*others, *signatures)))
            self._folder.write_text(CHECKPOINT, cosigned)
            self._folder.write_text(WITNESSED_CHECKPOINT, cosigned)

    def read_tile(self, tile: Tile) -> bytes:
        """Return the content of a tile of this log."""
        return self._folder.tile(tile)

    def _grow(self, leaves: list[Leaf], rescan: bool) -> None:
        """Save the state with these leaves, and apply it."""
        before = self.state
        self._check_root(before.size, before.root)
        entries = [leaf.entry for leaf in leaves]
        tiles = self._new_tiles(before.size, entries)
        size = before.size + len(entries)
        root = root_of(
            size, nodes_of(size, lambda tile: tiles.get(tile) or self._folder.tile(tile))
        )
        self.state = LogState(
            before.origin, size, root.hex(), tuple(entry.decode() for entry in entries),
            self._reader.positions, self._reader.pending_heads, self._reader.window_start, rescan,
        )  # fmt: skip
        save(self._folder.path, self.state)
        self._apply_state()

    def _apply_state(self) -> None:
        """Write everything that follows from the state; may run again after a crash."""
        now = self.state
        entries = [leaf.encode() for leaf in now.leaves]
        tiles = self._new_tiles(now.size_before, entries)
        for tile, content in tiles.items():
            self._folder.write_tile(tile, content)
        self._check_root(now.size, now.root)
        self._record_signed_state()
        self._publish()
        self._update_index()
        for tile in tiles:
            if tile.width == TILE_WIDTH:
                self._folder.drop_partial(tile)

    def _check_root(self, size: int, root: str) -> None:
        """Raise LogInconsistent unless the tiles give this root."""
        found = self._root(size)
        if found != root:
            raise LogInconsistent(
                f"The tiles differ from the signed ones: {size} leaves give {found},"
                f" not {root}. Restore the folder from its newest copy, or start another log with"
                " `annals tlog restart`."
            )

    def _root(self, size: int) -> str:
        """Return the root of the first leaves, or what is wrong with their tiles."""
        try:
            return root_of(size, nodes_of(self.state.size, self._folder.tile)).hex()
        except Unproven as reason:
            return f"nothing ({reason})"

    def _new_tiles(self, size: int, entries: Sequence[bytes]) -> dict[Tile, bytes]:
        try:
            return grow(size, entries, self._folder.tile)
        except Unproven as reason:
            raise LogInconsistent(
                f"The tiles differ from the signed ones: {reason} Restore the folder"
                " from its newest copy, or start another log with `annals tlog restart`."
            ) from reason

    def _record_signed_state(self) -> None:
        """Record in Redis what is signed next. Raises LogInconsistent unless it continues what is
        recorded there.
        """
        now = self.state
        before = self._signed_state.latest()
        if before is not None:
            self._check_continues(before)
        if not self._signed_state.record(before, SignedState(now.origin, now.size, now.root)):
            raise LogInconsistent(
                "Another service continues this log. Stop one of them, and start another log there."
            )

    def _check_continues(self, before: SignedState) -> None:
        now = self.state
        is_renamed = before.origin != now.origin and before.size
        if is_renamed or before.size > now.size:
            raise LogInconsistent(
                f"The last signature is for {before.origin} with {before.size} leaves, but the"
                f" folder has {now.origin} with {now.size}: it is an older copy, or belongs"
                " to another log. Restore the newest copy, or start another log with `annals tlog"
                " restart`."
            )
        if self._root(before.size) != before.root:
            raise LogInconsistent(
                f"The signed tree of {before.size} leaves differs from the folder: two services"
                " continue this log with one key, or the folder is not the newest. Keep one service"
                " with its folder, and start another log elsewhere with `annals tlog restart`."
            )

    def _publish(self) -> None:
        """Sign the state with all keys and publish the checkpoint, unless that is done."""
        now = self.state
        signers = self._keys.signers(now.origin)
        keys = [signer.key for signer in signers]
        text = Checkpoint(now.origin, now.size, bytes.fromhex(now.root)).text
        with self._lock:
            if not self._is_published(text, keys):
                note = Note(text, tuple(signer.sign(text) for signer in signers))
                self._folder.write_text(KEYS, "".join(f"{key.vkey}\n" for key in keys))
                self._folder.write_text(CHECKPOINT, str(note))

    def _is_published(self, text: str, keys: list[Key]) -> bool:
        vkeys = "".join(f"{key.vkey}\n" for key in keys)
        try:
            note = read_note(self._folder.text(CHECKPOINT) or "")
            signed = note.text == text and find_signers(note, keys) == keys
        except Unproven:
            return False
        return signed and self._folder.text(KEYS) == vkeys

    def _update_index(self) -> None:
        """Index the leaves that are not indexed yet."""
        now = self.state
        first = min(self._signed_state.index_size(now.origin), now.size)
        while first < now.size:
            after = min(now.size, (first // TILE_WIDTH + 1) * TILE_WIDTH)
            leaves = list(self._leaves(first, after))
            self._signed_state.index(now.origin, first, leaves)
            first = after

    def _all_leaves(self) -> Iterator[Leaf]:
        for first in range(0, self.state.size, TILE_WIDTH):
            yield from self._leaves(first, min(self.state.size, first + TILE_WIDTH))

    def _leaves(self, first: int, after: int) -> Iterator[Leaf]:
        """Yield the leaves of a range within one bundle."""
        bundle = tile_at(self.state.size, ENTRIES_LEVEL, first // TILE_WIDTH)
        entries = unpack(self._folder.tile(bundle))
        begin = first % TILE_WIDTH
        yield from map(read_leaf, entries[begin : begin + after - first])
