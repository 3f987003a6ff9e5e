"""Waits for replicas: what a replica has on its disk survives the loss of the server.

Redis replicates after it replies. So a caller that wants to be sure waits with WAITAOF, on the
connection that wrote, and outside the script, where WAITAOF would not block. This is no consensus:
a failover may promote another replica than the one that confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from redis import Redis
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import TimeoutError as TimedOut

from service.runtime.errors import StoreUnavailable
from service.store.redis_client import is_cluster_client, store_errors

RECEIVE_TIMEOUT_MS = 1_000
SYNC_TIMEOUT_MS = 2_000
"""How long a replica may take to confirm: longer than one that syncs once per second needs."""
WAIT_COMMANDS: Sequence[tuple[str | int, ...]] = (
    ("WAIT", 1, RECEIVE_TIMEOUT_MS),
    ("WAITAOF", 1, 1, SYNC_TIMEOUT_MS),
)
"""The commands that wait. WAITAOF by itself could take a second: a replica that has not synced yet
when asked reports again only with its next periodic message, once per second. After WAIT the
replica has received the write and, if it syncs always, has synced it.
"""
REDIRECT_ERRORS = (AskError, ClusterDownError, MovedError, TryAgainError, Unconnected, TimedOut)
"""Errors that redis-py handles on a cluster by refreshing its slots."""
UNCONFIRMED_TEXT = (
    "The entry is recorded, but no replica confirmed it in time. Send the request again with the"
    " same Idempotency-Key, to confirm or record it."
)
WRITE_REPLY = b"appended"
"""The first item of a script's reply if it wrote something."""
Command = tuple[bytes | str | int, ...]


class Replicas:
    """The replicas of a Redis, or of each server of a cluster; one must have what is
    acknowledged.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis: Any = redis
        self._redirect_errors = REDIRECT_ERRORS if is_cluster_client(redis) else (Unconnected,)

    def run_script(self, key: str, *command: bytes | str | int) -> Any:  # noqa: ANN401 - as Redis has it
        """Run a script at this key and wait for a replica, in one round trip; return the script's
        reply. Raises StoreUnavailable if the script wrote something and no replica confirms it in
        time.
        """
        reply, *confirmed = self._run_and_wait(key, command)
        if reply[0] == WRITE_REPLY:
            _require_confirmation(confirmed)
        return reply

    def confirm(self, key: str) -> None:
        """Wait until a replica has everything written so far on the server of this key. Raises
        StoreUnavailable.

        WAITAOF covers only the writes of its own connection, so this writes a short-lived mark
        first.
        """
        with store_errors():
            _, *confirmed = self._run_and_wait(key, _mark_command(key))
        _require_confirmation(confirmed)

    def _run_and_wait(self, key: str, command: Command) -> list[Any]:
        """Return the replies to an idempotent command and to the waits, all from one server:
        another server cannot confirm this one's writes.
        """
        try:
            return self._send(key, command, *WAIT_COMMANDS)
        except self._redirect_errors:
            self._redis.execute_command(*_mark_command(key))  # refreshes redis-py's slots
            return self._send(key, command, *WAIT_COMMANDS)

    def _send(self, key: str, first: Command, *more: Command) -> list[Any]:
        """Send commands on one connection; return the replies. Raises the first reply if it is an
        error.
        """
        pool = self._pool(key)
        connection = pool.get_connection()
        try:
            connection.send_packed_command(connection.pack_commands([first, *more]))
            replies = [_read_reply(connection) for _ in (first, *more)]
        except BaseException:  # the next user must not read the remaining replies
            connection.disconnect()
            raise
        finally:
            pool.release(connection)
        if isinstance(replies[0], Exception):
            raise replies[0]
        return replies

    def _pool(self, key: str) -> Any:  # noqa: ANN401 - redis-py has no annotations for it
        if not is_cluster_client(self._redis):
            return self._redis.connection_pool
        node = self._redis.get_node_from_key(key)
        return self._redis.get_redis_connection(node).connection_pool


def _mark_command(key: str) -> Command:
    """Return a command that writes a short-lived key on the server of this key."""
    return "SET", f"{_slot_prefix(key)}:confirming", 1, "PX", 1


def _slot_prefix(key: str) -> str:
    """Return the prefix of keys that share the slot of this key."""
    tag, brace, _ = key.partition("}")
    return f"{tag}}}" if brace else f"{{{key}}}"


def _read_reply(connection: Any) -> object:  # noqa: ANN401 - see above
    """Return the next reply, which can be an error reply."""
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


def _require_confirmation(confirmed: Sequence[object]) -> None:
    """Raise StoreUnavailable unless these replies confirm a sync of server and replica."""
    with suppress(TypeError, ValueError):  # it is an error if the server is no longer a master
        here, replicas = cast(Sequence[int], confirmed[-1])
        if here and replicas:
            return
    raise StoreUnavailable(UNCONFIRMED_TEXT)
