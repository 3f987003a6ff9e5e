"""A caller who leaves ends what was done only for them; commands go on."""

from __future__ import annotations

import asyncio
import re
from asyncio import Queue, Task
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import service
from service.front import asgi_adapter
from service.front.asgi_adapter import (
    CHUNK_WRITER_EXTENSION,
    DISCONNECT_EXTENSION,
    PART_BYTES,
    AsgiAdapter,
)
from service.front.departures import MAX_ENDED_AT_ONCE, Departures
from service.runtime.event_loop import pause, run
from service.runtime.settings import Settings
from service.runtime.shares.pace import MAX_WAIT_S, MINUTE_S, Pace
from service.runtime.shares.step_queue import StepQueue
from tests.service.front.in_process import Writer, served
from tests.support.patience import PATIENCE_S


class Work:
    """An application that works until it is told to stop."""

    def __init__(self) -> None:
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.go_on = True
        self.cancelled = False

    def __call__(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        self.begun.set()
        try:
            while self.go_on:
                pause(0)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        finally:
            self.ended.set()
        start("200 OK", [("Content-Length", "0")])
        return ()


async def leave(method: str, work: Work) -> None:
    """Send a request, and disconnect while the application works."""
    adapter = AsgiAdapter(work, Settings())
    async with served(adapter) as (port, _):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{method} / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n".encode())
        async with asyncio.timeout(PATIENCE_S):
            await work.begun.wait()
            writer.close()
            if method == "POST":
                await asyncio.sleep(0.01)  # enough to be cancelled, if commands were
                work.go_on = False
            await work.ended.wait()


@pytest.mark.parametrize(
    ("method", "is_cancelled"), [("GET", True), ("HEAD", True), ("POST", False)]
)
def test_what_only_reads_is_cancelled(method: str, is_cancelled: bool) -> None:
    async def play() -> bool:
        work = Work()
        await leave(method, work)
        return work.cancelled

    assert asyncio.run(play()) == is_cancelled


def test_few_requests_of_a_crowd_that_leaves_together_end_in_one_pass() -> None:
    """Given many callers, when all leave at once, then others have a turn between their ends."""
    ended: list[int] = []
    passes = 0

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        try:
            while True:
                pause(1)
        finally:
            ended.append(passes)

    async def play() -> None:
        nonlocal passes
        adapter = AsgiAdapter(application, Settings(), StepQueue(clock=lambda: 0.0))
        leaving: list[list[Callable[[], None]]] = [[] for _ in range(CROWD)]
        tasks = [
            asyncio.create_task(
                adapter(scope_of("GET", {DISCONNECT_EXTENSION: one}), receiver(), send)
            )
            for one in leaving
        ]
        while not all(leaving):
            await asyncio.sleep(0)
        for one in leaving:
            adapter.departures.add(one)
        while len(ended) < CROWD:
            await asyncio.sleep(0)
            passes += 1
        await asyncio.gather(*tasks)

    asyncio.run(play())
    assert max(Counter(ended).values()) <= MAX_ENDED_AT_ONCE


def test_few_connections_of_a_crowd_that_leaves_together_close_in_one_pass() -> None:
    async def play() -> None:
        async with served(AsgiAdapter(answer, Settings())) as (port, state):
            callers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CROWD)]
            while len(state.connections) < CROWD:
                await asyncio.sleep(0.001)
            for _, writer in callers:
                writer.close()
            counts = [CROWD]
            while state.connections:
                await asyncio.sleep(0)
                counts.append(len(state.connections))
        assert max(before - after for before, after in pairwise(counts)) <= MAX_ENDED_AT_ONCE

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))


def test_a_request_that_has_stayed_does_not_end() -> None:
    ended: list[str] = []

    async def play() -> None:
        departures, calls = Departures(), [lambda: ended.append("left"), lambda: ended.append("no")]
        departures.add(calls)
        calls.pop()
        for _ in range(2):
            await asyncio.sleep(0)

    asyncio.run(play())
    assert ended == ["left"]


def test_an_error_in_one_end_keeps_no_other() -> None:
    ended: list[int] = []

    def fail() -> None:
        raise OSError

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        departures = Departures()
        departures.add([fail, *(partial(ended.append, number) for number in range(CROWD))])
        for _ in range(CROWD):
            await asyncio.sleep(0)

    asyncio.run(play())
    assert ended == [*range(CROWD)]


ADDRESS = "192.0.2.1"
CROWD = 5 * MAX_ENDED_AT_ONCE
Leaving = list[Callable[[], None]]


def waiting_request(method: str, path: str, pace: Pace, leaving: Leaving) -> Task[None]:
    """A request of an address that has used more than its rate."""
    pace.charge(ADDRESS, MINUTE_S)
    scope = scope_of(method, {DISCONNECT_EXTENSION: leaving}) | {"raw_path": path.encode()}
    scope["client"] = (ADDRESS, 1)
    return asyncio.create_task(AsgiAdapter(answer, Settings(), pace=pace)(scope, receiver(), send))


def answer(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
    """An application that answers at once."""
    start("200 OK", [("Content-Length", "0")])
    return ()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_that_waits_for_the_pace_ends_with_its_connection(method: str) -> None:
    async def play() -> None:
        pace, leaving = Pace(MINUTE_S, lambda: 0.0), Leaving()
        task = waiting_request(method, "/", pace, leaving)
        while not pace.waiting(ADDRESS):
            await asyncio.sleep(0)
        [leave] = leaving
        leave()
        await asyncio.wait_for(task, MAX_WAIT_S / 2)
        assert not pace.waiting(ADDRESS)
        assert leaving == []

    asyncio.run(play())


@pytest.mark.parametrize("path", ["/healthz", "/v1/discord/interactions"])
def test_what_watches_over_the_service_waits_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(asgi_adapter, "MAX_CHECK_WAIT_S", 0.01)

    async def play() -> None:
        pace = Pace(MINUTE_S, lambda: 0.0)
        task = waiting_request("GET", path, pace, [])
        while not (pace.waiting(ADDRESS) or task.done()):
            await asyncio.sleep(0)
        assert not task.done(), "it costs as much as others"
        await asyncio.wait_for(task, MAX_WAIT_S / 2)

    asyncio.run(play())


class Parts:
    """A body that must be closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def __iter__(self) -> Parts:
        return self

    def __next__(self) -> bytes:
        raise StopIteration

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("turns", range(8))
def test_what_was_made_for_a_caller_who_left_is_closed(turns: int) -> None:
    """Whenever they leave, with others who keep the process busy."""
    made: list[Parts] = []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        pause(0)
        start("200 OK", [])
        made.append(Parts())
        return made[0]

    async def play() -> None:
        steps = StepQueue(clock=lambda: 0.0)
        crowd = [
            asyncio.create_task(run(lambda: [pause(0) for _ in range(9)], share=share))
            for share in (steps.share_of("crowd"), steps.share_of("others"))
        ]
        leaving: list[Callable[[], None]] = []
        scope = scope_of("GET", {DISCONNECT_EXTENSION: leaving})
        task = asyncio.create_task(
            AsgiAdapter(application, Settings(), steps)(scope, receiver(), send)
        )
        for _ in range(turns):
            await asyncio.sleep(0)
        for leave in leaving:
            leave()
        await asyncio.gather(task, *crowd, return_exceptions=True)

    asyncio.run(play())
    assert [one.is_closed for one in made] == [True] * len(made)


@pytest.mark.parametrize("turns", range(1, 9))
@pytest.mark.parametrize("length", [[("Content-Length", f"{8 * PART_BYTES}")], []], ids=len)
def test_a_shutdown_ends_a_long_response_and_loses_nothing_of_others(
    length: list[tuple[str, str]], turns: int
) -> None:
    """While its next part waits in the queue behind others, whether its length is known or not."""
    body = WrittenParts()
    sent: list[int] = []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        start("200 OK", length)
        return [b"".join(body)] if length else body

    async def record(message: dict[str, Any]) -> None:
        sent.append(len(message.get("body", b"")))

    async def play() -> None:
        steps = StepQueue(clock=lambda: 0.0)  # no step is long, however slow the machine
        crowd = [
            asyncio.create_task(run(lambda: [pause(0) for _ in range(20)], share=share))
            for share in (steps.share_of("crowd"), steps.share_of("others"))
        ]
        adapter = AsgiAdapter(application, Settings(), steps)
        scope = scope_of("GET", {CHUNK_WRITER_EXTENSION: Writer()})
        task = asyncio.create_task(adapter(scope, receiver(), record))
        while len(sent) < turns:
            await asyncio.sleep(0)
        task.cancel()
        before = len(sent)
        ended = await asyncio.gather(task, return_exceptions=True)
        assert [type(one) for one in ended] == [asyncio.CancelledError]
        assert len(sent) == before, "nothing more of it is sent"
        assert body.is_closed or length
        assert [len(done) for done in await asyncio.gather(*crowd)] == [20, 20]

    asyncio.run(play())


class WrittenParts(Parts):
    """A body of eight parts."""

    def __init__(self) -> None:
        super().__init__()
        self._left = 8

    def __next__(self) -> bytes:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return bytes(PART_BYTES)


def test_only_turns_wait_for_a_step() -> None:
    """They find out that they were cancelled while it waited; an `await` of its own would not."""
    root = Path(service.__file__).parent
    callers = {
        path.name
        for path in root.rglob("*.py")
        if re.search(r"await .*\.run_step\(", path.read_text())
    }
    assert callers == set()


def scope_of(method: str, extensions: dict[str, Any]) -> dict[str, Any]:
    """The scope of a request."""
    return {
        "type": "http", "method": method, "path": "/", "raw_path": b"/", "query_string": b"",
        "headers": [], "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1), "extensions": extensions,
    }  # fmt: skip


def receiver() -> Callable[[], Awaitable[dict[str, Any]]]:
    """Receives a request without a body, and nothing after it."""
    messages: Queue[dict[str, Any]] = Queue()
    messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
    return messages.get


async def send(message: dict[str, Any]) -> None:
    """Whether anybody receives it makes no difference to an application."""
