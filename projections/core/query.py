"""Questions to read models: answered in one round trip, together with how far they have read."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import msgspec
from redis import Redis

from projections.core.spaces import Command, Projection, feed_of, live_key, together

ASK = files(__package__).joinpath("query.lua").read_text()


class Asked(msgspec.Struct, frozen=True):
    """Questions about a projection in one partition: commands whose keys are within its space.

    If `values` names a hash, each member of what is found is followed by its value there.
    """

    projection: Projection
    partition: int
    questions: Sequence[Command] = ()
    values: str = ""


class Answered(msgspec.Struct, frozen=True):
    """Up to where the projection is folded, how long the feed is, and an answer to each question,
    all at the same moment.
    """

    position: int
    length: int
    answers: Sequence[Any]

    @property
    def behind(self) -> int:
        """How many entries the projection has not read yet."""
        return max(0, self.length - self.position)


def ask(redis: Redis, asked: Sequence[Asked]) -> list[Answered]:
    """What these are answered, in order, in one round trip."""
    with redis.pipeline(transaction=False) as pipe:
        for some in filter(None, together(redis, asked)):
            keys = [key for one in some for key in _keys(one)]
            text = msgspec.msgpack.encode([(one.values, one.questions) for one in some])
            # a pipeline on a cluster has no eval of its own
            pipe.execute_command("EVAL", ASK, len(keys), *keys, text)  # type: ignore[no-untyped-call]
        replies = pipe.execute()
    return [Answered(one[0], one[1], one[2:]) for reply in replies for one in reply]


def everywhere(
    redis: Redis, partitions: int, projection: Projection, *questions: Command
) -> list[Sequence[Any]]:
    """The answers to the same questions from every partition."""
    asked = [Asked(projection, partition, questions) for partition in range(partitions)]
    return [one.answers for one in ask(redis, asked)]


def _keys(asked: Asked) -> tuple[str, str]:
    return live_key(asked.partition, asked.projection), feed_of(asked.partition)
