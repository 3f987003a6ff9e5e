"""A request that waits for its turn keeps what arrives; if its caller leaves, it never begins."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from socket import SO_LINGER, SOL_SOCKET
from struct import pack
from typing import Any

import pytest

from service.front.arrivals import Arrivals
from service.front.asgi_adapter import AsgiAdapter
from service.front.connection import Connection
from service.runtime.settings import Settings
from tests.service.front.in_process import served
from tests.support.patience import PATIENCE_S

MAX_READ_BYTES = 262_144
"""The most that asyncio reads at once."""
MORE_BYTES = 8_000_000
"""More than the buffers of the kernel hold."""
HEAD = b"POST /%b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"


class Gate(Arrivals):
    """Lets nobody begin until it opens."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[str, Callable[[], None]]] = []
        self._is_open = False

    def add(self, address: Callable[[], str], begin: Callable[[], None]) -> None:
        if self._is_open:
            super().add(address, begin)
        else:
            self.waiting.append((address(), begin))

    def open(self) -> None:
        self._is_open = True
        for address, begin in self.waiting:
            super().add(lambda address=address: address, begin)


class Caller:
    """A connection to a server whose gate is shut."""

    def __init__(self, reader: StreamReader, writer: StreamWriter, at: Connection) -> None:
        self.reader, self.writer, self.at = reader, writer, at


class World:
    """A server with a gate, and the paths and bodies of the requests that began."""

    def __init__(self, proxies: int = 0) -> None:
        self.begun: list[tuple[str, bytes]] = []
        self.gate = Gate()
        self._adapter = AsgiAdapter(self._answer, Settings(proxies=proxies))
        self._adapter.arrivals = self.gate

    def _answer(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        self.begun.append((environ["PATH_INFO"], environ["wsgi.input"].read()))
        start("204 No Content", [])
        return ()

    @asynccontextmanager
    async def caller(self) -> AsyncIterator[Caller]:
        async with served(self._adapter) as (port, state), asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await until(lambda: bool(state.connections))
            [connection] = state.connections
            assert isinstance(connection, Connection)
            yield Caller(reader, writer, connection)
            writer.close()
            await until(lambda: not state.connections)


async def until(is_so: Callable[[], bool]) -> None:
    """Let the loop go on until this is so."""
    while not is_so():
        await asyncio.sleep(0.001)


def test_bytes_that_arrive_while_a_request_waits_are_kept() -> None:
    async def play() -> None:
        world = World()
        async with world.caller() as caller:
            caller.writer.write(HEAD % b"first")
            await until(lambda: bool(world.gate.waiting))
            caller.writer.write(b"\r\nbody" + HEAD % b"second" + b"\r\nmore")
            await until(lambda: caller.at._held.endswith(b"more"))
            assert len(world.gate.waiting) == 1, "a connection waits once"
            assert world.begun == []
            world.gate.open()
            for _ in range(2):
                assert b"204" in await caller.reader.readuntil(b"\r\n\r\n")
            assert world.begun == [("/first", b"body"), ("/second", b"more")]
            caller.writer.write(HEAD % b"third" + b"\r\nlast")
            assert b"204" in await caller.reader.readuntil(b"\r\n\r\n")

    asyncio.run(play())


def test_a_connection_that_waits_keeps_two_reads_at_most() -> None:
    async def play() -> None:
        world = World()
        async with world.caller() as caller:
            caller.writer.write(HEAD % b"")
            await until(lambda: bool(world.gate.waiting))
            caller.writer.write(bytes(MORE_BYTES))
            await until(lambda: not caller.at.transport.is_reading())
            before = len(caller.at._held)
            await asyncio.sleep(0.01)
            assert len(caller.at._held) == before <= 2 * MAX_READ_BYTES
            caller.writer.transport.abort()
            world.gate.open()

    asyncio.run(play())


def test_a_request_whose_caller_has_closed_never_begins() -> None:
    """Not even before the turn of its connection to close."""

    async def play() -> None:
        world = World()
        async with world.caller() as caller:
            caller.writer.write(HEAD % b"" + b"\r\nbody")
            await until(lambda: bool(world.gate.waiting))
            caller.writer.close()
            await until(lambda: not caller.at._held)
            world.gate.open()
        assert world.begun == []

    asyncio.run(play())


def test_a_request_whose_connection_is_lost_never_begins() -> None:
    async def play() -> None:
        world = World()
        async with world.caller() as caller:
            caller.writer.write(HEAD % b"" + b"\r\nbody")
            await until(lambda: bool(world.gate.waiting))
            own = caller.writer.get_extra_info("socket")
            own.setsockopt(SOL_SOCKET, SO_LINGER, pack("ii", 1, 0))  # a reset, without an end
            caller.writer.transport.abort()
            await until(caller.at.transport.is_closing)
            world.gate.open()
        assert world.begun == []

    asyncio.run(play())


@pytest.mark.parametrize(
    ("sent", "address"),
    [
        (b"", "127.0.0.1"),
        (b"X-Forwarded-For: 192.0.2.1, 198.51.100.7\r\n", "198.51.100.7"),
        (b"A: b\r\nx-forwarded-for:192.0.2.1\r\nX-Forwarded-For: 198.51.100.7\r\n", "198.51.100.7"),
        (b"X-Forwarded-For: 198.51.100.7\r\n\r\nX-Forwarded-For: 192.0.2.1\r\n", "198.51.100.7"),
    ],
)
def test_a_request_waits_by_the_address_that_its_head_names(sent: bytes, address: str) -> None:
    async def play() -> None:
        world = World(proxies=1)
        async with world.caller() as caller:
            caller.writer.write(HEAD % b"" + sent + b"\r\nbody")
            await until(lambda: bool(world.gate.waiting))
            assert [one for one, _ in world.gate.waiting] == [address]

    asyncio.run(play())


@pytest.mark.parametrize(
    "refused", [pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="refused"), pytest.param(b"", id="idle")]
)
def test_bytes_that_begin_no_request_keep_no_connection_open(refused: bytes) -> None:
    async def play() -> None:
        world = World()
        world.gate.open()
        async with world.caller() as caller:
            if refused:
                caller.writer.write(refused)
                assert b" 400 " in await caller.reader.readline()
            before = caller.at.deadline
            caller.at.data_received(b"\r\n")
            assert caller.at.deadline == before

    asyncio.run(play())
