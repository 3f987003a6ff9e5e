"""Folds all there is of a partition match by match, into spaces that nobody reads yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from redis import Redis

from domain.match.log import Damaged, Entry
from projections.commit import Commit, commit
from projections.spaces import Change, Command, Projection, checkpoint, space_of
from projections.summary import Summary, fold_entry

PAGE = 10_000
MATCHES = 100


class HistoryStore(Protocol):
    """What is read of the event store."""

    def feed(self, partition: int, after: int, limit: int) -> Sequence[Any]:
        """Pointers to the entries of a partition, in order."""
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
    """Fold a partition into an empty generation, as a projector would entry by entry; the matches
    that could not be read to their end, with the reason.
    """
    spaces = {space_of(partition, one, generation): one for one in projections}
    end, lasts = _lasts(store, partition)
    damaged: dict[str, Damaged] = {}
    mark, done, matches = f"{min(spaces)}:done", 0, iter(lasts.items())
    while some := dict(islice(matches, MATCHES)):
        folded = [_folded(*one, damaged) for one in store.histories(some)]
        changes = [Change(None, summary) for summary in folded if summary]
        commands = [one for space, of in spaces.items() for one in of.apply(space, changes)]
        _write(redis, mark, done, done + len(some), commands)
        done += len(some)
    if end:
        ends = [word for space in spaces for word in (checkpoint(space), end)]
        _write(redis, mark, done, 0, [("MSET", *ends), ("DEL", mark)])
    return damaged


def _lasts(store: HistoryStore, partition: int) -> tuple[int, dict[str, int]]:
    """How long the feed is, and the last version of each match that is in it."""
    end, lasts = 0, dict[str, int]()
    while page := store.feed(partition, end, PAGE):
        end = page[-1].position
        for pointer in page:
            lasts[pointer.match] = max(pointer.version, lasts.get(pointer.match, 0))
    return end, lasts


def _folded(
    match: str, entries: Iterable[Entry | Damaged], damaged: dict[str, Damaged]
) -> Summary | None:
    """A match after these entries, as far as they can be read."""
    summary: Summary | None = None
    try:
        for entry in entries:
            if isinstance(entry, Damaged):
                raise entry
            summary = fold_entry(summary, match, entry)
    except Damaged as damage:
        damaged[match] = damage
    return summary


def _write(redis: Redis, mark: str, at: int, to: int, commands: Sequence[Command]) -> None:
    """Carry out commands and move a mark; only once, though a client may send them twice."""
    [outcome] = commit(redis, [Commit({mark: at}, [("SET", mark, to), *commands])])
    if isinstance(outcome, Exception):
        raise outcome
    if not outcome and int(redis.get(mark) or 0) != to:
        raise Overtaken
