"""Redis for code on an event loop: one connection that all requests of a process share.

redis-py's ordinary client works on it. What is asked for in one turn of the loop goes out in one
write, so that Redis syncs once what many requests recorded.
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
KINDS: dict[type, type[aio.Connection]] = {
    redis.Connection: aio.Connection,
    redis.SSLConnection: aio.SSLConnection,
    redis.UnixDomainSocketConnection: aio.UnixDomainSocketConnection,  # type: ignore[dict-item]
}
OPTIONS = ("host", "port", "path", "db", "username", "password", "protocol", "client_name")
GRACE_S = 0.05
"""The loop may have stood still itself: a reply has this time to be read."""
WAITING = ("WAIT", "WAITAOF")
"""Commands that end with how long they may wait (ms)."""
Command = Sequence[Any]


class Wire:
    """A connection on which many wait for their replies; they come in the order of the commands."""

    def __init__(
        self, kind: type[aio.Connection], options: dict[str, Any], patience_s: float
    ) -> None:
        self._kind, self._options, self._patience_s = kind, options, patience_s
        self._out: list[bytes] = []
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._asked = asyncio.Event()
        self.session: asyncio.Task[None] | None = None
        """What serves this connection, another one after each time that it broke."""

    def ask(
        self, packed: Iterable[bytes], replies: int, blocking_s: float = 0
    ) -> list[asyncio.Future[Any]]:
        """Send commands with all others of this turn of the loop; the replies to them.

        They may ask Redis to wait by itself for some seconds.
        """
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in range(replies)]
        until = loop.time() + self._patience_s + blocking_s
        self._out.extend(packed)
        self._waiting.extend((future, until) for future in futures)
        self._asked.set()
        if self.session is None:
            self.session = loop.create_task(self._serve())
        return futures

    async def _serve(self) -> None:
        """Send and read until the connection breaks; then whoever waits is told."""
        connection = self._kind(**self._options)
        told: Exception = Unconnected("The event loop ends.")
        try:
            async with asyncio.TaskGroup() as together:
                together.create_task(self._look_at_the_clock())
                await connection.connect()  # type: ignore[no-untyped-call]  # it has no annotations
                together.create_task(self._read(connection))
                await self._write(connection)
        except ExceptionGroup as broken:
            told = _cause(broken.exceptions[0])
        finally:
            self._break(told)
            await connection.disconnect(nowait=True)

    async def _write(self, connection: aio.Connection) -> NoReturn:
        while True:
            await self._asked.wait()
            self._asked.clear()
            out, self._out = self._out, []
            await connection.send_packed_command(out, check_health=False)

    async def _read(self, connection: aio.Connection) -> NoReturn:
        while True:
            reply = await _reply(connection)
            future, _ = self._waiting.popleft()
            if not future.done():  # nobody waits for it any more
                future.set_result(reply)

    async def _look_at_the_clock(self) -> NoReturn:
        """Give up on a server that stands still, whatever is going on: one timer for all."""
        loop = asyncio.get_running_loop()
        while True:
            until = self._waiting[0][1] if self._waiting else loop.time() + self._patience_s
            if until > loop.time():
                await asyncio.sleep(until - loop.time())
            elif await self._is_silent():
                raise TimedOut("No reply in time.")

    async def _is_silent(self) -> bool:
        """Whether the oldest reply does not come either while nothing else holds up the loop."""
        loop = asyncio.get_running_loop()
        oldest, until = self._waiting[0], loop.time() + GRACE_S
        await asyncio.sleep(GRACE_S)
        is_missing = bool(self._waiting) and self._waiting[0] is oldest
        return is_missing and loop.time() < until + GRACE_S

    def _break(self, error: Exception) -> None:
        self.session = None
        self._out, waiting = [], self._waiting
        self._waiting = deque()
        for future, _ in waiting:
            if not future.done():  # a reply, too: nobody need look at it, unlike an exception
                future.set_result(type(error)(*error.args))


def _cause(error: Exception) -> RedisError:
    """Why a connection broke, as those who wait are told."""
    if isinstance(error, RedisError):
        return error
    log.error("wire_broke", exc_info=error)
    return Unconnected("The connection broke.")


async def _reply(connection: aio.Connection) -> object:
    """The next reply; an error that Redis tells is one, too."""
    try:
        return await connection.read_response(timeout=math.inf)
    except ResponseError as error:
        return error


def _told(reply: object) -> object:
    """A reply; raised if it is an error. Of one that a cluster lacks a server, redis-py would have
    the whole loop sleep before it asks again; as of one that is away, it just asks again.
    """
    if isinstance(reply, ClusterDownError):
        raise Unconnected(*reply.args)
    if isinstance(reply, Exception):
        raise reply
    return reply


def _is_apart(command: Command) -> bool:
    """Whether it changes how all of a connection behaves."""
    return command[0] == "WATCH" or _blocking_s(command) > 0


def _blocking_s(command: Command) -> float:
    """How long it asks Redis to wait by itself (seconds)."""
    if command[0] == "XREAD" and b"BLOCK" in command:
        return int(command[command.index(b"BLOCK") + 1]) / 1000
    return int(command[-1]) / 1000 if command[0] in WAITING else 0


class Line:
    """What redis-py takes for a connection of its own, for one command or pipeline."""

    def __init__(self, pool: LoopPool) -> None:
        self._pool = pool
        self.wire = pool.shared
        self._replies: deque[asyncio.Future[Any]] = deque()
        self._session: object = None  # of a wire of its own, since its first command

    def __getattr__(self, name: str) -> object:
        return getattr(self._pool.pattern, name)

    def send_command(self, *args: object, **_: object) -> None:
        """Send a command."""
        self.send_packed_command([args])

    def pack_commands(self, commands: Iterable[Command]) -> list[Command]:
        """The commands, to be packed when they are sent: only now they can be counted."""
        return list(commands)

    def send_packed_command(self, commands: Sequence[Command], **_: object) -> None:
        """Send these commands, one after the other without any of another's in between."""
        if self.wire is self._pool.shared and any(map(_is_apart, commands)):
            self.wire = self._pool.spare()
        pack = self._pool.pattern.pack_command
        packed = [part for command in commands for part in pack(*command)]
        if self.wire is self._pool.shared:
            self._replies = deque(self.wire.ask(packed, len(commands)))
        else:
            self._replies = deque(self._ask_alone(packed, commands))

    def _ask_alone(
        self, packed: list[bytes], commands: Sequence[Command]
    ) -> list[asyncio.Future[Any]]:
        """Ask on a wire of its own; ConnectionError if what it watched went with its connection."""
        if self._session not in (None, self.wire.session):
            raise Unconnected("The connection broke since the last command.")
        replies = self.wire.ask(packed, len(commands), sum(map(_blocking_s, commands)))
        self._session = self.wire.session
        return replies

    def read_response(self, *_: object, **__: object) -> object:
        """The next reply, or the error that Redis tells."""
        future = self._replies.popleft()
        return _told(future.result() if future.done() else wait(future))

    def connect(self) -> None:
        """The wire does it."""

    def disconnect(self, *_: object, **__: object) -> None:
        """Let go of this command: the wire serves others."""
        self._replies.clear()
        self._session = None

    def should_reconnect(self) -> bool:
        """The wire does it."""
        return False


class LoopPool(redis.ConnectionPool):
    """Connections as redis-py has them, and one wire for whoever asks on the loop."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # whatever redis-py gives it
        self.pattern: Any = self.make_connection()
        self._spare: list[Wire] = []
        self.shared = self._wire()

    def get_connection(self, *_: object, **__: object) -> redis.Connection:
        """A connection for one command or pipeline."""
        return cast(redis.Connection, Line(self)) if on_loop() else super().get_connection()

    def ask(self, *command: bytes | str | int) -> object:
        """The reply to a command of one on the loop, or the error that Redis tells."""
        [future] = self.shared.ask(self.pattern.pack_command(*command), 1)
        return _told(wait(future))

    def release(self, connection: object) -> None:
        """Take it back."""
        if not isinstance(connection, Line):
            super().release(cast(redis.Connection, connection))
        elif connection.wire is not self.shared:
            self._spare.append(connection.wire)

    def spare(self) -> Wire:
        """A wire for one caller alone."""
        return self._spare.pop() if self._spare else self._wire()

    def _wire(self) -> Wire:
        given = self.connection_kwargs
        kept = {name: given[name] for name in given if name in OPTIONS or name.startswith("ssl_")}
        kind = next(KINDS[one] for one in self.connection_class.__mro__ if one in KINDS)
        return Wire(kind, {**kept, "socket_timeout": None}, self.pattern.socket_timeout)
