"""Reads the folded statistics: which months exist, what has changed, and the rows of matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from projections.core.query import Query, QueryResult, run_queries
from projections.core.spaces import Command
from projections.statistics.folding import (
    STATISTICS,
    facts_key,
    month_changes_key,
    months_key,
    player_matches_key,
)


class RowLocation(msgspec.Struct, frozen=True):
    """Where the row of a match is stored."""

    partition: int
    game: str
    month: str
    match: str


class GameMonths(msgspec.Struct, frozen=True):
    """The months of a game, each with the position of its last change in each partition that has
    matches of it; and the number of entries that are not folded yet.
    """

    months: Mapping[str, Mapping[int, int]]
    lag: int


class ChangedRows(msgspec.Struct, frozen=True):
    """Locations of changed rows; for each partition the position up to which they are complete; and
    the partitions that were read to their end.
    """

    locations: Sequence[RowLocation]
    up_to: Mapping[int, int]
    complete: frozenset[int]


class PlayerRows(msgspec.Struct, frozen=True):
    """Locations of the rows of a player's matches, the latest of each partition first; the position
    of the last change in each partition; whether there are more; and the number of entries not
    folded yet.
    """

    locations: Sequence[RowLocation]
    last_changes: tuple[int, ...]
    has_more: bool
    lag: int


def read_months(redis: Redis, partitions: int, game: str) -> GameMonths:
    """Return the months of a game and how current they are."""
    question = ("ZRANGE", months_key(game), 0, -1, "WITHSCORES")
    answered = _query_all(redis, range(partitions), question)
    months: dict[str, dict[int, int]] = defaultdict(dict)
    for partition, one in enumerate(answered):
        for month, position in _with_scores(one.answers[0]):
            months[month][partition] = position
    return GameMonths(months, sum(one.lag for one in answered))


def find_changed_rows(
    redis: Redis, game: str, month: str, after: Mapping[int, int], limit: int
) -> ChangedRows:
    """Return the rows of a month that changed after a position in each partition; about `limit` in
    all.
    """
    each = max(1, limit // max(1, len(after)))
    queries = [
        Query(
            STATISTICS,
            partition,
            [("ZRANGEBYSCORE", month_changes_key(game, month), f"({position}", "+inf", "WITHSCORES",
              "LIMIT", 0, each)],
        )
        for partition, position in after.items()
    ]  # fmt: skip
    locations, up_to, complete = list[RowLocation](), dict(after), set[int]()
    for partition, one in zip(after, run_queries(redis, queries), strict=True):
        found = _with_scores(one.answers[0])
        locations += [RowLocation(partition, game, month, match) for match, _ in found]
        up_to[partition] = max([after[partition], *(position for _, position in found)])
        if len(found) < each:
            complete.add(partition)
    return ChangedRows(locations, up_to, frozenset(complete))


def find_player_rows(redis: Redis, partitions: int, player: str, limit: int) -> PlayerRows:
    """Return the locations of a player's latest matches; about `limit` in all."""
    each = max(1, limit // partitions)
    question = ("ZREVRANGE", player_matches_key(player), 0, each - 1, "WITHSCORES")
    answered = _query_all(redis, range(partitions), question)
    found = [_with_scores(one.answers[0]) for one in answered]
    return PlayerRows(
        [
            RowLocation(partition, *place.split(":"))
            for partition, some in enumerate(found)
            for place, _ in some
        ],
        tuple(some[0][1] if some else 0 for some in found),
        any(len(some) == each for some in found),
        sum(one.lag for one in answered),
    )


def read_rows(redis: Redis, locations: Iterable[RowLocation]) -> list[bytes]:
    """Return the stored rows at these locations, encoded; decode them with `storage.read`."""
    matches: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for place in locations:
        matches[place.partition][facts_key(place.game, place.month)].append(place.match)
    questions = [
        Query(STATISTICS, partition, [("HMGET", key, *matches) for key, matches in keys.items()])
        for partition, keys in matches.items()
    ]
    texts = (
        text for one in run_queries(redis, questions) for answer in one.answers for text in answer
    )
    return [text for text in texts if text is not None]


def _query_all(redis: Redis, partitions: Iterable[int], command: Command) -> list[QueryResult]:
    return run_queries(redis, [Query(STATISTICS, partition, [command]) for partition in partitions])


def _with_scores(answer: Any) -> list[tuple[str, int]]:  # noqa: ANN401  as Redis has it
    """Members of a sorted set with their scores."""
    return [
        (member.decode(), int(score))
        for member, score in zip(answer[::2], answer[1::2], strict=True)
    ]
