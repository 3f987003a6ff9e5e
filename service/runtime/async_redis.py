"""Redis for code on an event loop: all requests of a process share one connection.

The ordinary client of redis-py works on it. All commands of one turn of the loop leave in one
write, so Redis syncs its file once for the entries of many requests.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, cast

import redis
import structlog
from redis import asyncio as aio
from redis.exceptions import ClusterDownError, RedisError, ResponseError
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import TimeoutError as TimedOut

from service.runtime.event_loop import on_loop, wait

log = structlog.get_logger("annals.web")
ASYNC_CLASSES: dict[type, type[aio.Connection]] = {
    redis.Connection: aio.Connection,
    redis.SSLConnection: aio.SSLConnection,
    redis.UnixDomainSocketConnection: aio.UnixDomainSocketConnection,  # type: ignore[dict-item]
}
CONNECTION_OPTIONS = (
    "host",
    "port",
    "path",
    "db",
    "username",
    "password",
    "protocol",
    "client_name",
    "driver_info",
)
GRACE_S = 0.05
"""Extra time to read a reply, in case the loop itself was blocked."""
WAIT_COMMANDS = ("WAIT", "WAITAOF")
"""Commands whose last argument is how long they may block (ms)."""
Command = Sequence[Any]


class SharedConnection:
    """A connection shared by many callers. Replies arrive in the order of the commands."""

    def __init__(
        self, kind: type[aio.Connection], options: dict[str, Any], timeout_s: float
    ) -> None:
        self._connection_class, self._options, self._timeout_s = kind, options, timeout_s
        self._out: list[bytes] = []
        self._pending: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._has_output = asyncio.Event()
        self.session: asyncio.Task[None] | None = None
        """What serves this connection, another one after each time that it broke."""

    def send(
        self, packed: Iterable[bytes], replies: int, blocking_s: float = 0
    ) -> list[asyncio.Future[Any]]:
        """Send commands together with all others of this turn of the loop; return a future per
        reply.

        `blocking_s` is how long the commands may block in Redis, in seconds.
        """
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in range(replies)]
        until = loop.time() + self._timeout_s + blocking_s
        self._out.extend(packed)
        self._pending.extend((future, until) for future in futures)
        self._has_output.set()
        if self.session is None:
            self.session = loop.create_task(self._serve())
        return futures

    async def _serve(self) -> None:
        """Send and read until the connection breaks; then fail all pending replies."""
        connection = self._connection_class(**self._options)
        error: Exception = Unconnected("The event loop is closing.")
        try:
            async with asyncio.TaskGroup() as together:
                together.create_task(self._watch_deadlines())
                await connection.connect()  # type: ignore[no-untyped-call]  # it has no annotations
                together.create_task(self._read(connection))
                await self._write(connection)
        except ExceptionGroup as broken:
            error = _error_for_callers(broken.exceptions[0])
        finally:
            self._fail_pending(error)
            await connection.disconnect(nowait=True)

    async def _write(self, connection: aio.Connection) -> NoReturn:
        while True:
            await self._has_output.wait()
            self._has_output.clear()
            out, self._out = self._out, []
            await connection.send_packed_command(out, check_health=False)

    async def _read(self, connection: aio.Connection) -> NoReturn:
        while True:
            reply = await _read_reply(connection)
            future, _ = self._pending.popleft()
            if not future.done():  # its caller has gone
                future.set_result(reply)
            del future, reply  # the next one may be long in coming

    async def _watch_deadlines(self) -> NoReturn:
        """Raise TimedOut if the server does not reply in time; one timer serves all commands."""
        loop = asyncio.get_running_loop()
        while True:
            until = self._pending[0][1] if self._pending else loop.time() + self._timeout_s
            if until > loop.time():
                await asyncio.sleep(until - loop.time())
            elif await self._is_silent():
                raise TimedOut("No reply in time.")

    async def _is_silent(self) -> bool:
        """Return whether the oldest reply is still missing after a moment in which the loop was
        free.
        """
        loop = asyncio.get_running_loop()
        oldest, until = self._pending[0], loop.time() + GRACE_S
        await asyncio.sleep(GRACE_S)
        is_missing = bool(self._pending) and self._pending[0] is oldest
        return is_missing and loop.time() < until + GRACE_S

    def _fail_pending(self, error: Exception) -> None:
        self.session = None
        self._out, waiting = [], self._pending
        self._pending = deque()
        for future, _ in waiting:
            if not future.done():  # set as a result: asyncio logs an exception that no caller reads
                future.set_result(type(error)(*error.args))


def _error_for_callers(error: Exception) -> RedisError:
    """Return why a connection broke, as the error that its callers get."""
    if isinstance(error, RedisError):
        return error
    log.error("redis_connection_lost", exc_info=error)
    return Unconnected("The connection broke.")


async def _read_reply(connection: aio.Connection) -> object:
    """Return the next reply, which can be an error reply."""
    try:
        return await connection.read_response(timeout=math.inf)
    except ResponseError as error:
        return error.with_traceback(None)  # a frame of redis-py in it refers to the error: a cycle


def _unwrap(reply: object) -> object:
    """Return a reply, or raise it if it is an error.

    For CLUSTERDOWN, redis-py would block the whole loop before it retries. After a ConnectionError
    it retries at once, so this raises that instead.
    """
    if isinstance(reply, ClusterDownError):
        raise Unconnected(*reply.args)
    if isinstance(reply, Exception):
        try:
            raise reply
        finally:
            del reply  # a cycle with this frame would keep what the callers hold
    return reply


def _needs_dedicated(command: Command) -> bool:
    """Return whether a command changes the state of its connection or blocks it."""
    return command[0] == "WATCH" or _blocking_s(command) > 0


def _blocking_s(command: Command) -> float:
    """Return how long a command may block in Redis, in seconds."""
    if command[0] == "XREAD" and b"BLOCK" in command:
        return int(command[command.index(b"BLOCK") + 1]) / 1000
    return int(command[-1]) / 1000 if command[0] in WAIT_COMMANDS else 0


class LoopConnection:
    """Stands in for a redis-py connection, for one command or pipeline."""

    def __init__(self, pool: LoopPool) -> None:
        self._pool = pool
        self.transport = pool.shared
        self._replies: deque[asyncio.Future[Any]] = deque()
        self._session: object = None  # of a dedicated connection, since its first command

    def __getattr__(self, name: str) -> object:
        return getattr(self._pool.template, name)

    def send_command(self, *args: object, **_: object) -> None:
        """Send a command."""
        self.send_packed_command([args])

    def pack_commands(self, commands: Iterable[Command]) -> list[Command]:
        """Return the commands unpacked: they are counted and packed when they are sent."""
        return list(commands)

    def send_packed_command(self, commands: Sequence[Command], **_: object) -> None:
        """Send these commands in order, without commands of other callers in between."""
        if self.transport is self._pool.shared and any(map(_needs_dedicated, commands)):
            self.transport = self._pool.take_dedicated()
        pack = self._pool.template.pack_command
        packed = [part for command in commands for part in pack(*command)]
        if self.transport is self._pool.shared:
            self._replies = deque(self.transport.send(packed, len(commands)))
        else:
            self._replies = deque(self._send_dedicated(packed, commands))

    def _send_dedicated(
        self, packed: list[bytes], commands: Sequence[Command]
    ) -> list[asyncio.Future[Any]]:
        """Send on a dedicated connection. Raises ConnectionError if the connection broke since the
        first command, because Redis then forgot what it watched.
        """
        if self._session not in (None, self.transport.session):
            raise Unconnected("The connection broke since the last command.")
        replies = self.transport.send(packed, len(commands), sum(map(_blocking_s, commands)))
        self._session = self.transport.session
        return replies

    def read_response(self, *_: object, **__: object) -> object:
        """Return the next reply, or raise it if it is an error."""
        future = self._replies.popleft()
        try:
            return _unwrap(future.result() if future.done() else wait(future))
        finally:
            del future  # it may have the error that refers to this frame

    def connect(self) -> None:
        """Do nothing: the transport connects itself."""

    def disconnect(self, *_: object, **__: object) -> None:
        """Drop the pending replies; the transport stays open for other callers."""
        self._replies.clear()
        self._session = None

    def should_reconnect(self) -> bool:
        """Return False: the transport reconnects itself."""
        return False


class LoopPool(redis.ConnectionPool):
    """A pool of redis-py connections for threads, with one shared connection for callers on the
    loop.
    """

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # passed on
        self.template: Any = self.make_connection()
        self._idle: list[SharedConnection] = []
        self.shared = self._new_connection()

    def get_connection(self, *_: object, **__: object) -> redis.Connection:
        """Return a connection for one command or pipeline."""
        return (
            cast(redis.Connection, LoopConnection(self)) if on_loop() else super().get_connection()
        )

    def send_command(self, *command: bytes | str | int) -> object:
        """Send one command from the loop; return its reply, or raise it if it is an error."""
        [future] = self.shared.send(self.template.pack_command(*command), 1)
        try:
            return _unwrap(wait(future))
        finally:
            del future  # as above

    def release(self, connection: object) -> None:
        """Return a connection to the pool."""
        if not isinstance(connection, LoopConnection):
            super().release(cast(redis.Connection, connection))
        elif connection.transport is not self.shared:
            self._idle.append(connection.transport)

    def take_dedicated(self) -> SharedConnection:
        """Return a connection for one caller only."""
        return self._idle.pop() if self._idle else self._new_connection()

    def _new_connection(self) -> SharedConnection:
        given = self.connection_kwargs
        options = {
            name: given[name]
            for name in given
            if name in CONNECTION_OPTIONS or name.startswith("ssl_")
        }
        kind = next(
            ASYNC_CLASSES[one] for one in self.connection_class.__mro__ if one in ASYNC_CLASSES
        )
        return SharedConnection(
            kind, {**options, "socket_timeout": None}, self.template.socket_timeout
        )
