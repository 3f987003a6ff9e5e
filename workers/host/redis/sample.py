"""Reads a sample of the matches, to find out whether this program understands what is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from importlib.metadata import version
from typing import Any

from msgspec import Struct

from domain.engine.game import Game
from domain.match.log import CorruptEntry, UnreadableEntry, fold_match, new_match
from projections.core.spaces import feed_key, slot_tag
from service.runtime.errors import REDIS_ERRORS, StoreUnavailable
from service.runtime.settings import BadSetting, Settings
from service.store.archive.reader import open_archive
from service.store.entry_codec import decode_pointer, decode_row
from service.store.event_store import EventStore
from service.store.redis_client import connect, store_errors
from service.store.store_format import ran_before
from workers.host.errors import CannotRun, say
from workers.host.redis.checks import await_redis

POSITIONS_PER_PARTITION = 32
"""Positions of a feed, at equal distances, whose matches may be in the sample."""
UNKNOWN = ("", 0)
"""The kind of matches in the archive, and of those whose game cannot be read."""
ADVICE = (
    "Nothing was changed, so start the version that you had. `annals upgrade --check` lists all"
    " such matches; `annals run --skip-sample` starts without them."
)
Rows = Sequence[Any]


class Candidate(Struct, frozen=True, order=True):
    """A match that may be in the sample, with the time of its first entry, its game and the rules
    of its last entry.
    """

    at: int
    match: str
    partition: int
    kind: tuple[str, int]


def describe_unreadable(settings: Settings, games: Mapping[str, Game[Any]]) -> str:
    """Return why this program must not start: a sentence about the first match of the sample that
    it cannot read. Empty if it can read all of them, or cannot use the store, which other checks
    explain. If this program was the last to run the service, it prints the sentence as a note.

    It writes nothing, so another version can still use the store.
    """
    with suppress(BadSetting, CannotRun, *REDIS_ERRORS, StoreUnavailable):
        await_redis(settings.setting_of(settings.events_url), settings.events_url)
        with closing(connect(settings.events_url)) as redis:
            archive = open_archive(settings)
            store = EventStore(redis, settings.partitions, archive, reads_only=True)
            sentence = find_unreadable(store, games)
            if not sentence or not ran_before(redis):
                return sentence and f"{sentence} {ADVICE}"
            say(f"Note: {sentence} `annals verify --all` lists all such matches.")
    return ""


def find_unreadable(store: EventStore, games: Mapping[str, Game[Any]]) -> str:
    """Return a sentence about the first match of the sample that this program cannot read, if any.
    Corrupt ones are left to `annals verify`.
    """
    for one in choose_sample(_candidates(store, games)):
        try:
            if entries := store.read(one.match):
                fold_match(games, entries)
        except UnreadableEntry as error:
            return f"Annals {version('annals')} cannot read match {one.match}: {_describe(error)}"
        except CorruptEntry:
            continue
    return ""


def _describe(error: UnreadableEntry) -> str:
    """Return what cannot be read, without values of the match, which may be secret."""
    return f"version {error.version} cannot be decoded." if error.version else str(error)


def choose_sample(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the oldest and the newest match of each game and version of its rules, and one match of
    each partition that has none of these.
    """
    by_kind, partitions = defaultdict[tuple[str, int], list[Candidate]](list), set[int]()
    for one in sorted(candidates):
        by_kind[one.kind].append(one)
    for found in by_kind.values():
        for one in dict.fromkeys((found[0], found[-1])):
            partitions.add(one.partition)
            yield one
    for one in candidates:
        if one.partition not in partitions:
            partitions.add(one.partition)
            yield one


def _candidates(store: EventStore, games: Mapping[str, Game[Any]]) -> list[Candidate]:
    matches = list(dict.fromkeys(_matches_in_feeds(store)))
    with store_errors(), store.redis.pipeline(transaction=False) as pipe:
        for match in matches:
            key = f"{slot_tag(store.partition_of(match))}:match:{match}"
            pipe.xrange(key, count=1)
            pipe.xrevrange(key, count=1)
        rows = pipe.execute(raise_on_error=False)
    return [
        _candidate(games, match, store.partition_of(match), [first, last])
        for match, first, last in zip(matches, rows[::2], rows[1::2], strict=True)
    ]


def _matches_in_feeds(store: EventStore) -> Iterator[str]:
    with store_errors(), store.redis.pipeline(transaction=False) as pipe:
        for partition in range(store.partitions):
            for position in _spread(store.feed_length(partition)):
                pipe.xrange(feed_key(partition), f"{position}-0", f"{position}-0")
        for rows in pipe.execute():
            yield from (decode_pointer(*row).match for row in rows)


def _spread(length: int) -> list[int]:
    """Return positions from the first to the last, at equal distances."""
    count = min(length, POSITIONS_PER_PARTITION)
    return [1 + n * (length - 1) // max(count - 1, 1) for n in range(count)]


def _candidate(
    games: Mapping[str, Game[Any]], match: str, partition: int, rows: Sequence[Rows]
) -> Candidate:
    at, kind = 0, UNKNOWN
    with suppress(CorruptEntry, IndexError, TypeError):  # TypeError: it is in the archive
        first, last = (decode_row(match, *row[0]) for row in rows)
        at, kind = first.at, (new_match(games, first).game.key, last.rules)
    return Candidate(at, match, partition, kind)
