"""Folds the feeds of some partitions into projections: each entry exactly once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from redis import Redis

from domain.match.log import Damaged, Entry
from projections.core.changes import change
from projections.core.commit import Commit, commit
from projections.core.spaces import Change, Command, Projection, checkpoint, live_key, space_of
from projections.core.summary import Summary, fold_entry
from projections.outbox.plan import Outbox, space_of_outbox

_REMEMBERED = 5_000
_LOOK_AGAIN = 64
"""After how many portions to look whether all is as it was, while there is always one."""


class PointerLike(Protocol):
    """Where an entry is: its place in the feed, its match, its version."""

    @property
    def position(self) -> int:
        """The place in the feed, from 1."""
        ...

    @property
    def match(self) -> str:
        """The id of the match."""
        ...

    @property
    def version(self) -> int:
        """The version of the entry."""
        ...


Rows = Sequence[tuple[PointerLike, Entry | Damaged]]
"""What is read of a feed."""


class EntryStore(Protocol):
    """What is read of the event store."""

    def portion(
        self, after: Mapping[int, int], limit: int, block_ms: int | None = None
    ) -> Mapping[int, Sequence[tuple[Any, Entry | Damaged]]]:
        """What came after a place in the feed of each partition: pointers in order, each with its
        entry or with what is wrong with it.
        """
        ...

    def read(self, match: str, after: int = 0, to: int | None = None) -> Sequence[Entry]:
        """The entries of a match; Damaged if they cannot be read."""
        ...


class Projector:
    """Folds partitions into some projections; what is read at a time is written in one step.

    A match with an entry that cannot be read stays as it was before that, and is named in `damaged`
    with the reason; nothing else waits for it. With an outbox it also plans what is to be told.
    """

    def __init__(
        self,
        redis: Redis,
        store: EntryStore,
        partitions: Sequence[int],
        projections: Sequence[Projection],
        generation: int | None = None,
        outbox: Outbox | None = None,
    ) -> None:
        self._redis = redis
        self._store = store
        self._partitions = partitions
        self._projections = projections
        self._generation = generation  # None: the one that is read
        self._outbox = outbox
        self._folds: dict[int, Folds] = {}
        self._known: OrderedDict[str, Summary] = OrderedDict()
        self._portions = 0
        self.damaged: dict[str, Damaged] = {}

    def position(self, partition: int) -> int:
        """Up to where all projections of a partition are folded, as far as this projector knows."""
        folds = self._folds.get(partition)
        return folds.position if folds else 0

    def fold_next(self, limit: int, block_ms: int | None = None) -> int:
        """Fold the next entries, about so many in all, waiting for one if asked to; how many there
        were.

        Whoever else folds the same partition may be faster: then nothing is written. And a server
        that was lost may take the last entries with it, and what was folded of them.
        """
        for partition in self._partitions:
            if partition not in self._folds:
                self._folds[partition] = self._look(partition)
        after = {partition: folds.position for partition, folds in self._folds.items()}
        portion = self._store.portion(after, max(1, limit // len(after)), block_ms)
        if portion:
            self._fold(portion)
        self._portions += 1
        if not portion or self._portions % _LOOK_AGAIN == 0:
            self._look_again()
        return sum(map(len, portion.values()))

    def _look(self, partition: int) -> Folds:
        """Read which generations are live and how far they have been folded."""
        keys = [live_key(partition, projection) for projection in self._projections]
        numbers = [self._generation or int(number or 0) for number in self._redis.mget(keys)]
        spaces = [
            space_of(partition, projection, number)
            for projection, number in zip(self._projections, numbers, strict=True)
        ]
        known = {} if self._generation else dict(zip(keys, numbers, strict=True))
        projections = list(self._projections)
        if self._outbox:
            wishes, planning = self._outbox.look(partition)
            known |= wishes
            projections.append(planning)
            spaces.append(space_of_outbox(partition))
        marks = [checkpoint(space) for space in spaces]
        found = self._redis.mget(marks)
        positions = {mark: int(place or 0) for mark, place in zip(marks, found, strict=True)}
        return Folds(known, projections, spaces, positions)

    def _look_again(self) -> None:
        """Forget what is not as it is known: nothing may come after a position that was lost."""
        partitions = list(self._folds)
        found = commit(self._redis, [Commit(self._folds[one].known, ()) for one in partitions])
        self._forget(
            [one for one, known in zip(partitions, found, strict=True) if known is not True]
        )

    def _forget(self, partitions: Sequence[int]) -> None:
        """Read anew how far these are folded, and what their matches were."""
        for partition in partitions:
            self._folds.pop(partition, None)
        if partitions:
            self._known.clear()

    def _fold(self, portion: Mapping[int, Rows]) -> None:
        moved = {
            partition: self._folds[partition].moved_to(rows[-1][0].position)
            for partition, rows in portion.items()
        }
        outcomes = commit(
            self._redis,
            [
                self._commit(self._folds[partition], moved[partition], self._changes(rows))
                for partition, rows in portion.items()
            ],
        )
        for partition, outcome in zip(portion, outcomes, strict=True):
            if outcome is True:
                self._folds[partition] = moved[partition]
            else:
                self._forget([partition])
        if self._outbox:
            self._outbox.written()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    def _commit(self, folds: Folds, moved: Folds, changes: Sequence[Change]) -> Commit:
        """What these changes write, and that the feed has been folded so far."""
        marks = [word for mark in moved.positions.items() for word in mark]
        commands: list[Command] = [("MSET", *marks)]
        for projection, space, at in zip(
            folds.projections, folds.spaces, folds.positions.values(), strict=True
        ):
            new = changes if at <= folds.position else [one for one in changes if one.position > at]
            commands += projection.apply(space, new)
            commands += projection.tell(space, new)
        return Commit(folds.known, commands)

    def _changes(self, rows: Rows) -> list[Change]:
        """What the entries of a feed made of their matches, of those that can be read."""
        changes = []
        for pointer, entry in rows:
            try:
                changes.append(self._change(pointer, entry))
            except Damaged as damage:
                self.damaged.setdefault(pointer.match, damage)
        return changes

    def _change(self, pointer: PointerLike, entry: Entry | Damaged) -> Change:
        """What an entry makes of its match."""
        if isinstance(entry, Damaged):
            raise entry
        before = self._before(pointer)
        after = fold_entry(before, pointer.match, entry)
        self._remember(after)
        return change(pointer.position, entry, before, after)

    def _before(self, pointer: PointerLike) -> Summary | None:
        """The match just before an entry; folded from its stream if it is not known."""
        if pointer.version == 1:
            return None
        known = self._known.get(pointer.match)
        if known and known.version == pointer.version - 1:
            return known
        summary = None
        for entry in self._store.read(pointer.match, to=pointer.version - 1):
            summary = fold_entry(summary, pointer.match, entry)
        if summary is None or summary.version != pointer.version - 1:
            raise Damaged(f"version {pointer.version - 1} is missing.")
        return summary

    def _remember(self, summary: Summary) -> None:
        self._known[summary.id] = summary
        self._known.move_to_end(summary.id)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


class Folds(Struct, frozen=True):
    """Which generations of a partition are read and how often its wishes have changed, by the keys
    that say so, as far as that matters; what is folded; its spaces; and up to where each is folded,
    by the keys that say so.
    """

    marks: Mapping[str, int]
    projections: Sequence[Projection]
    spaces: Sequence[str]
    positions: Mapping[str, int]

    @property
    def position(self) -> int:
        """Up to where all spaces are folded."""
        return min(self.positions.values())

    @property
    def known(self) -> Mapping[str, int]:
        """The keys that tell all of that, and their values."""
        return {**self.marks, **self.positions}

    def moved_to(self, position: int) -> Folds:
        """The same once all spaces are folded up to a position, or further."""
        moved = {mark: max(at, position) for mark, at in self.positions.items()}
        return Folds(self.marks, self.projections, self.spaces, moved)
