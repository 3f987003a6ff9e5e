"""Reading what has changed for somebody since they last heard of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from redis import Redis
from redis.client import Pipeline

from projections.changes import KEPT, LOBBY, changed_key, told_key, who_was_told
from projections.matches import MATCHES, SUMMARY, ask_summary
from projections.spaces import checkpoint, live_key, space_of, tag
from projections.summary import Summary

Marks = tuple[int, ...]
"""For each partition the position in its feed up to which somebody has heard everything."""

PAGE = 200
_NUMBER = re.compile(r"[0-9a-f]{1,12}", re.ASCII)
Ask = Callable[[Pipeline, int, str], object]
"""Adds a question about a partition and its space."""


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
    """Reads for one process, which remembers what generation of the lists is read."""

    def __init__(self, redis: Redis, partitions: int) -> None:
        self.partitions = partitions
        self._redis = redis
        self._spaces = [space_of(partition, MATCHES, 0) for partition in range(partitions)]

    def now(self) -> Marks:
        """Up to where the lists have read."""
        return tuple(int(end or 0) for end in self._ask_each(_end))

    def end(self, partition: int) -> int:
        """Up to where the lists have read one feed."""
        [end] = self._ask([(partition, _end)])
        return int(end or 0)

    def knows(self, who: str, marks: Marks) -> bool:
        """Whether all that has changed for a player or the lobby after these marks can be read; not
        if they are marks of other feeds.
        """
        lengths = self._ask_each(_length)
        if any(mark > length for mark, length in zip(marks, lengths, strict=True)):
            return False
        return who != LOBBY or all(map(_is_kept, marks, self._ask_each(_oldest)))

    def read(self, who: str, after: Marks, partitions: Sequence[int]) -> News:
        """What has changed after these marks in some of the partitions; not all, if it is much."""
        limit = max(1, PAGE // len(partitions))
        changed = partial(_changed, who, after, limit)
        answers = self._ask((partition, ask) for ask in (_end, changed) for partition in partitions)
        ends, pages = answers[: len(partitions)], answers[len(partitions) :]
        marks, items = list(after), []
        for partition, match, position in self._found(partitions, pages):
            marks[partition] = position
            items.append(New(match, tuple(marks)))
        whole: dict[int, int] = {}
        for partition, end, page in zip(partitions, ends, pages, strict=True):
            if len(page) < limit:
                whole[partition] = marks[partition] = max(int(end or 0), marks[partition])
        return News(items, tuple(marks), whole)

    def told(
        self, partition: int, after: int, limit: int, block_ms: int
    ) -> list[tuple[int, Sequence[str]]]:
        """At which positions after this one something changed, and for whom; waits for it."""
        self.end(partition)  # the lists may have been rebuilt
        key = told_key(self._spaces[partition])
        answer: Any = self._redis.xread({key: f"{after}-0"}, count=limit, block=block_ms)
        return [
            (int(row.partition(b"-")[0]), who_was_told(fields))
            for _, page in answer or ()
            for row, fields in page
        ]

    def _found(
        self, partitions: Sequence[int], pages: Sequence[Sequence[tuple[bytes, float]]]
    ) -> Iterator[tuple[int, Summary, int]]:
        """Each change with its partition, in order."""
        rows = [
            (partition, match.decode(), int(position))
            for partition, page in zip(partitions, pages, strict=True)
            for match, position in page
        ]
        texts = self._ask((partition, partial(_summary, match)) for partition, match, _ in rows)
        for (partition, _, position), text in zip(rows, texts, strict=True):
            yield partition, SUMMARY.decode(text), position

    def _ask_each(self, ask: Ask) -> list[Any]:
        """The answers of all partitions."""
        return self._ask((partition, ask) for partition in range(self.partitions))

    def _ask(self, questions: Iterable[tuple[int, Ask]]) -> list[Any]:
        """The answers, all from what was the live generation still when all had been read."""
        asked = list(questions)
        chosen = sorted({partition for partition, _ in asked})
        while True:
            with self._redis.pipeline(transaction=False) as pipe:
                for partition, ask in asked:
                    ask(pipe, partition, self._spaces[partition])
                for partition in chosen:
                    pipe.get(live_key(partition, MATCHES))
                answers = pipe.execute() if asked else []
            spaces = [
                space_of(partition, MATCHES, int(generation or 0))
                for partition, generation in zip(chosen, answers[len(asked) :], strict=True)
            ]
            if spaces == [self._spaces[partition] for partition in chosen]:
                return answers[: len(asked)]
            for partition, space in zip(chosen, spaces, strict=True):
                self._spaces[partition] = space


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


def _end(pipe: Pipeline, _: int, space: str) -> object:
    return pipe.get(checkpoint(space))


def _length(pipe: Pipeline, partition: int, _: str) -> object:
    return pipe.xlen(f"{tag(partition)}:feed")


def _changed(
    who: str, after: Marks, limit: int, pipe: Pipeline, partition: int, space: str
) -> object:
    key = changed_key(space, who)
    return pipe.zrangebyscore(key, f"({after[partition]}", "+inf", 0, limit, withscores=True)


def _summary(match: str, pipe: Pipeline, _: int, space: str) -> object:
    return ask_summary(pipe, space, match)


def _oldest(pipe: Pipeline, _: int, space: str) -> object:
    """The oldest change that is kept for the lobby, if any was let go of."""
    return pipe.zrange(changed_key(space, LOBBY), -KEPT, -KEPT, withscores=True)


def _is_kept(mark: int, oldest: Sequence[tuple[bytes, float]]) -> bool:
    return not oldest or mark >= oldest[0][1] - 1
