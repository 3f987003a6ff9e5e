"""Reads which matches have changed for a player, or for the lobby, since a cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from projections.core.changes import (
    LOBBY,
    MAX_LOBBY_CHANGES,
    changes_key,
    read_audience,
    updates_key,
)
from projections.core.query import Query, QueryResult, run_queries
from projections.core.spaces import Command, generation_key, group_by_slot, space_of
from projections.core.summary import Summary
from projections.lists.matches import MATCHES, SUMMARY

FeedCursor = tuple[int, ...]
"""For each partition, the position in its feed from which a client continues."""

MAX_CHANGES_PER_PAGE = 200
_NUMBER = re.compile(r"[0-9a-f]{1,12}", re.ASCII)


class ChangedMatch(msgspec.Struct, frozen=True):
    """The current summary of a match that has changed, and the cursor after this change."""

    match: Summary
    cursor: FeedCursor


class ChangePage(msgspec.Struct, frozen=True):
    """Changes after a cursor, and the cursor after them.

    `ends` has the partitions that were read to their end, each with the position of that end.
    """

    changes: Sequence[ChangedMatch]
    cursor: FeedCursor
    ends: dict[int, int]


class ChangeFeedReader:
    """Reads the change feeds that the `matches` projection keeps."""

    def __init__(self, redis: Redis, partitions: int) -> None:
        self.partitions = partitions
        self.groups = group_by_slot(redis, range(partitions))
        """Groups of partitions that one command can read."""
        self._redis = redis

    def latest_cursor(self) -> FeedCursor:
        """Return the cursor after all changes that the lists have folded."""
        return tuple(one.position for one in self._query_all())

    def latest_positions(self, partitions: Sequence[int]) -> dict[int, int]:
        """Return the positions up to which the lists have folded these partitions."""
        results = run_queries(self._redis, [Query(MATCHES, partition) for partition in partitions])
        return {one: known.position for one, known in zip(partitions, results, strict=True)}

    def can_resume(self, audience: str, cursor: FeedCursor) -> bool:
        """Return whether the change feed of an audience still has every change after this cursor.

        False for a cursor of other feeds, too.
        """
        # the oldest stored change of the lobby, if older ones have been dropped
        results = self._query_all(
            ("ZRANGE", changes_key("", LOBBY), -MAX_LOBBY_CHANGES, -MAX_LOBBY_CHANGES, "WITHSCORES")
        )
        if any(position > one.feed_length for position, one in zip(cursor, results, strict=True)):
            return False
        oldest = [one.answers[0] for one in results]
        return audience != LOBBY or all(map(_is_complete, cursor, oldest))

    def read_changes(
        self, audience: str, after: FeedCursor, partitions: Sequence[int]
    ) -> ChangePage:
        """Return the changes after a cursor in some partitions; at most `MAX_CHANGES_PER_PAGE` or a
        few more.
        """
        limit = max(1, MAX_CHANGES_PER_PAGE // len(partitions))
        results = self._read_changed_matches(audience, after, partitions, limit)
        positions, changes = list(after), []
        for partition, match, position in self._read_summaries(results):
            positions[partition] = position
            changes.append(ChangedMatch(match, tuple(positions)))
        ends: dict[int, int] = {}
        for partition, one in results.items():
            if len(one.answers[0]) < 2 * limit:
                ends[partition] = positions[partition] = max(one.position, positions[partition])
        return ChangePage(changes, tuple(positions), ends)

    def wait_for_changes(
        self, after: Mapping[int, int], limit: int, block_ms: int
    ) -> dict[int, list[tuple[int, Sequence[str]]]]:
        """Wait for changes after a position in each partition of a group; return them by partition.

        Each change is its position and its audience; partitions without changes are missing.
        """
        numbers = self._redis.mget([generation_key(partition, MATCHES) for partition in after])
        spaces = {
            updates_key(space_of(partition, MATCHES, int(number or 0))).encode(): partition
            for partition, number in zip(after, numbers, strict=True)
        }
        streams: Any = {key: f"{after[partition]}-0" for key, partition in spaces.items()}
        answer: Any = self._redis.xread(streams, count=limit, block=block_ms)
        return {
            spaces[key]: [
                (int(row.partition(b"-")[0]), read_audience(fields)) for row, fields in page
            ]
            for key, page in answer or ()
        }

    def _query_all(self, *commands: Command) -> list[QueryResult]:
        """Run the same commands in all partitions."""
        everywhere = range(self.partitions)
        return run_queries(
            self._redis, [Query(MATCHES, partition, commands) for partition in everywhere]
        )

    def _read_changed_matches(
        self, audience: str, after: FeedCursor, partitions: Sequence[int], limit: int
    ) -> dict[int, QueryResult]:
        """By partition: matches, each followed by the position of its last change."""
        key = changes_key("", audience)
        queries = [
            Query(
                MATCHES,
                partition,
                [
                    ("ZRANGEBYSCORE", key, f"({after[partition]}", "+inf", "WITHSCORES",
                     "LIMIT", 0, limit)
                ],
            )
            for partition in partitions
        ]  # fmt: skip
        return dict(zip(partitions, run_queries(self._redis, queries), strict=True))

    def _read_summaries(
        self, changed: Mapping[int, QueryResult]
    ) -> Iterator[tuple[int, Summary, int]]:
        """Yield the partition, the summary and the position of each change, in order."""
        rows = [
            (partition, match, int(position))
            for partition, one in changed.items()
            for match, position in zip(one.answers[0][::2], one.answers[0][1::2], strict=True)
        ]
        queries = [
            Query(MATCHES, partition, [("HGET", ":matches", match.decode())])
            for partition, match, _ in rows
        ]
        for (partition, _, position), one in zip(
            rows, run_queries(self._redis, queries), strict=True
        ):
            yield partition, SUMMARY.decode(one.answers[0]), position


def write_feed_cursor(cursor: FeedCursor) -> str:
    """Encode a cursor as text, such as `1a.0.ff`."""
    return ".".join(f"{position:x}" for position in cursor)


def read_feed_cursor(text: str, partitions: int) -> FeedCursor | None:
    """Decode a cursor; `0` is the start of all feeds. None if the text is not a cursor."""
    words = text.split(".")
    if not all(map(_NUMBER.fullmatch, words)):
        return None
    if text == "0":
        return (0,) * partitions
    return tuple(int(word, 16) for word in words) if len(words) == partitions else None


def _is_complete(position: int, oldest: Sequence[bytes]) -> bool:
    return not oldest or position >= int(oldest[1]) - 1
