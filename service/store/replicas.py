"""Replicas: whatever one of them has on its disk, too, outlives the server that was told it.

Redis tells its replicas what it has answered already. So somebody who wants to be sure waits for
them, on the connection on which it was written, and outside the script, which would not wait. That
is no consensus: a replica that confirmed may still not be the one that takes over.
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
from service.store.redis_client import answering, is_of_cluster

RECEIVED_MS = 1_000
SYNCED_MS = 2_000
"""How long a replica may take to confirm: longer than one that syncs once a second."""
CONFIRMED: Sequence[tuple[str | int, ...]] = (
    ("WAIT", 1, RECEIVED_MS),
    ("WAITAOF", 1, 1, SYNCED_MS),
)
"""What waits. WAITAOF alone would take up to a second: a replica that is asked while it has not
synced yet says so, and tells the rest only when it tells how it is, once a second. When it has said
that it received what was written, it has synced that, if it syncs always."""
ASTRAY = (AskError, ClusterDownError, MovedError, TryAgainError, Unconnected, TimedOut)
"""What redis-py finds its way out of, on a cluster."""
UNCONFIRMED = (
    "It is recorded, but no replica has confirmed it in time. Ask again with the same"
    " Idempotency-Key: then it is either confirmed or recorded anew."
)
RECORDED = b"appended"
"""What a script says first that has recorded something."""
Command = tuple[bytes | str | int, ...]


class Replicas:
    """Those of a Redis, or of each server of a cluster; one has to have what is acknowledged."""

    def __init__(self, redis: Redis) -> None:
        self._redis: Any = redis
        self._astray = ASTRAY if is_of_cluster(redis) else (Unconnected,)

    def written(self, key: str, *command: bytes | str | int) -> Any:  # noqa: ANN401 - as Redis has it
        """What a script says that may write where a key is, in the same round trip as what a
        replica says; StoreUnavailable if it recorded something and none confirms it in time.
        """
        said, *confirmed = self._surely(key, command)
        if said[0] == RECORDED:
            _refuse_unless(confirmed)
        return said

    def confirm(self, key: str) -> None:
        """Return once a replica has all that was written so far where a key is; StoreUnavailable.

        Redis waits for what its connection wrote, and another one may have: so it writes a mark.
        """
        with answering():
            _, *confirmed = self._surely(key, _mark(key))
        _refuse_unless(confirmed)

    def _surely(self, key: str, command: Command) -> list[Any]:
        """The replies to a command that does nothing twice, and to what waits. All of them are of
        one server: what another one confirms is not what this one wrote.
        """
        try:
            return self._asked(key, command, *CONFIRMED)
        except self._astray:
            self._redis.execute_command(*_mark(key))  # redis-py finds the way
            return self._asked(key, command, *CONFIRMED)

    def _asked(self, key: str, first: Command, *more: Command) -> list[Any]:
        """The replies to some commands on one connection; the first one's is no error."""
        pool = self._pool(key)
        connection = pool.get_connection()
        try:
            connection.send_packed_command(connection.pack_commands([first, *more]))
            replies = [_reply(connection) for _ in (first, *more)]
        except BaseException:  # nobody else may read what is still to come
            connection.disconnect()
            raise
        finally:
            pool.release(connection)
        if isinstance(replies[0], Exception):
            raise replies[0]
        return replies

    def _pool(self, key: str) -> Any:  # noqa: ANN401 - redis-py has no annotations for it
        if not is_of_cluster(self._redis):
            return self._redis.connection_pool
        node = self._redis.get_node_from_key(key)
        return self._redis.get_redis_connection(node).connection_pool


def _mark(key: str) -> Command:
    """What writes something where a key is, which is soon gone."""
    return "SET", f"{_slot(key)}:confirming", 1, "PX", 1


def _slot(key: str) -> str:
    """What keys begin with that are where a key is."""
    tag, brace, _ = key.partition("}")
    return f"{tag}}}" if brace else f"{{{key}}}"


def _reply(connection: Any) -> object:  # noqa: ANN401 - see above
    """The next reply; an error that Redis tells is one, too."""
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


def _refuse_unless(confirmed: Sequence[object]) -> None:
    """StoreUnavailable unless these replies say that server and replica have synced."""
    with suppress(TypeError, ValueError):  # an error, if it is no master any more
        here, replicas = cast(Sequence[int], confirmed[-1])
        if here and replicas:
            return
    raise StoreUnavailable(UNCONFIRMED)
