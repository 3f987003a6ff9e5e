"""The notary: continues the log, one step at a time, and signs how it stands.

A step first writes down what will be (service/tlog/state.py), then carries it out: tiles, the note
in Redis, the signature, the index. Each of these can be done again with the same outcome, so it
does not matter where a process was killed. Before anything is signed it is held against the tiles
and against the note in Redis; whatever does not fit ends in a Contradiction, and nothing is signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

from domain.audit.errors import Unproven
from domain.audit.log_entries import Leaf, read_leaf
from domain.audit.notes import Checkpoint, Key, Note, Signature, read_note, signed_by
from domain.audit.tiles import ENTRIES, WIDTH, Tile, grown, nodes_of, tile_at, unpack
from domain.audit.tree import root_of
from service.store.event_store import Store
from service.tlog.errors import Contradiction
from service.tlog.feed import Known, Reader
from service.tlog.folder import CHECKPOINT, KEYS, WITNESSED, Folder
from service.tlog.keys import Keys
from service.tlog.signed_state import Noted, Signed
from service.tlog.state import Standing, load, save


def _begun(folder: Folder, origin: str) -> Standing:
    """A log without leaves, whose origin stays."""
    standing = Standing(origin)
    save(folder.path, standing)
    return standing


class Notary:
    """Continues the log in a folder that this process holds."""

    def __init__(
        self, folder: Folder, store: Store, keys: Keys, origin: str, given: bool = False
    ) -> None:
        """The origin is for a log that begins; if it was `given`, another log is refused."""
        self._folder, self._store, self._keys = folder, store, keys
        self._noted = Noted(store)
        self._lock = Lock()  # of the checkpoint, which witnesses sign as well
        self.standing = load(folder.path) or _begun(folder, origin)
        if given and self.standing.origin != origin:
            raise Contradiction(
                f"The log in {folder.path} has the origin {self.standing.origin}, not {origin}, and"
                " keeps it: set ANNALS_TLOG_ORIGIN to that, or begin another log with `annals tlog"
                " restart`."
            )
        self._carry_out()
        known = Known(self._all_leaves() if self.standing.rescan else iter(()))
        self._reader = Reader(store, self.standing, known)

    def step(self, now: int) -> bool:
        """Take in what came; whether there is more."""
        leaves, more = self._reader.read()
        leaves += self._reader.close_window(now)
        rescan = self.standing.rescan and more
        if leaves or rescan != self.standing.rescan:
            self._grow(leaves, rescan)
        else:
            self._publish()  # keys may have changed
        return more

    def checkpoint(self) -> Note:
        """The checkpoint that is shown now."""
        text = self._folder.text(CHECKPOINT)
        assert text
        return read_note(text)

    def cosigned(self, text: str, key: Key, signatures: tuple[Signature, ...]) -> None:
        """Add what a witness signed to the checkpoint with this text, if it is the newest still."""
        with self._lock:
            note = self.checkpoint()
            if note.text != text:
                return
            others = tuple(one for one in note.signatures if not key.made(one))
            cosigned = str(Note(text, (*others, *signatures)))
            self._folder.write_text(CHECKPOINT, cosigned)
            self._folder.write_text(WITNESSED, cosigned)

    def read(self, tile: Tile) -> bytes:
        """What is in a tile of this log."""
        return self._folder.tile(tile)

    def _grow(self, leaves: list[Leaf], rescan: bool) -> None:
        """Write down that these leaves come next, and carry that out."""
        was = self.standing
        self._must_be(was.size, was.root)
        entries = [leaf.entry for leaf in leaves]
        made = self._grown(was.size, entries)
        size = was.size + len(entries)
        top = root_of(size, nodes_of(size, lambda tile: made.get(tile) or self._folder.tile(tile)))
        self.standing = Standing(
            was.origin, size, top.hex(), tuple(entry.decode() for entry in entries),
            self._reader.places, self._reader.moved, self._reader.window, rescan,
        )  # fmt: skip
        save(self._folder.path, self.standing)
        self._carry_out()

    def _carry_out(self) -> None:
        """Do, perhaps once more, all that follows from how the log stands."""
        now = self.standing
        entries = [leaf.encode() for leaf in now.leaves]
        made = self._grown(now.before, entries)
        for tile, content in made.items():
            self._folder.write_tile(tile, content)
        self._must_be(now.size, now.root)
        self._note()
        self._publish()
        self._index()
        for tile in made:
            if tile.width == WIDTH:
                self._folder.drop_partial(tile)

    def _must_be(self, size: int, root: str) -> None:
        """Contradiction unless the tiles lead to this root."""
        found = self._root(size)
        if found != root:
            raise Contradiction(
                f"The tiles of the log are not those that were signed: {size} leaves give {found},"
                f" not {root}. Put the folder back from its newest copy, or begin another log with"
                " `annals tlog restart`."
            )

    def _root(self, size: int) -> str:
        """The root of the first leaves, or what is wrong with their tiles."""
        try:
            return root_of(size, nodes_of(self.standing.size, self._folder.tile)).hex()
        except Unproven as reason:
            return f"nothing ({reason})"

    def _grown(self, size: int, entries: Sequence[bytes]) -> dict[Tile, bytes]:
        try:
            return grown(size, entries, self._folder.tile)
        except Unproven as reason:
            raise Contradiction(
                f"The tiles of the log are not those that were signed: {reason} Put the folder back"
                " from its newest copy, or begin another log with `annals tlog restart`."
            ) from reason

    def _note(self) -> None:
        """Note in Redis what is signed next; Contradiction if that is not what comes next."""
        now = self.standing
        before = self._noted.signed()
        if before is not None:
            self._must_follow(before)
        if not self._noted.sign(before, Signed(now.origin, now.size, now.root)):
            raise Contradiction(
                "Somebody else continues this log: end one of the services, and begin another log"
                " there."
            )

    def _must_follow(self, before: Signed) -> None:
        now = self.standing
        if before.origin != now.origin or before.size > now.size:
            raise Contradiction(
                f"What was signed last was {before.origin} with {before.size} leaves, and the"
                f" folder has {now.origin} with {now.size}: it is an older copy, or somebody"
                " else's. Put back the newest one, or begin another log with `annals tlog restart`."
            )
        if self._root(before.size) != before.root:
            raise Contradiction(
                f"Another tree of {before.size} leaves was signed than the folder has: two services"
                " continue this log with one key, or the folder is not the newest. Let one go on,"
                " with its folder, and begin another log elsewhere with `annals tlog restart`."
            )

    def _publish(self) -> None:
        """Sign how the log stands with all keys, unless that is done."""
        now = self.standing
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
            signed = note.text == text and signed_by(note, keys) == keys
        except Unproven:
            return False
        return signed and self._folder.text(KEYS) == vkeys

    def _index(self) -> None:
        """Let all leaves be found that cannot be found yet."""
        now = self.standing
        first = min(self._noted.indexed(now.origin), now.size)
        while first < now.size:
            after = min(now.size, (first // WIDTH + 1) * WIDTH)
            leaves = list(self._leaves(first, after))
            self._noted.index(now.origin, first, leaves)
            first = after

    def _all_leaves(self) -> Iterator[Leaf]:
        for first in range(0, self.standing.size, WIDTH):
            yield from self._leaves(first, min(self.standing.size, first + WIDTH))

    def _leaves(self, first: int, after: int) -> Iterator[Leaf]:
        """The leaves of a range that lies in one bundle."""
        bundle = tile_at(self.standing.size, ENTRIES, first // WIDTH)
        entries = unpack(self._folder.tile(bundle))
        begin = first % WIDTH
        yield from map(read_leaf, entries[begin : begin + after - first])
