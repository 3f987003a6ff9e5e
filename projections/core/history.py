"""Folds the whole feed of a partition, match by match, into a generation that is not live yet."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from redis import Redis

from domain.match.log import CorruptEntry, Entry
from projections.core.changes import MAX_FEED_UPDATES, build_change
from projections.core.commit import Commit, commit
from projections.core.spaces import Change, Command, Projection, position_key, space_of
from projections.core.summary import Summary, fold_entry

FEED_BATCH = 10_000
MATCH_BATCH = 100


class HistoryStore(Protocol):
    """What a rebuild reads from the event store."""

    def read_feed(self, partition: int, after: int, limit: int) -> Sequence[Any]:
        """Pointers to the entries of a partition, in order."""
        ...

    def feed_length(self, partition: int) -> int:
        """Return the position of the last pointer of a feed."""
        ...

    def read_histories(
        self, lasts: Mapping[str, int]
    ) -> Iterable[tuple[str, Iterable[Entry | CorruptEntry]]]:
        """Return the entries of each match up to the given version; a CorruptEntry in place of one
        that is corrupt.
        """
        ...


class ConcurrentFold(Exception):
    """Another process has folded the same spaces."""


def fold_history(
    redis: Redis,
    store: HistoryStore,
    partition: int,
    projections: Sequence[Projection],
    generation: int,
) -> Mapping[str, CorruptEntry]:
    """Fold a partition into an empty generation, except for the last entries of its feed.

    The result equals what a projector folds entry by entry. Returns the matches that could not be
    read to their end, with the reason; raises ConcurrentFold.
    """
    spaces = {space_of(partition, one, generation): one for one in projections}
    end, places = _positions_by_match(store, partition)
    corrupt: dict[str, CorruptEntry] = {}
    mark, done, matches = f"{min(spaces)}:done", 0, iter(places.items())
    while some := dict(islice(matches, MATCH_BATCH)):
        lasts = {match: len(positions) for match, positions in some.items()}
        changes = [
            change
            for match, entries in store.read_histories(lasts)
            for change in _read_changes(match, entries, some[match], corrupt)
        ]
        commands = [one for space, of in spaces.items() for one in of.apply(space, changes)]
        _write(redis, mark, done, done + len(some), commands)
        done += len(some)
    if end:
        ends = [word for space in spaces for word in (position_key(space), end)]
        _write(redis, mark, done, 0, [("MSET", *ends), ("DEL", mark)])
    return corrupt


def _positions_by_match(store: HistoryStore, partition: int) -> tuple[int, dict[str, array[int]]]:
    """Return the position up to which the feed is folded, and the positions of each match's entries
    until there.

    The last entries are left to a projector, which publishes them to the change feed.
    """
    length = store.feed_length(partition) - MAX_FEED_UPDATES
    end = 0
    places: dict[str, array[int]] = {}
    while end < length and (page := store.read_feed(partition, end, min(FEED_BATCH, length - end))):
        end = page[-1].position
        for pointer in page:
            places.setdefault(pointer.match, array("Q")).append(pointer.position)
    return end, places


def _read_changes(
    match: str,
    entries: Iterable[Entry | CorruptEntry],
    positions: Sequence[int],
    corrupt: dict[str, CorruptEntry],
) -> Iterator[Change]:
    """Yield the changes that these entries made to their match, up to the first corrupt entry."""
    before: Summary | None = None
    try:
        for entry, position in zip(entries, positions, strict=True):
            if isinstance(entry, CorruptEntry):
                raise entry
            after = fold_entry(before, match, entry)
            yield build_change(position, entry, before, after)
            before = after
    except CorruptEntry as error:
        corrupt[match] = error


def _write(redis: Redis, mark: str, at: int, to: int, commands: Sequence[Command]) -> None:
    """Execute commands and advance a mark, exactly once even if the client retries."""
    [outcome] = commit(redis, [Commit({mark: at}, [("SET", mark, to), *commands])])
    if isinstance(outcome, Exception):
        raise outcome
    if not outcome and int(redis.get(mark) or 0) != to:
        raise ConcurrentFold
