"""Slow readers of long responses are cut off once too much waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

import pytest

from service.front import asgi_adapter
from service.front.asgi_adapter import (
    CHUNK_WRITER_EXTENSION,
    DISCONNECT_EXTENSION,
    PART_BYTES,
    AsgiAdapter,
)
from service.runtime.settings import Settings
from service.runtime.shares import held_bodies
from service.runtime.shares.held_bodies import HeldBodies
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

    async def read_slowly(writer: Writer, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body" and not writer.is_closed:
            await asyncio.sleep(PATIENCE_S)

    async def play() -> None:
        adapter = AsgiAdapter(application, Settings())

        def read(read_from: Callable[[Writer, Any], Awaitable[None]], **scope: object) -> Any:
            calls: list[Callable[[], None]] = []
            writer = Writer(calls)
            extensions = {CHUNK_WRITER_EXTENSION: writer, DISCONNECT_EXTENSION: calls}
            here = scope_of("GET", extensions) | scope
            return adapter(here, receiver(), partial(read_from, writer))

        slow = [asyncio.create_task(read(read_slowly)) for _ in range(20)]
        async with asyncio.timeout(PATIENCE_S / 2):
            while sum(one.done() for one in slow) < 15:
                await asyncio.sleep(0)
            await read(lambda _, message: send(message), client=(ADDRESS, 1))
        assert [one.done() for one in slow] == [True] * 16 + [False] * 4
        assert [one.exception() for one in slow[:16]] == [None] * 16, "none is an error"
        for one in slow:
            one.cancel()

    asyncio.run(play())


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
