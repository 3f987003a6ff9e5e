"""Queries to read models: all answered in one round trip, with the position of each read model."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import msgspec
from redis import Redis

from projections.core.spaces import Command, Projection, feed_key, generation_key, group_by_slot

QUERY_SCRIPT = files(__package__).joinpath("query.lua").read_text()


class Query(msgspec.Struct, frozen=True):
    """Commands to a projection in one partition; their keys are relative to its space.

    If `values_hash` names a hash, each member of an answer is followed by its value in that hash.
    """

    projection: Projection
    partition: int
    commands: Sequence[Command] = ()
    values_hash: str = ""


class QueryResult(msgspec.Struct, frozen=True):
    """The position of the projection, the length of the feed and the answers, all at the same
    moment.
    """

    position: int
    feed_length: int
    answers: Sequence[Any]

    @property
    def lag(self) -> int:
        """The number of entries that the projection has not folded yet."""
        return max(0, self.feed_length - self.position)


def run_queries(redis: Redis, queries: Sequence[Query]) -> list[QueryResult]:
    """Run queries in one round trip; the results are in the same order."""
    with redis.pipeline(transaction=False) as pipe:
        for some in filter(None, group_by_slot(redis, queries)):
            keys = [key for one in some for key in _keys(one)]
            text = msgspec.msgpack.encode([(one.values_hash, one.commands) for one in some])
            # a pipeline on a cluster has no `eval` method
            pipe.execute_command("EVAL", QUERY_SCRIPT, len(keys), *keys, text)  # type: ignore[no-untyped-call]
        replies = pipe.execute()
    return [QueryResult(one[0], one[1], one[2:]) for reply in replies for one in reply]


def query_all_partitions(
    redis: Redis, partitions: int, projection: Projection, *commands: Command
) -> list[Sequence[Any]]:
    """Run the same commands in every partition; the answers are in the order of partitions."""
    asked = [Query(projection, partition, commands) for partition in range(partitions)]
    return [one.answers for one in run_queries(redis, asked)]


def _keys(asked: Query) -> tuple[str, str]:
    return generation_key(asked.partition, asked.projection), feed_key(asked.partition)
