"""Redis for code on an event loop: one connection that all requests of a process share.

redis-py's ordinary client works on it. What is asked for in one turn of the loop goes out in one
write, so that Redis syncs once what many requests recorded.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, cast

import redis
from redis import asyncio as aio
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as TimedOut

from service.event_loop import on_loop, wait

PATIENCE_S = 5.0
"""How long a reply may take; one that is asked to block for longer never comes."""
APART = frozenset({"WATCH", b"BLOCK"})
"""Words in commands that change how all of a connection behaves."""
KINDS: dict[type, type[aio.Connection]] = {
    redis.Connection: aio.Connection,
    redis.SSLConnection: aio.SSLConnection,
    redis.UnixDomainSocketConnection: aio.UnixDomainSocketConnection,  # type: ignore[dict-item]
}
OPTIONS = ("host", "port", "path", "db", "username", "password", "protocol", "client_name")
Command = Sequence[Any]


class Wire:
    """A connection on which many wait for their replies; they come in the order of the commands."""

    def __init__(self, kind: type[aio.Connection], options: dict[str, Any]) -> None:
        self._kind, self._options = kind, options
        self._out: list[bytes] = []
        self._waiting: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._serving: asyncio.Task[None] | None = None
        self._asked = asyncio.Event()

    def ask(self, packed: Iterable[bytes], replies: int) -> list[asyncio.Future[Any]]:
        """Send commands with all others of this turn of the loop; the replies to them."""
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in range(replies)]
        now = loop.time()
        self._out.extend(packed)
        self._waiting.extend((future, now) for future in futures)
        self._asked.set()
        if self._serving is None:
            self._serving = loop.create_task(self._serve())
        return futures

    async def _serve(self) -> None:
        """Send and read until the connection breaks; then whoever waits is told."""
        connection = self._kind(**self._options)
        reading = None
        try:
            await connection.connect()  # type: ignore[no-untyped-call]  # it has no annotations
            reading = asyncio.create_task(self._read(connection))
            await self._write(connection, reading)
        except (RedisError, OSError) as error:
            self._break(error)
        except asyncio.CancelledError:
            self._break(Unconnected("The event loop ends."))
            raise
        finally:
            if reading:
                reading.cancel()
            await connection.disconnect(nowait=True)

    async def _write(self, connection: aio.Connection, reading: asyncio.Task[None]) -> None:
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._asked.wait()
            except TimeoutError:
                pass
            if reading.done():
                return reading.result()
            self._asked.clear()
            out, self._out = self._out, []
            if out:
                await connection.send_packed_command(out, check_health=False)
            self._look_at_the_clock()

    async def _read(self, connection: aio.Connection) -> None:
        try:
            while True:
                reply = await _reply(connection)
                future, _ = self._waiting.popleft()
                if not future.done():  # nobody waits for it any more
                    future.set_result(reply)
        finally:
            self._asked.set()

    def _look_at_the_clock(self) -> None:
        """Give up on a server that stands still."""
        if self._waiting and asyncio.get_running_loop().time() - self._waiting[0][1] > PATIENCE_S:
            raise TimedOut("No reply in time.")

    def _break(self, error: Exception) -> None:
        self._serving = None
        self._out, waiting = [], self._waiting
        self._waiting = deque()
        for future, _ in waiting:
            if not future.done():  # a reply, too: nobody need look at it, unlike an exception
                future.set_result(type(error)(*error.args))


async def _reply(connection: aio.Connection) -> object:
    """The next reply; an error that Redis tells is one, too."""
    try:
        return await connection.read_response(timeout=math.inf)
    except ResponseError as error:
        return error


class Line:
    """What redis-py takes for a connection of its own, for one command or pipeline."""

    def __init__(self, pool: LoopPool) -> None:
        self._pool = pool
        self.wire = pool.shared
        self._replies: deque[asyncio.Future[Any]] = deque()

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
        if self.wire is self._pool.shared and any(not APART.isdisjoint(one) for one in commands):
            self.wire = self._pool.spare()
        pack = self._pool.pattern.pack_command
        packed = [part for command in commands for part in pack(*command)]
        self._replies = deque(self.wire.ask(packed, len(commands)))

    def read_response(self, *_: object, **__: object) -> object:
        """The next reply, or the error that Redis tells."""
        future = self._replies.popleft()
        reply = future.result() if future.done() else wait(future)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def connect(self) -> None:
        """The wire does it."""

    def disconnect(self, *_: object, **__: object) -> None:
        """Let go of this command: the wire serves others."""
        self._replies.clear()

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
        return Wire(kind, {**kept, "socket_timeout": None})
