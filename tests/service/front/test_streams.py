"""Streams over the wire: to clients that read, and to clients that do not."""

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
from service.front.asgi_adapter import AsgiAdapter
from service.front.connection import Connection
from service.live import broadcast
from service.live.broadcast import RETRY, Broadcast, Subscriber, Viewer, sse_event
from service.runtime.event_loop import Wakeable, run
from service.runtime.settings import Settings
from service.runtime.shares.pace import BURST_S, MINUTE_S, Pace
from tests.service.front.twins import request
from tests.support.patience import PATIENCE_S

LARGE = b"x" * 200_000
ITEMS_BEYOND_BUFFERS = 100
"""Number of items that exceeds what any system buffers for a client that does not read."""
END = b"\r\n0\r\n\r\n"


class Events:
    """The events after a cursor, numbered from 1."""

    more = False

    def __init__(self, after: int, events: list[bytes]) -> None:
        self.cursor = len(events)
        self._after, self._events = after, events

    def frame(self, _: Viewer) -> bytes:
        numbered = enumerate(self._events[self._after :], self._after + 1)
        return b"".join(sse_event(str(number), "entry", data) for number, data in numbered)


class Source:
    """A topic with the events that a test adds."""

    def __init__(self) -> None:
        self.events: list[bytes] = []
        self.is_over = False
        self.broadcast = Broadcast(self)

    def add(self, data: bytes, over: bool = False) -> None:
        self.events.append(data)
        self.is_over = over
        self.broadcast.wake()

    def watch(self, wakeup: Wakeable) -> None:
        """`add` wakes the broadcast."""

    def unwatch(self, wakeup: Wakeable) -> None:
        """Nothing to stop."""

    def current(self) -> Source:
        return self

    def cursor(self, after: int) -> int:
        return after

    def read(self, after: int) -> Events | None:
        return Events(after, self.events) if after < len(self.events) else None

    def answer(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        """A stream after the cursor of the query; at `/all`, the events so far as an iterator."""
        start("200 OK", [("Content-Type", "text/event-stream")])
        if environ["PATH_INFO"] == "/all":
            return self._all()
        return Subscriber(
            self.broadcast, int(environ["QUERY_STRING"]), Viewer(None), _allow, _allow
        )

    def _all(self) -> Iterator[bytes]:
        yield RETRY + broadcast.heartbeat()
        for number, data in enumerate(self.events, 1):
            yield sse_event(str(number), "entry", data)


def _allow() -> None:
    """Authorize every caller."""


Ask = Callable[[str], Awaitable[asyncio.StreamReader]]


@pytest.fixture(autouse=True)
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check connections often, on each new loop."""
    monkeypatch.setattr(Connection, "_checking", False)
    monkeypatch.setattr(connection, "CHECK_INTERVAL_S", 0.02)


@asynccontextmanager
async def serve(source: Source, **settings: Any) -> AsyncIterator[Ask]:
    """A server that publishes a source; yields a function that connects to it."""
    adapter = AsgiAdapter(source.answer, Settings(**settings))
    config = Config(
        adapter, interface="asgi3", lifespan="off", proxy_headers=False, log_config=None
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


async def read_body(reader: asyncio.StreamReader) -> bytes:
    """What a client reads until the end of the answer, without the head."""
    async with asyncio.timeout(PATIENCE_S):
        await reader.readuntil(b"\r\n\r\n")
        found = b""
        while part := await reader.read(1 << 20):
            found += part
            if found.endswith(END):
                break
    return found


async def listeners(source: Source, count: int) -> list[Subscriber[int]]:
    """The subscribers, once there are `count` of them."""
    async with asyncio.timeout(PATIENCE_S):
        while len(source.broadcast._subscribers) != count:
            await asyncio.sleep(0.01)
    return [*source.broadcast._subscribers]


def numbers(stream: bytes) -> list[int]:
    """The numbers of the events that arrived completely."""
    events = stream.replace(b"\r\n", b"").split(b"\n\n")
    whole = [one for one in events if one.endswith(LARGE)]
    return [int(one.partition(b"\n")[0].rpartition(b"id: ")[2]) for one in whole]


def test_a_direct_write_has_the_bytes_that_the_server_would_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broadcast, "wall_clock", lambda: 0)

    async def both() -> tuple[bytes, bytes]:
        source = Source()
        async with serve(source) as ask:
            straight = asyncio.create_task(read_body(await ask("/?0")))
            await listeners(source, 1)
            for data in (b"1", b"{}", b"3"):
                await run(source.add, data)
            source.is_over = True
            await run(source.broadcast.wake)
            return await straight, await read_body(await ask("/all"))

    straight, sent = asyncio.run(both())
    assert straight == sent


def test_a_stream_that_says_nothing_at_a_time_does_not_end() -> None:
    async def silent() -> bytes:
        source = Source()
        async with serve(source) as ask:
            listening = asyncio.create_task(read_body(await ask("/?0")))
            [listener] = await listeners(source, 1)
            listener.send(b"")
            await run(source.add, b"2", True)
            return await listening

    assert b"data: 2\n" in asyncio.run(silent())


def test_a_client_that_does_not_read_is_cut_off_delays_no_other_and_can_resume() -> None:
    """Given two subscribers, one of whom reads nothing, when much is published, then the other
    receives all of it; the first receives only the start, and the rest when it reconnects.
    """

    async def receive() -> tuple[list[int], list[int], list[int]]:
        source = Source()
        async with serve(source, slow_seconds=2) as ask:
            slow, listening = await ask("/?0"), asyncio.create_task(read_body(await ask("/?0")))
            await listeners(source, 2)
            for _ in range(ITEMS_BEYOND_BUFFERS):
                await run(source.add, LARGE)
                await asyncio.sleep(0)
            await listeners(source, 1)
            await run(source.add, LARGE, True)
            first = numbers(await cut_off(slow))
            later = await read_body(await ask(f"/?{first[-1] if first else 0}"))
            return numbers(await listening), first, numbers(later)

    quick, first, later = asyncio.run(receive())
    assert quick == [*range(1, ITEMS_BEYOND_BUFFERS + 2)]
    assert len(first) < ITEMS_BEYOND_BUFFERS
    assert [*first, *later] == quick


async def cut_off(reader: asyncio.StreamReader) -> bytes:
    """What a client reads whose connection is closed."""
    found = b""
    with suppress(ConnectionError):
        while part := await reader.read(1 << 20):
            found += part
    return found


def test_a_client_that_reads_late_but_in_time_receives_all() -> None:
    async def receive() -> list[int]:
        source = Source()
        async with serve(source) as ask:
            reader = await ask("/?0")
            [listener] = await listeners(source, 1)
            for _ in range(ITEMS_BEYOND_BUFFERS):
                await run(source.add, LARGE)
            assert not listener.ready, "they have been passed over"
            await run(source.add, LARGE, True)
            found = b""
            while not found.endswith(END):
                found += await reader.read(1 << 20)
            return numbers(found)

    assert asyncio.run(receive()) == [*range(1, ITEMS_BEYOND_BUFFERS + 2)]


class LongAnswer:
    """An answer in two parts, each of which costs more than an address may use at once."""

    def __init__(self) -> None:
        self.now, self.sent = 0.0, b""
        self.pace = Pace(MINUTE_S, lambda: self.now)
        self.has_begun = False

    def __call__(self, _: dict[str, Any], start: Callable[..., object]) -> Iterator[bytes]:
        start("200 OK", [("Content-Type", "application/x-ndjson")])
        return self._parts()

    def _parts(self) -> Iterator[bytes]:
        for part in (b"1", b"2"):
            yield part
            self.pace.charge("192.0.2.1", 2 * BURST_S)

    async def receive(self) -> dict[str, Any]:
        if self.has_begun:
            await asyncio.Future()  # the caller stays
        self.has_begun = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent += message.get("body", b"")


def test_each_part_of_a_long_answer_waits_like_a_request() -> None:
    async def play() -> None:
        answer, (head, _) = LongAnswer(), request("GET", "/", None, {})
        adapter = AsgiAdapter(answer, Settings(), pace=answer.pace)
        call = adapter(head | {"client": ("192.0.2.1", 1)}, answer.receive, answer.send)
        answering = asyncio.create_task(call)
        while not (answer.pace.waiting("192.0.2.1") or answering.done()):
            await asyncio.sleep(0)
        assert (answer.sent, answering.done()) == (b"12", False)
        answer.now += MINUTE_S
        await answering

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))
