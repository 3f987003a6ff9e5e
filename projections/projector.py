"""Folds the feeds of some partitions into projections: each entry exactly once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from redis import Redis

from domain.match.log import CorruptEntry, Entry
from projections.core.changes import build_change
from projections.core.commit import Commit, commit
from projections.core.spaces import (
    Change,
    Command,
    Projection,
    generation_key,
    position_key,
    space_of,
)
from projections.core.summary import Summary, fold_entry
from projections.outbox.plan import Outbox, outbox_space

MAX_SUMMARIES = 5_000
"""Number of matches whose latest summary is cached, unless the process says otherwise."""
_BATCHES_PER_CHECK = 64
"""Number of batches after which a busy projector checks its generations and positions."""


class PointerLike(Protocol):
    """A pointer to an entry: its position in the feed, its match and its version."""

    @property
    def position(self) -> int:
        """The position in the feed, from 1."""
        ...

    @property
    def match(self) -> str:
        """The id of the match."""
        ...

    @property
    def version(self) -> int:
        """The version of the entry."""
        ...


FeedRows = Sequence[tuple[PointerLike, Entry | CorruptEntry]]
"""Pointers with their entries, or with the error if an entry is corrupt."""


class EntryStore(Protocol):
    """What a projector reads from the event store."""

    def read_batch(
        self, after: Mapping[int, int], limit: int, block_ms: int | None = None
    ) -> Mapping[int, Sequence[tuple[Any, Entry | CorruptEntry]]]:
        """Return the next entries after a position in the feed of each partition: pointers in
        order, each with its entry, or with the error if the entry is corrupt.
        """
        ...

    def read(self, match: str, after: int = 0, to: int | None = None) -> Sequence[Entry]:
        """Return the entries of a match. Raises CorruptEntry if they cannot be read."""
        ...


class Projector:
    """Folds partitions into some projections, and commits each batch in one step.

    A match with a corrupt entry keeps its last good state, and `corrupt_matches` has the error by
    match. Other matches continue. With an outbox, the projector also plans deliveries.
    """

    def __init__(
        self,
        redis: Redis,
        store: EntryStore,
        partitions: Sequence[int],
        projections: Sequence[Projection],
        generation: int | None = None,
        outbox: Outbox | None = None,
        max_summaries: int = MAX_SUMMARIES,
    ) -> None:
        self._redis = redis
        self._store = store
        self._partitions = partitions
        self._projections = projections
        self._generation = generation  # None: the live one
        self._outbox = outbox
        self._states: dict[int, FoldState] = {}
        self._outdated: dict[int, FoldState] = {}
        """States after which another writer changed something; they are read again."""
        self._summaries: OrderedDict[str, Summary] = OrderedDict()
        self._max_summaries = max_summaries
        self._batches = 0
        self.corrupt_matches: dict[str, CorruptEntry] = {}

    def position(self, partition: int) -> int:
        """Return the position up to which all projections of a partition are folded, as far as this
        projector knows.
        """
        state = self._states.get(partition)
        return state.position if state else 0

    def fold_next(self, limit: int, block_ms: int | None = None) -> int:
        """Fold the next entries, at most about `limit` in all partitions; returns the number that
        was read.

        With `block_ms` it waits for an entry if there is none. If another projector of the same
        partition commits first, this one writes nothing. A failover of Redis may lose the last
        entries together with what was folded from them.
        """
        for partition in self._partitions:
            if partition not in self._states:
                self._states[partition] = self._read_again(partition)
        after = {partition: state.position for partition, state in self._states.items()}
        batch = self._store.read_batch(after, max(1, limit // len(after)), block_ms)
        if batch:
            self._fold(batch)
        self._batches += 1
        if not batch or self._batches % _BATCHES_PER_CHECK == 0:
            self._drop_outdated()
        return sum(map(len, batch.values()))

    def _read_again(self, partition: int) -> FoldState:
        """Read the state of a partition. If more has changed than subscription filters, entries may
        be lost, so all summaries are read again too.
        """
        state, before = self._read_state(partition), self._outdated.pop(partition, None)
        if before and (state.spaces, state.positions) != (before.spaces, before.positions):
            self._summaries.clear()
        return state

    def _read_state(self, partition: int) -> FoldState:
        """Read the live generations and how far they are folded."""
        keys = [generation_key(partition, projection) for projection in self._projections]
        numbers = [self._generation or int(number or 0) for number in self._redis.mget(keys)]
        spaces = [
            space_of(partition, projection, number)
            for projection, number in zip(self._projections, numbers, strict=True)
        ]
        known = {} if self._generation else dict(zip(keys, numbers, strict=True))
        projections = list(self._projections)
        if self._outbox:
            filter_changes, planning = self._outbox.prepare(partition)
            known |= filter_changes
            projections.append(planning)
            spaces.append(outbox_space(partition))
        marks = [position_key(space) for space in spaces]
        found = self._redis.mget(marks)
        positions = {mark: int(place or 0) for mark, place in zip(marks, found, strict=True)}
        return FoldState(known, projections, spaces, positions)

    def _drop_outdated(self) -> None:
        """Drop outdated partitions: no commit may follow a position that Redis has lost."""
        partitions = list(self._states)
        found = commit(self._redis, [Commit(self._states[one].expected, ()) for one in partitions])
        self._drop([one for one, known in zip(partitions, found, strict=True) if known is not True])

    def _drop(self, partitions: Sequence[int]) -> None:
        """Read the states of these partitions again before the next batch."""
        for partition in partitions:
            self._outdated[partition] = self._states.pop(partition)

    def _fold(self, batch: Mapping[int, FeedRows]) -> None:
        moved = {
            partition: self._states[partition].advance_to(rows[-1][0].position)
            for partition, rows in batch.items()
        }
        changes = {partition: self._changes(rows) for partition, rows in batch.items()}
        outcomes = commit(
            self._redis,
            [
                self._commit(self._states[partition], moved[partition], some)
                for partition, some in changes.items()
            ],
        )
        for partition, outcome in zip(batch, outcomes, strict=True):
            if outcome is True:
                self._states[partition] = moved[partition]
                self._cache(changes[partition])
            else:
                self._drop([partition])
        if self._outbox:
            self._outbox.notify_planned()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    def _commit(self, state: FoldState, moved: FoldState, changes: Sequence[Change]) -> Commit:
        """Return the commit that writes these changes and the new positions."""
        marks = [word for mark in moved.positions.items() for word in mark]
        commands: list[Command] = [("MSET", *marks)]
        for projection, space, at in zip(
            state.projections, state.spaces, state.positions.values(), strict=True
        ):
            new = changes if at <= state.position else [one for one in changes if one.position > at]
            commands += projection.apply(space, new)
            commands += projection.publish(space, new)
        return Commit(state.expected, commands)

    def _changes(self, rows: FeedRows) -> list[Change]:
        """Return the changes that the readable entries of a feed make to their matches."""
        changes, latest = list[Change](), dict[str, Summary]()
        for pointer, entry in rows:
            try:
                known = latest.get(pointer.match) or self._summaries.get(pointer.match)
                changes.append(self._change(pointer, entry, known))
                latest[pointer.match] = changes[-1].after
            except CorruptEntry as error:
                self.corrupt_matches.setdefault(pointer.match, error)
        return changes

    def _change(
        self, pointer: PointerLike, entry: Entry | CorruptEntry, known: Summary | None
    ) -> Change:
        """Return the change that an entry makes to its match. Raises CorruptEntry if the entry is
        corrupt.
        """
        if isinstance(entry, CorruptEntry):
            raise entry
        before = self._summary_before(pointer, known)
        after = fold_entry(before, pointer.match, entry)
        return build_change(pointer.position, entry, before, after)

    def _summary_before(self, pointer: PointerLike, known: Summary | None) -> Summary | None:
        """Return the summary of a match just before an entry: the known one, or from its stream."""
        if pointer.version == 1:
            return None
        if known and known.version == pointer.version - 1:
            return known
        summary = None
        for entry in self._store.read(pointer.match, to=pointer.version - 1):
            summary = fold_entry(summary, pointer.match, entry)
        if summary is None or summary.version != pointer.version - 1:
            missing = pointer.version - 1
            raise CorruptEntry(f"version {missing} is missing.", missing)
        return summary

    def _cache(self, committed: Sequence[Change]) -> None:
        for one in committed:
            self._summaries[one.after.id] = one.after
            self._summaries.move_to_end(one.after.id)
        while len(self._summaries) > self._max_summaries:
            self._summaries.popitem(last=False)


class FoldState(Struct, frozen=True):
    """How far a partition is folded: its live generations and the counter of subscription filters,
    by the keys that hold them; its projections and their spaces; and the position of each space, by
    its key.
    """

    guards: Mapping[str, int]
    projections: Sequence[Projection]
    spaces: Sequence[str]
    positions: Mapping[str, int]

    @property
    def position(self) -> int:
        """The position up to which all spaces are folded."""
        return min(self.positions.values())

    @property
    def expected(self) -> Mapping[str, int]:
        """The keys that hold these numbers, with the values that a commit expects."""
        return {**self.guards, **self.positions}

    def advance_to(self, position: int) -> FoldState:
        """Return the state after all spaces have been folded up to this position or further."""
        moved = {mark: max(at, position) for mark, at in self.positions.items()}
        return FoldState(self.guards, self.projections, self.spaces, moved)
