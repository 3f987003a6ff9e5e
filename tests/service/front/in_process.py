"""The web server's connections in the process of a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from uvicorn import Config
from uvicorn.server import ServerState

from service.front.asgi_adapter import AsgiAdapter
from service.front.connection import Connection


@asynccontextmanager
async def served(adapter: AsgiAdapter) -> AsyncIterator[tuple[int, ServerState]]:
    """The port of a server of this application, and the state of the server."""
    state = ServerState()
    config = Config(
        adapter, interface="asgi3", lifespan="off", proxy_headers=False, log_config=None
    )
    config.load()
    made = partial(Connection, config=config, server_state=state, app_state={})
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], state


class Writer:
    """The connection of a caller who takes all of a stream; if it is closed, it calls these."""

    def __init__(self, on_disconnect: Sequence[Callable[[], None]] = ()) -> None:
        self._on_disconnect = on_disconnect
        self.is_closed = False

    def write_chunk(self, part: bytes) -> bool:
        return True

    async def wait_for_room(self) -> None:
        """There is always room."""

    def abort(self) -> None:
        self.is_closed = True
        for call in [*self._on_disconnect]:
            call()
