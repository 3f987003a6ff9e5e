"""A WSGI application on an event loop, as an ASGI server calls it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, MutableMapping
from functools import lru_cache
from io import BytesIO
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

from service.http.middleware import REFUSED
from service.live.broadcast import Listener
from service.runtime.event_loop import begin_turn, run
from service.runtime.settings import Settings

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes | Iterable[bytes]]
Quick = Callable[[Message, bytes], tuple[int, list[tuple[bytes, bytes]], bytes] | Exception | None]
OUTLET = "annals.outlet"
NAME_LIMIT = 100
"""Bytes; headers with longer names are nobody's."""
ALWAYS: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": True,
    "wsgi.multithread": False,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}


class Outlet(Protocol):
    """Where the parts of an answer are written to that has no known length: a server has one for
    each request, its extension `OUTLET` (ASGI, HTTP connection scope).
    """

    def write_part(self, part: bytes) -> bool:
        """Write this; whether there is room for more."""
        ...

    async def has_room(self) -> None:
        """Return once there is room, or nobody to read."""
        ...


class Sink:
    """Writes what a listener hears straight to their connection, as long as there is room."""

    __slots__ = ("_listener", "_outlet", "_sending", "_task", "ended")

    def __init__(self, listener: Listener[Any], outlet: Outlet, task: asyncio.Task[Any]) -> None:
        self._listener, self._outlet, self._task = listener, outlet, task
        self._sending: asyncio.Task[None] | None = None
        self.ended = False

    def __call__(self, part: bytes | None) -> None:
        """Write this; after None, end."""
        if part is None:
            self.ended = True
            self._task.cancel()
        elif not self._outlet.write_part(part):
            self._listener.ready = False
            self._sending = asyncio.create_task(self._when_there_is_room())

    async def emptied(self) -> None:
        """Wait until there is room again, or nobody to read."""
        if self._sending:
            await self._sending

    async def _when_there_is_room(self) -> None:
        await self._outlet.has_room()
        self._listener.ready = True
        await run(self._listener.catch_up)


class Gateway:
    """Answers each request in a turn of its own, once the whole of it is there."""

    def __init__(
        self,
        app: Wsgi,
        settings: Settings,
        held: Callable[[float], object] | None = None,
        stop: Callable[[], None] = lambda: None,
        quick: Quick = lambda head, body: None,
    ) -> None:
        """`held` is told how many seconds each piece of work kept the loop from all others; `stop`
        lets streams end, since the process is about to. What `quick` answers does not get to the
        application, nor does the application do again what `quick` was refused.
        """
        self._app = app
        self._held = held
        self._quick = quick
        self.settings = settings
        self._stop: Callable[[], None] | None = stop

    def end_streams(self) -> None:
        """Let all streams end, however often one says so."""
        stop, self._stop = self._stop, None
        if stop:
            begin_turn(stop)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Read, answer."""
        body = await self._body(scope, receive)
        if body is None:
            return  # the caller has gone
        status, headers, content = await run(self._answer, scope, body, held=self._held)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if isinstance(content, Listener):
            await self._listen(content, receive, scope["extensions"][OUTLET])
            content = b""
        elif not isinstance(content, bytes):
            await self._stream(iter(content), receive, send)
            content = b""
        await send({"type": "http.response.body", "body": content})

    async def _body(self, scope: Message, receive: Receive) -> bytes | None:
        """The body, or the beginning of one that is too long; None if it never came."""
        limit, body, more = self.settings.body_limit, bytearray(), True
        if any(name == b"content-length" and int(size) > limit for name, size in scope["headers"]):
            return b""
        while more and len(body) <= limit:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message["body"]
            more = message["more_body"]
        return bytes(body)

    def _answer(self, scope: Message, body: bytes) -> Answer:
        """Status, headers and body; the parts of the body if its length is not known."""
        found = self._quick(scope, body)
        if isinstance(found, tuple):
            return found
        asked = environ(scope, body)
        if found is not None:
            asked[REFUSED] = found
        return self._answer_of_app(asked)

    def _answer_of_app(self, environ: dict[str, Any]) -> Answer:
        began: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            began.append((status, headers))

        parts = self._app(environ, start)
        # A listener is told, which takes much less than asking it again and again.
        [(status, given)] = began
        code = int(status[:3])
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in given]
        if code not in (204, 304) and not any(name == b"content-length" for name, _ in headers):
            return code, headers, parts
        return code, headers, _whole(parts)

    async def _listen(self, listener: Listener[Any], receive: Receive, outlet: Outlet) -> None:
        """Let somebody listen until it ends or they go."""
        task = asyncio.current_task()
        assert task
        listener.hear = sink = Sink(listener, outlet, task)
        try:
            await run(listener.broadcast.join, listener)
            await _until_gone(receive)
        except asyncio.CancelledError:
            if not sink.ended:
                raise
        finally:
            listener.close()
            await sink.emptied()

    async def _stream(self, parts: Iterator[bytes], receive: Receive, send: Send) -> None:
        """Send what comes, until it ends or the caller goes."""
        gone = asyncio.create_task(_end_with_caller(asyncio.current_task(), receive))
        try:
            while (part := await run(_next, parts, held=self._held)) is not None:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except asyncio.CancelledError:
            if not gone.done():
                raise
        finally:
            gone.cancel()
            _close(parts)


def environ(scope: Message, body: bytes) -> dict[str, Any]:
    """A request as WSGI describes it."""
    host, port = scope["server"] or ("", None)
    client = scope["client"] or ("", None)
    found = {
        **ALWAYS,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "RAW_URI": scope["raw_path"].decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or ""),
        "REMOTE_ADDR": client[0],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
    }
    given: set[str] = set()
    for raw, value in scope["headers"]:
        if len(raw) <= NAME_LIMIT and (name := _name(raw)):
            text = value.decode("latin-1")
            found[name] = f"{found[name]},{text}" if name in given else text
            given.add(name)
    return found


@lru_cache(1_000)
def _name(header: bytes) -> str:
    """What WSGI calls a header; nothing if another header could be taken for it."""
    name = header.decode("latin-1").upper()
    if "_" in name:
        return ""
    name = name.replace("-", "_")
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"


def _whole(parts: Iterable[bytes]) -> bytes:
    try:
        return b"".join(parts)
    finally:
        _close(parts)


def _next(parts: Iterator[bytes]) -> bytes | None:
    return next(parts, None)


def _close(parts: Iterable[bytes]) -> None:
    if close := getattr(parts, "close", None):
        close()


async def _end_with_caller(task: asyncio.Task[Any] | None, receive: Receive) -> None:
    assert task
    await _until_gone(receive)
    task.cancel()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
