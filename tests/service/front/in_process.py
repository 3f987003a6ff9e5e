"""The web server's connections in the process of a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
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
