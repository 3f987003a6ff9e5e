"""The baseline: moves with only the rules, the append script and a synced append.

It has one event loop and one connection to Redis, and does not check who sends a move.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from os import environ
from secrets import token_bytes
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import hiredis
import msgspec
from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from bench.load.matches import PLAYER
from domain.engine.codecs.json_codec import read_move
from domain.games import GAMES
from domain.match import visibility
from domain.match.decisions import playing
from domain.match.log import Draft, Entry, apply_events, fold_match, make_entry
from domain.match.state import Match
from service.matches import queries
from service.matches.container import wall_clock
from service.runtime.settings import read_settings
from service.store.entry_codec import encode_entry
from service.store.event_store import APPEND_SHA, EventStore
from service.store.redis_client import connect
from workers.host.die_with_parent import die_with_parent

Message = MutableMapping[str, Any]
ENCODER = msgspec.json.Encoder()


class RedisConnection(asyncio.Protocol):
    """A connection to Redis; all commands of one turn of the loop go out in one write."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._out: list[bytes] = []
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._reader = hiredis.Reader()
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        """Resolve the futures of the replies."""
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            self._waiting.popleft().set_result(reply)

    def send(self, *command: bytes | str) -> asyncio.Future[Any]:
        """A future with the reply to a command."""
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(hiredis.pack_command(command))  # type: ignore[arg-type]  # any number of them
        self._waiting.append(self._loop.create_future())
        return self._waiting[-1]

    def _flush(self) -> None:
        self._transport.write(b"".join(self._out))
        self._out.clear()


class Baseline:
    """An ASGI application with only `POST /v1/matches/{match}/moves`."""

    def __init__(self, url: str) -> None:
        self._path = unquote(urlsplit(url).path)
        self._store = EventStore(connect(url))
        self._matches: dict[str, Match] = {}
        self._connection: asyncio.Future[RedisConnection] | None = None

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[..., Any]
    ) -> None:
        """Handle a request."""
        message = await receive()
        if scope["method"] != "POST":
            content = b""  # a check whether the server is up
        else:
            content = await self._move(scope["path"].split("/")[3], message["body"])
        head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))]
        await send({"type": "http.response.start", "status": 201, "headers": head})
        await send({"type": "http.response.body", "body": content})

    async def _move(self, match_id: str, body: bytes) -> bytes:
        """Make a move and return the response."""
        match = self._matches.get(match_id) or fold_match(GAMES, self._store.read(match_id))
        now, data = wall_clock(), msgspec.json.decode(body)["move"]
        draft = playing.move(match, read_move(match.game, match.seats_to_move[0], data), now)
        record = make_entry(draft, match.version + 1, PLAYER, now, match.rules, token_bytes(8))
        after = match.copy()
        apply_events(after, record, draft.events)
        await self._append(match_id, record)
        self._matches[match_id] = after
        return _response(after, draft)

    async def _append(self, match_id: str, record: Entry) -> None:
        """Append an entry without due work."""
        tag = f"{{p{self._store.partition_of(match_id)}}}"
        pipe, row = await self._connection_now(), encode_entry(match_id, record)
        keys = (f"{tag}:match:{match_id}", f"{tag}:feed")
        values = (str(record.version), match_id, row, "", self._store.work_channel)
        outcome = await pipe.send("EVALSHA", APPEND_SHA, str(len(keys)), *keys, *values)
        if isinstance(outcome, Exception) or outcome[0] != b"appended":
            raise RuntimeError(outcome)

    async def _connection_now(self) -> RedisConnection:
        if self._connection is None:
            self._connection = asyncio.ensure_future(_connect(self._path))
        return await self._connection


async def _connect(path: str) -> RedisConnection:
    _, pipe = await asyncio.get_running_loop().create_unix_connection(RedisConnection, path)
    return pipe


def _response(match: Match, draft: Draft) -> bytes:
    events = queries.visible_events(
        match, draft.events, visibility.default_viewer_seat(match, PLAYER)
    )
    return ENCODER.encode(
        {
            "version": match.version,
            "status": match.status,
            "events": events,
            "awaiting": queries.awaiting(match),
        }
    )


def load() -> Baseline:
    """The application of one process."""
    if server := multiprocessing.parent_process():
        die_with_parent(server.pid or 0)
    return Baseline(read_settings(environ).events_url)


def main() -> None:
    """Serve in as many processes as the service would."""
    settings = read_settings(environ)
    config = Config(
        "bench.compare.baseline:load", factory=True,
        port=settings.port, workers=settings.web_processes,
        loop="asyncio", http="httptools", ws="none", lifespan="off", interface="asgi3",
        access_log=False, log_level="error",
    )  # fmt: skip
    listening = config.bind_socket()
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # connections inherit it
    Multiprocess(config, [listening]).run()


if __name__ == "__main__":
    main()
