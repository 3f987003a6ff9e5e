"""Reads what statistics have folded: what there is, what has changed, and the rows of matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from projections.core.query import Answered, Asked, ask
from projections.core.spaces import Command
from projections.statistics.folding import (
    STATISTICS,
    facts_in,
    matches_of,
    months_of,
    places_of,
)


class Place(msgspec.Struct, frozen=True):
    """Where the row of a match is kept."""

    partition: int
    game: str
    month: str
    match: str


class Overview(msgspec.Struct, frozen=True):
    """The months of a game, each with the position of its last change in the feed of each partition
    that has any of it; and how many entries are not folded yet.
    """

    months: Mapping[str, Mapping[int, int]]
    behind: int


class Changed(msgspec.Struct, frozen=True):
    """Where rows are that have changed; up to which position that is all of them in each partition
    that was asked; and in which there is nothing more.
    """

    places: Sequence[Place]
    up_to: Mapping[int, int]
    whole: frozenset[int]


class History(msgspec.Struct, frozen=True):
    """Where the rows of a player's matches are, the latest of each partition first, at most as many
    as were asked for; at which position each partition changed last; and how many entries are not
    folded yet.
    """

    places: Sequence[Place]
    changed: tuple[int, ...]
    more: bool
    behind: int


def overview(redis: Redis, partitions: int, game: str) -> Overview:
    """What there is of a game."""
    question = ("ZRANGE", months_of(game), 0, -1, "WITHSCORES")
    answered = _ask_all(redis, range(partitions), question)
    months: dict[str, dict[int, int]] = defaultdict(dict)
    for partition, one in enumerate(answered):
        for month, position in _scored(one.answers[0]):
            months[month][partition] = position
    return Overview(months, sum(one.behind for one in answered))


def changed(redis: Redis, game: str, month: str, after: Mapping[int, int], limit: int) -> Changed:
    """What has changed in a month after a position in each of some partitions: about so many."""
    each = max(1, limit // max(1, len(after)))
    asked = [
        Asked(
            STATISTICS,
            partition,
            [("ZRANGEBYSCORE", places_of(game, month), f"({position}", "+inf", "WITHSCORES",
              "LIMIT", 0, each)],
        )
        for partition, position in after.items()
    ]  # fmt: skip
    places, up_to, whole = list[Place](), dict(after), set[int]()
    for partition, one in zip(after, ask(redis, asked), strict=True):
        found = _scored(one.answers[0])
        places += [Place(partition, game, month, match) for match, _ in found]
        up_to[partition] = max([after[partition], *(position for _, position in found)])
        if len(found) < each:
            whole.add(partition)
    return Changed(places, up_to, frozenset(whole))


def history(redis: Redis, partitions: int, player: str, limit: int) -> History:
    """Where a player's matches are, at most about so many, and the latest ones."""
    each = max(1, limit // partitions)
    question = ("ZREVRANGE", matches_of(player), 0, each - 1, "WITHSCORES")
    answered = _ask_all(redis, range(partitions), question)
    found = [_scored(one.answers[0]) for one in answered]
    return History(
        [
            Place(partition, *place.split(":"))
            for partition, some in enumerate(found)
            for place, _ in some
        ],
        tuple(some[0][1] if some else 0 for some in found),
        any(len(some) == each for some in found),
        sum(one.behind for one in answered),
    )


def rows_at(redis: Redis, places: Iterable[Place]) -> list[bytes]:
    """The rows that are kept at these places, for `read`."""
    asked: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for place in places:
        asked[place.partition][facts_in(place.game, place.month)].append(place.match)
    questions = [
        Asked(STATISTICS, partition, [("HMGET", key, *matches) for key, matches in keys.items()])
        for partition, keys in asked.items()
    ]
    texts = (text for one in ask(redis, questions) for answer in one.answers for text in answer)
    return [text for text in texts if text is not None]


def _ask_all(redis: Redis, partitions: Iterable[int], question: Command) -> list[Answered]:
    return ask(redis, [Asked(STATISTICS, partition, [question]) for partition in partitions])


def _scored(answer: Any) -> list[tuple[str, int]]:  # noqa: ANN401  as Redis has it
    """Members of a sorted set with their scores."""
    return [
        (member.decode(), int(score))
        for member, score in zip(answer[::2], answer[1::2], strict=True)
    ]
