"""Scripts for Redis, sent whole only to a server that has not seen them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha1
from typing import Any

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import NoScriptError


class Script:
    """A script by its text in Lua."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, redis: Redis, keys: Sequence[str], *values: str | int | bytes) -> Any:  # noqa: ANN401 - as Redis has it
        """What it returns, in one round trip."""
        given = len(keys), *keys, *values
        try:
            return _ask(redis, "EVALSHA", self._sha, *given)
        except NoScriptError:
            return _ask(redis, "EVAL", self._text, *given)

    def add(self, pipe: Pipeline, keys: Sequence[str], *values: str | int | bytes) -> None:
        """Let it run with all that goes out with a pipeline."""
        # a pipeline on a cluster has no eval of its own
        pipe.execute_command("EVAL", self._text, len(keys), *keys, *values)  # type: ignore[no-untyped-call]


def for_one_thread(redis: Redis) -> Redis:
    """The same Redis with a connection for one thread alone; a cluster as it is."""
    pool = getattr(redis, "connection_pool", None)
    return Redis(connection_pool=pool, single_connection_client=True) if pool else redis


def _ask(redis: Redis, *command: str | int | bytes) -> Any:  # noqa: ANN401 - as Redis has it
    """The reply to a command; on a connection of one's own without what a client does around it,
    which takes three times as long as the rest, unless the connection broke.
    """
    if connection := getattr(redis, "connection", None):
        with suppress(Unconnected):
            connection.send_command(*command)
            return connection.read_response()
    return redis.execute_command(*command)  # type: ignore[no-untyped-call]  # it has no annotations
