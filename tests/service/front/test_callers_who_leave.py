"""A caller who leaves ends what was done only for them; commands go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from service.front.asgi_adapter import AsgiAdapter
from service.front.connection import Connection
from service.runtime.event_loop import pause
from service.runtime.settings import Settings
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
    config = Config(
        adapter, interface="asgi3", lifespan="off", proxy_headers=False, log_config=None
    )
    config.load()
    made = partial(Connection, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
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
