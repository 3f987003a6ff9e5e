"""Reads the feeds and yields the leaves to append, each once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import structlog

from domain.audit.log_entries import HeadLeaf, Leaf, OpenLeaf, State, nonces_hash
from domain.match import events as said
from domain.match.log import CorruptEntry, Entry, reading
from domain.match.social_events import RematchOffered
from projections.core.events import KnownEvent, read_known_events
from projections.core.spaces import group_by_slot
from service.store.entry_codec import Pointer
from service.store.event_store import EventStore
from service.tlog.errors import LogInconsistent
from service.tlog.state import FeedPosition, LogState, PendingHead

MAX_ENTRIES_PER_READ = 2_000
WINDOW_MS = 600_000
"""Within this time the log gets at most one head of each running match."""
_OVER = (said.Ended, said.Scored, said.Rated, said.Continued, RematchOffered)
_FINAL = (said.Scored, said.Aborted)
log = structlog.get_logger()


class LoggedLeaves:
    """What the log contains already; used when the feeds are read again from their start."""

    def __init__(self, leaves: Iterator[Leaf]) -> None:
        self._opened: set[str] = set()
        self._heads: dict[str, int] = {}
        for leaf in leaves:
            if isinstance(leaf, OpenLeaf):
                self._opened.add(leaf.match)
            else:
                self._heads[leaf.match] = max(leaf.version, self._heads.get(leaf.match, 0))

    def has_head(self, match: str, version: int) -> bool:
        """Return whether the log has a head of the match at this version or later."""
        return version <= self._heads.get(match, 0)

    def has_opening(self, match: str) -> bool:
        """Return whether the log has the opening of the match."""
        return match in self._opened


class FeedReader:
    """Reads the feeds from the positions in the state."""

    def __init__(self, store: EventStore, state: LogState, known: LoggedLeaves) -> None:
        self._store, self._known = store, known
        self.positions = dict(state.positions)
        self.pending_heads = dict(state.pending_heads)
        self.window_start = state.window_start

    def read(self) -> tuple[list[Leaf], bool]:
        """Read the next entries; returns their leaves, and whether there are more entries."""
        leaves: list[Leaf] = []
        more = False
        for some in group_by_slot(self._store.redis, range(self._store.partitions)):
            after = {
                n: self._position(n) - 1 for n in some
            }  # repeats the last entry, to compare it
            most = max(2, MAX_ENTRIES_PER_READ // len(some))
            found = self._store.read_batch({n: max(0, at) for n, at in after.items()}, most)
            for partition in some:
                rows = self._new_rows(partition, found.get(partition, ()))
                for pointer, entry in rows:
                    leaves += self._leaves(pointer, entry)
                    self.positions[partition] = _position_of(pointer, entry)
                more = more or len(rows) >= most - 1
        return leaves, more

    def close_window(self, now: int) -> list[Leaf]:
        """Return the heads of matches that have moved, once the window is over."""
        self.window_start = self.window_start or now
        if 0 <= now - self.window_start < WINDOW_MS:
            return []
        heads = [
            HeadLeaf(match, one.version, one.head, one.state)
            for match, one in self.pending_heads.items()
        ]
        self.pending_heads, self.window_start = {}, now
        return list(heads)

    def _position(self, partition: int) -> int:
        position = self.positions.get(partition)
        return position.position if position else 0

    def _new_rows(
        self, partition: int, rows: Sequence[tuple[Pointer, Entry | CorruptEntry]]
    ) -> Sequence[tuple[Pointer, Entry | CorruptEntry]]:
        """Return the rows after the last position. Raises LogInconsistent unless the first row is
        at that position.
        """
        position = self.positions.get(partition)
        if position is None:
            return rows
        if not rows or not _matches_position(position, *rows[0]):
            raise LogInconsistent(
                f"The event store is not the one that the log has read: feed {partition} has"
                f" something else, or nothing, at {position.position}. Was it restored from an"
                " older backup? Restore a newer one, or continue from this store with `annals tlog"
                " resume`: the log keeps its leaves."
            )
        return rows[1:]

    def _leaves(self, pointer: Pointer, entry: Entry | CorruptEntry) -> Iterator[Leaf]:
        """Yield the leaves of an entry; a move only updates the pending head of its match."""
        if self._known.has_head(pointer.match, pointer.version):
            return  # the match may be in the archive now
        try:
            if isinstance(entry, CorruptEntry):
                raise entry
            with reading(entry):
                events = read_known_events(entry.events)
        except CorruptEntry:  # `annals verify` reports the details
            log.error("entry_corrupt", match=pointer.match, version=pointer.version)
            return
        match = pointer.match
        for event in events:
            if isinstance(event, said.Created) and not self._known.has_opening(match):
                commitments = (chair.commitment for chair in event.chairs)
                yield OpenLeaf(match, event.seed_hash, nonces_hash(commitments))
        state = _match_state(entry.kind, events)
        head = entry.head.hex()
        if any(isinstance(event, _FINAL) for event in events):
            self.pending_heads.pop(match, None)
            yield HeadLeaf(match, entry.version, head, state)
        elif entry.version > 1:  # the opening contains all of the first entry
            self.pending_heads[match] = PendingHead(entry.version, head, state)


def _matches_position(
    position: FeedPosition, pointer: Pointer, entry: Entry | CorruptEntry
) -> bool:
    if (pointer.position, pointer.match, pointer.version) != (
        position.position, position.match, position.version,
    ):  # fmt: skip
        return False
    return isinstance(entry, CorruptEntry) or position.head in ("", entry.head.hex())


def _position_of(pointer: Pointer, entry: Entry | CorruptEntry) -> FeedPosition:
    head = "" if isinstance(entry, CorruptEntry) else entry.head.hex()
    return FeedPosition(pointer.position, pointer.match, pointer.version, head)


def _match_state(kind: str, events: Sequence[KnownEvent]) -> State:
    """Return the state of a match after an entry; an entry that makes a scored match unrated keeps
    it ended.
    """
    if any(isinstance(event, said.Aborted) for event in events):
        return "aborted"
    over = kind == "Unrated" or any(isinstance(event, _OVER) for event in events)
    return "ended" if over else "turn"
