"""Folds the feed of a partition into projections: each entry exactly once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

from redis import Redis
from redis.exceptions import WatchError

from domain.match.log import Damaged, Entry
from projections.spaces import Change, Projection, checkpoint, live_key, space_of
from projections.summary import Summary, fold_entry

_REMEMBERED = 5_000


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


class EntryStore(Protocol):
    """What is read of the event store."""

    def feed(self, partition: int, after: int, limit: int, block_ms: int | None) -> Sequence[Any]:
        """Pointers to the entries of a partition, in order."""
        ...

    def entries(self, pointers: Sequence[Any]) -> Sequence[Entry | Damaged]:
        """The entries that these point to, or what is wrong with them."""
        ...

    def read(self, match: str, after: int = 0, to: int | None = None) -> Sequence[Entry]:
        """The entries of a match; Damaged if they cannot be read."""
        ...


class PartitionProjector:
    """Folds one partition into some projections, all in one transaction.

    A match with an entry that cannot be read stays as it was before that, and is named in `damaged`
    with the reason; nothing else waits for it.
    """

    def __init__(
        self,
        redis: Redis,
        store: EntryStore,
        partition: int,
        projections: Sequence[Projection],
        generation: int | None = None,
    ) -> None:
        self._redis = redis
        self._store = store
        self._partition = partition
        self._projections = projections
        self._generation = generation  # None: the one that is read
        self._spaces: list[str] = []
        self._positions: list[int] = []
        self._known: OrderedDict[str, Summary] = OrderedDict()
        self.damaged: dict[str, Damaged] = {}

    @property
    def position(self) -> int:
        """Up to where all projections are folded, as far as this projector knows."""
        return min(self._positions, default=0)

    def fold_next(self, limit: int, block_ms: int | None = None) -> int:
        """Fold the next entries, waiting for one if asked to; how many there were.

        Whoever else folds the same partition may be faster: then nothing is written.
        """
        if not self._spaces:
            self._look()
        pointers = self._store.feed(self._partition, self.position, limit, block_ms)
        if pointers and not self._commit(self._changes(pointers), pointers[-1].position):
            self._look()
        return len(pointers)

    def _look(self) -> None:
        """Read which generations are live and how far they have been folded."""
        self._known.clear()
        generations = self._redis.mget(self._live_keys())
        self._spaces = [
            space_of(self._partition, projection, self._generation or int(generation or 0))
            for projection, generation in zip(self._projections, generations, strict=True)
        ]
        found = self._redis.mget([checkpoint(space) for space in self._spaces])
        self._positions = [int(position or 0) for position in found]

    def _changes(self, pointers: Sequence[PointerLike]) -> list[Change]:
        changes = []
        for pointer, entry in zip(pointers, self._store.entries(pointers), strict=True):
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
        return Change(pointer.position, before, after)

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

    def _commit(self, changes: Sequence[Change], to: int) -> bool:
        """Write what changed up to this position; False if somebody else was here."""
        positions = [max(at, to) for at in self._positions]
        keys = [*self._live_keys(), *map(checkpoint, self._spaces)]
        with self._redis.pipeline(transaction=True) as pipe:
            try:
                pipe.watch(*keys)  # type: ignore[no-untyped-call]
                # a pipeline on a cluster has no mget of its own
                known = pipe.execute_command("MGET", *keys)  # type: ignore[no-untyped-call]
                if not self._as_known(known):
                    return False
                pipe.multi()
                for projection, space, at in zip(
                    self._projections, self._spaces, self._positions, strict=True
                ):
                    new = [change for change in changes if change.position > at]
                    projection.apply(space, new, self._redis, pipe)
                for space, position in zip(self._spaces, positions, strict=True):
                    pipe.set(checkpoint(space), position)
                pipe.execute()
            except WatchError:
                return False
        self._positions = positions
        return True

    def _as_known(self, values: Sequence[Any]) -> bool:
        """Whether generations and positions are still what this projector takes them for."""
        numbers = [int(value or 0) for value in values]
        count = len(self._spaces)
        spaces = [
            space_of(self._partition, projection, self._generation or generation)
            for projection, generation in zip(self._projections, numbers[:count], strict=True)
        ]
        return (spaces, numbers[count:]) == (self._spaces, self._positions)

    def _live_keys(self) -> list[str]:
        return [live_key(self._partition, projection) for projection in self._projections]
