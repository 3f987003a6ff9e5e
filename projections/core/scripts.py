"""Lua scripts for Redis, sent in full only to a server that has not cached them."""

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
    """A script, given by its Lua source."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, redis: Redis, keys: Sequence[str], *values: str | int | bytes) -> Any:  # noqa: ANN401 - as Redis has it
        """Run the script in one round trip and return its result."""
        given = len(keys), *keys, *values
        try:
            return _execute(redis, "EVALSHA", self._sha, *given)
        except NoScriptError:
            return _execute(redis, "EVAL", self._text, *given)

    def add_to(self, pipe: Pipeline, keys: Sequence[str], *values: str | int | bytes) -> None:
        """Add the script to a pipeline."""
        # a pipeline on a cluster has no `eval` method
        pipe.execute_command("EVAL", self._text, len(keys), *keys, *values)  # type: ignore[no-untyped-call]


def with_single_connection(redis: Redis) -> Redis:
    """Return the client with one connection for use by one thread; a cluster client is returned
    unchanged.
    """
    pool = getattr(redis, "connection_pool", None)
    return Redis(connection_pool=pool, single_connection_client=True) if pool else redis


def _execute(redis: Redis, *command: str | int | bytes) -> Any:  # noqa: ANN401 - as Redis has it
    """Send a command and return its reply.

    A client with a single connection is bypassed: redis-py's wrapping takes three times as long as
    the rest. If the connection is broken, the client reconnects as usual.
    """
    if connection := getattr(redis, "connection", None):
        with suppress(Unconnected):
            connection.send_command(*command)
            return connection.read_response()
    return redis.execute_command(*command)  # type: ignore[no-untyped-call]  # it has no annotations
