"""Slow readers of long responses are cut off once too much waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

from service.front import asgi_adapter
from service.front.asgi_adapter import (
    CHUNK_WRITER_EXTENSION,
    DISCONNECT_EXTENSION,
    PART_BYTES,
    AsgiAdapter,
    Message,
)
from service.runtime.settings import Settings
from service.runtime.shares import held_bodies
from service.runtime.shares.held_bodies import HeldBodies
from service.runtime.shares.pace import BURST_S, Pace
from service.runtime.shares.step_queue import StepQueue
from tests.service.front.in_process import Writer, served
from tests.service.front.test_callers_who_leave import ADDRESS, receiver, scope_of, send
from tests.support.patience import PATIENCE_S


def test_slow_readers_of_long_responses_are_cut_off_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(held_bodies, "PATIENCE_S", 0.0)
    monkeypatch.setattr(asgi_adapter, "HeldBodies", partial(HeldBodies, 10 * PART_BYTES))
    body = bytes(2 * PART_BYTES)

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        start("200 OK", [("Content-Length", f"{len(body)}")])
        return [body]

    class SlowWriter(Writer):
        """The connection of a caller who takes the first part and then nothing."""

        async def wait_for_room(self) -> None:
            await asyncio.sleep(PATIENCE_S)

    async def play() -> None:
        adapter = AsgiAdapter(application, Settings())

        def read(made: type[Writer], **scope: object) -> Any:
            calls: list[Callable[[], None]] = []
            extensions = {CHUNK_WRITER_EXTENSION: made(calls), DISCONNECT_EXTENSION: calls}
            here = scope_of("GET", extensions) | scope
            return adapter(here, receiver(), send)

        slow = [asyncio.create_task(read(SlowWriter)) for _ in range(20)]
        async with asyncio.timeout(PATIENCE_S / 2):
            while sum(one.done() for one in slow) < 15:
                await asyncio.sleep(0)
            await read(Writer, client=(ADDRESS, 1))
        assert [one.done() for one in slow] == [True] * 16 + [False] * 4
        assert [one.exception() for one in slow[:16]] == [None] * 16, "none is an error"
        for one in slow:
            one.cancel()

    asyncio.run(play())


def test_writing_each_part_of_a_long_body_costs_its_address_and_waits_for_its_pace() -> None:
    """The system copies parts also for readers who take nothing."""
    body, now, costs = bytes(5 * PART_BYTES), 0.0, list[float]()
    pace = Pace(12, clock=lambda: now)
    written: list[int] = []

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        start("200 OK", [("Content-Length", f"{len(body)}")])
        return [body]

    def charge(address: str, seconds: float) -> None:
        assert address == ADDRESS
        costs.append(seconds)
        pace.charge(address, seconds)

    async def copy(message: Message) -> None:
        nonlocal now
        if message.get("more_body"):
            now += BURST_S
        written.append(len(message.get("body", b"")))

    async def play() -> None:
        nonlocal now
        adapter = AsgiAdapter(application, Settings(), StepQueue(charge, clock=lambda: now), pace)
        extensions = {CHUNK_WRITER_EXTENSION: Writer(), DISCONNECT_EXTENSION: []}
        scope = scope_of("GET", extensions) | {"client": (ADDRESS, 1)}
        call = asyncio.create_task(adapter(scope, receiver(), copy))
        while not pace.waiting(ADDRESS):
            await asyncio.sleep(0)
        assert written == [0, PART_BYTES, PART_BYTES], "the next one waits for the pace"
        now += 60
        await call
        assert sum(written) == len(body)
        assert sum(costs) == pytest.approx(4 * BURST_S)

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))


def test_a_slow_reader_who_is_cut_off_is_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Operators see each error of a response among their errors."""
    body = bytes(16_000_000)  # more than sockets take
    monkeypatch.setattr(held_bodies, "PATIENCE_S", 0.0)
    monkeypatch.setattr(asgi_adapter, "HeldBodies", partial(HeldBodies, 3 * len(body)))

    def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        start("200 OK", [("Content-Length", f"{len(body)}")])
        return [body]

    async def play() -> None:
        async with served(AsgiAdapter(application, Settings())) as (port, state):
            callers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(6)]
            for _, writer in callers:
                writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            while len(state.connections) != 3:
                await asyncio.sleep(0.001)
            for _, writer in callers:
                writer.close()
            while state.connections:
                await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))
    assert [one.message for one in caplog.records if one.levelname == "ERROR"] == []
