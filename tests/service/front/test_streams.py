"""Streams as they come over the wire: to those who read, and to those who do not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from service.front import connection
from service.front.asgi_adapter import Gateway
from service.front.connection import Connection
from service.live.broadcast import Broadcast, Eyes, Listener, event
from service.runtime.event_loop import Rings, run
from service.runtime.settings import Settings
from tests.support.patience import PATIENCE_S

LARGE = b"x" * 200_000
MANY = 100
"""So much of that is more than any system keeps for whoever does not read."""
END = b"\r\n0\r\n\r\n"


class Told:
    """Some of the events, numbered from 1."""

    more = False

    def __init__(self, after: int, events: list[bytes]) -> None:
        self.last = len(events)
        self._after, self._events = after, events

    def frame(self, _: Eyes) -> bytes:
        numbered = enumerate(self._events[self._after :], self._after + 1)
        return b"".join(event(str(number), "entry", data) for number, data in numbered)


class Tale:
    """What is told to all who listen, and whether that was all."""

    def __init__(self) -> None:
        self.events: list[bytes] = []
        self.over = False
        self.broadcast = Broadcast(self)

    def tell(self, data: bytes, over: bool = False) -> None:
        self.events.append(data)
        self.over = over
        self.broadcast.ring()

    def watch(self, bell: Rings) -> None:
        """It rings by itself."""

    def unwatch(self, bell: Rings) -> None:
        """Likewise."""

    def now(self) -> Tale:
        return self

    def place(self, after: int) -> int:
        return after

    def read(self, after: int) -> Told | None:
        return Told(after, self.events) if after < len(self.events) else None

    def answer(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        """A stream after the place that the query names; or, at another path, what was told so far,
        sent as any server would send it.
        """
        start("200 OK", [("Content-Type", "text/event-stream")])
        if environ["PATH_INFO"] == "/all":
            return self._all()
        return Listener(self.broadcast, int(environ["QUERY_STRING"]), Eyes(None), _free, _free)

    def _all(self) -> Iterator[bytes]:
        yield b"retry: 2000\n\n"
        for number, data in enumerate(self.events, 1):
            yield event(str(number), "entry", data)


def _free() -> None:
    """Let anybody listen."""


Ask = Callable[[str], Awaitable[asyncio.StreamReader]]


@pytest.fixture(autouse=True)
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections be looked after, often, on each loop anew."""
    monkeypatch.setattr(Connection, "_looking", False)
    monkeypatch.setattr(connection, "LOOK_S", 0.02)


@asynccontextmanager
async def served(tale: Tale, **settings: Any) -> AsyncIterator[Ask]:
    """A server that tells a tale; what connects to it."""
    gateway = Gateway(tale.answer, Settings(**settings))
    config = Config(
        gateway, interface="asgi3", lifespan="off", proxy_headers=False, log_config=None
    )
    config.load()
    made = partial(Connection, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    writers = []

    async def ask(target: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        writer.write(b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % target.encode())
        return reader

    yield ask
    for writer in writers:
        writer.close()
    server.close()


async def heard(reader: asyncio.StreamReader) -> bytes:
    """What somebody reads until the end of the answer, without its head."""
    async with asyncio.timeout(PATIENCE_S):
        await reader.readuntil(b"\r\n\r\n")
        found = b""
        while part := await reader.read(1 << 20):
            found += part
            if found.endswith(END):
                break
    return found


async def listeners(tale: Tale, count: int) -> list[Listener[int]]:
    """Those who listen, once they are so many."""
    async with asyncio.timeout(PATIENCE_S):
        while len(tale.broadcast._listeners) != count:
            await asyncio.sleep(0.01)
    return [*tale.broadcast._listeners]


def numbers(stream: bytes) -> list[int]:
    """The numbers of the events that came whole."""
    events = stream.replace(b"\r\n", b"").split(b"\n\n")
    whole = [one for one in events if one.endswith(LARGE)]
    return [int(one.partition(b"\n")[0].rpartition(b"id: ")[2]) for one in whole]


def test_what_is_written_straight_is_what_the_server_would_write() -> None:
    async def both() -> tuple[bytes, bytes]:
        tale = Tale()
        async with served(tale) as ask:
            straight = asyncio.create_task(heard(await ask("/?0")))
            await listeners(tale, 1)
            for data in (b"1", b"{}", b"3"):
                await run(tale.tell, data)
            tale.over = True
            await run(tale.broadcast.ring)
            return await straight, await heard(await ask("/all"))

    straight, sent = asyncio.run(both())
    assert straight == sent


def test_a_stream_that_says_nothing_at_a_time_does_not_end() -> None:
    async def silent() -> bytes:
        tale = Tale()
        async with served(tale) as ask:
            listening = asyncio.create_task(heard(await ask("/?0")))
            [listener] = await listeners(tale, 1)
            listener.hear(b"")
            await run(tale.tell, b"2", True)
            return await listening

    assert b"data: 2\n" in asyncio.run(silent())


def test_who_does_not_read_is_cut_off_holds_up_nobody_and_can_go_on() -> None:
    """Given two who listen, one of whom reads nothing, when much is told, then the other one hears
    all of it, and the first only its beginning, but all else when they come back.
    """

    async def told() -> tuple[list[int], list[int], list[int]]:
        tale = Tale()
        async with served(tale, slow_seconds=2) as ask:
            slow, listening = await ask("/?0"), asyncio.create_task(heard(await ask("/?0")))
            await listeners(tale, 2)
            for _ in range(MANY):
                await run(tale.tell, LARGE)
                await asyncio.sleep(0)
            await listeners(tale, 1)
            await run(tale.tell, LARGE, True)
            first = numbers(await cut_off(slow))
            later = await heard(await ask(f"/?{first[-1] if first else 0}"))
            return numbers(await listening), first, numbers(later)

    quick, first, later = asyncio.run(told())
    assert quick == [*range(1, MANY + 2)]
    assert len(first) < MANY
    assert [*first, *later] == quick


async def cut_off(reader: asyncio.StreamReader) -> bytes:
    """What somebody reads who was cut off."""
    found = b""
    with suppress(ConnectionError):
        while part := await reader.read(1 << 20):
            found += part
    return found


def test_who_reads_late_but_in_time_hears_all() -> None:
    async def told() -> list[int]:
        tale = Tale()
        async with served(tale) as ask:
            reader = await ask("/?0")
            [listener] = await listeners(tale, 1)
            for _ in range(MANY):
                await run(tale.tell, LARGE)
            assert not listener.ready, "they have been passed over"
            await run(tale.tell, LARGE, True)
            found = b""
            while not found.endswith(END):
                found += await reader.read(1 << 20)
            return numbers(found)

    assert asyncio.run(told()) == [*range(1, MANY + 2)]
