"""Folds all there is of a partition match by match, into spaces that nobody reads yet."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from redis import Redis

from domain.match.log import Damaged, Entry
from projections.core.changes import TOLD, change
from projections.core.commit import Commit, commit
from projections.core.spaces import Change, Command, Projection, checkpoint, space_of
from projections.core.summary import Summary, fold_entry

PAGE = 10_000
MATCHES = 100


class HistoryStore(Protocol):
    """What is read of the event store."""

    def feed(self, partition: int, after: int, limit: int) -> Sequence[Any]:
        """Pointers to the entries of a partition, in order."""
        ...

    def feed_length(self, partition: int) -> int:
        """The position of the last pointer of a feed."""
        ...

    def histories(
        self, lasts: Mapping[str, int]
    ) -> Iterable[tuple[str, Iterable[Entry | Damaged]]]:
        """The entries of matches up to a version each, or what is wrong with them."""
        ...


class Overtaken(Exception):
    """Somebody else has folded the same spaces."""


def fold_history(
    redis: Redis,
    store: HistoryStore,
    partition: int,
    projections: Sequence[Projection],
    generation: int,
) -> Mapping[str, Damaged]:
    """Fold a partition into an empty generation, as a projector would entry by entry, but for the
    last ones; the matches that could not be read to their end, with the reason.
    """
    spaces = {space_of(partition, one, generation): one for one in projections}
    end, places = _places(store, partition)
    damaged: dict[str, Damaged] = {}
    mark, done, matches = f"{min(spaces)}:done", 0, iter(places.items())
    while some := dict(islice(matches, MATCHES)):
        lasts = {match: len(positions) for match, positions in some.items()}
        changes = [
            change
            for match, entries in store.histories(lasts)
            for change in _changes(match, entries, some[match], damaged)
        ]
        commands = [one for space, of in spaces.items() for one in of.apply(space, changes)]
        _write(redis, mark, done, done + len(some), commands)
        done += len(some)
    if end:
        ends = [word for space in spaces for word in (checkpoint(space), end)]
        _write(redis, mark, done, 0, [("MSET", *ends), ("DEL", mark)])
    return damaged


def _places(store: HistoryStore, partition: int) -> tuple[int, dict[str, array[int]]]:
    """How far the feed is folded by this, and where the entries of each match are, till there.

    The last entries are left to a projector, which tells those who listen of them.
    """
    length = store.feed_length(partition) - TOLD
    end = 0
    places: dict[str, array[int]] = {}
    while end < length and (page := store.feed(partition, end, min(PAGE, length - end))):
        end = page[-1].position
        for pointer in page:
            places.setdefault(pointer.match, array("Q")).append(pointer.position)
    return end, places


def _changes(
    match: str,
    entries: Iterable[Entry | Damaged],
    positions: Sequence[int],
    damaged: dict[str, Damaged],
) -> Iterator[Change]:
    """What these entries made of their match, as far as they can be read."""
    before: Summary | None = None
    try:
        for entry, position in zip(entries, positions, strict=True):
            if isinstance(entry, Damaged):
                raise entry
            after = fold_entry(before, match, entry)
            yield change(position, entry, before, after)
            before = after
    except Damaged as damage:
        damaged[match] = damage


def _write(redis: Redis, mark: str, at: int, to: int, commands: Sequence[Command]) -> None:
    """Carry out commands and move a mark; only once, though a client may send them twice."""
    [outcome] = commit(redis, [Commit({mark: at}, [("SET", mark, to), *commands])])
    if isinstance(outcome, Exception):
        raise outcome
    if not outcome and int(redis.get(mark) or 0) != to:
        raise Overtaken
