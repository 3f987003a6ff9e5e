"""Reading what has changed for somebody since they last heard of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from projections.core.changes import KEPT, LOBBY, changed_key, told_key, who_was_told
from projections.core.query import Answered, Asked, ask
from projections.core.spaces import Command, live_key, space_of, together
from projections.core.summary import Summary
from projections.lists.matches import MATCHES, SUMMARY

Marks = tuple[int, ...]
"""For each partition the position in its feed up to which somebody has heard everything."""

PAGE = 200
_NUMBER = re.compile(r"[0-9a-f]{1,12}", re.ASCII)


class New(msgspec.Struct, frozen=True):
    """A match that has changed, as it stands now, and up to where one has heard with it."""

    match: Summary
    marks: Marks


class News(msgspec.Struct, frozen=True):
    """What has changed after some marks, up to others; `ends` has the partitions of which that is
    all, and up to which position.
    """

    items: Sequence[New]
    marks: Marks
    ends: dict[int, int]


class NewsReader:
    """Reads what the lists tell of."""

    def __init__(self, redis: Redis, partitions: int) -> None:
        self.partitions = partitions
        self.groups = together(redis, range(partitions))
        """Those of which can be told together."""
        self._redis = redis

    def now(self) -> Marks:
        """Up to where the lists have read."""
        return tuple(one.position for one in self._ask_each())

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        """Up to where the lists have read some feeds."""
        answered = ask(self._redis, [Asked(MATCHES, partition) for partition in partitions])
        return {one: known.position for one, known in zip(partitions, answered, strict=True)}

    def knows(self, who: str, marks: Marks) -> bool:
        """Whether all that has changed for a player or the lobby after these marks can be read; not
        if they are marks of other feeds.
        """
        # the oldest change that is kept for the lobby, if any was let go of
        answered = self._ask_each(("ZRANGE", changed_key("", LOBBY), -KEPT, -KEPT, "WITHSCORES"))
        if any(mark > one.length for mark, one in zip(marks, answered, strict=True)):
            return False
        oldest = [one.answers[0] for one in answered]
        return who != LOBBY or all(map(_is_kept, marks, oldest))

    def read(self, who: str, after: Marks, partitions: Sequence[int]) -> News:
        """What has changed after these marks in some of the partitions; not all, if it is much."""
        limit = max(1, PAGE // len(partitions))
        answered = self._changed(who, after, partitions, limit)
        marks, items = list(after), []
        for partition, match, position in self._found(answered):
            marks[partition] = position
            items.append(New(match, tuple(marks)))
        whole: dict[int, int] = {}
        for partition, one in answered.items():
            if len(one.answers[0]) < 2 * limit:
                whole[partition] = marks[partition] = max(one.position, marks[partition])
        return News(items, tuple(marks), whole)

    def told(
        self, after: Mapping[int, int], limit: int, block_ms: int
    ) -> dict[int, list[tuple[int, Sequence[str]]]]:
        """For some partitions of a group at which positions after these something changed, and for
        whom, where anything did; waits for it.
        """
        numbers = self._redis.mget([live_key(partition, MATCHES) for partition in after])
        spaces = {
            told_key(space_of(partition, MATCHES, int(number or 0))).encode(): partition
            for partition, number in zip(after, numbers, strict=True)
        }
        places: Any = {key: f"{after[partition]}-0" for key, partition in spaces.items()}
        answer: Any = self._redis.xread(places, count=limit, block=block_ms)
        return {
            spaces[key]: [(int(row.partition(b"-")[0]), who_was_told(who)) for row, who in page]
            for key, page in answer or ()
        }

    def _ask_each(self, *questions: Command) -> list[Answered]:
        """The answers of all partitions."""
        everywhere = range(self.partitions)
        return ask(self._redis, [Asked(MATCHES, partition, questions) for partition in everywhere])

    def _changed(
        self, who: str, after: Marks, partitions: Sequence[int], limit: int
    ) -> dict[int, Answered]:
        """By partition, matches and the positions of their last changes, one after the other."""
        key = changed_key("", who)
        asked = [
            Asked(
                MATCHES,
                partition,
                [
                    ("ZRANGEBYSCORE", key, f"({after[partition]}", "+inf", "WITHSCORES",
                     "LIMIT", 0, limit)
                ],
            )
            for partition in partitions
        ]  # fmt: skip
        return dict(zip(partitions, ask(self._redis, asked), strict=True))

    def _found(self, changed: Mapping[int, Answered]) -> Iterator[tuple[int, Summary, int]]:
        """Each change with its partition, in order."""
        rows = [
            (partition, match, int(position))
            for partition, one in changed.items()
            for match, position in zip(one.answers[0][::2], one.answers[0][1::2], strict=True)
        ]
        asked = [
            Asked(MATCHES, partition, [("HGET", ":matches", match.decode())])
            for partition, match, _ in rows
        ]
        for (partition, _, position), one in zip(rows, ask(self._redis, asked), strict=True):
            yield partition, SUMMARY.decode(one.answers[0]), position


def write_marks(marks: Marks) -> str:
    """Marks as one word."""
    return ".".join(f"{mark:x}" for mark in marks)


def read_marks(text: str, partitions: int) -> Marks | None:
    """The marks that were written so, or none at all for `0`; None if this means nothing."""
    words = text.split(".")
    if not all(map(_NUMBER.fullmatch, words)):
        return None
    if text == "0":
        return (0,) * partitions
    return tuple(int(word, 16) for word in words) if len(words) == partitions else None


def _is_kept(mark: int, oldest: Sequence[bytes]) -> bool:
    return not oldest or mark >= int(oldest[1]) - 1
