"""Runs a WSGI application on an event loop, as an ASGI server calls it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    MutableMapping,
)
from contextlib import suppress
from functools import lru_cache, partial
from io import BytesIO
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

import structlog

from service.front.arrivals import Arrivals
from service.front.client_address import client_address
from service.front.departures import CallerLeft, Departures, EndOnDisconnect
from service.http.middleware import (
    NEVER_REFUSED_PATHS,
    NOT_ADMITTED_KEY,
    READ_METHODS,
    REFUSAL_KEY,
)
from service.http.rate_limit import network_of
from service.live.broadcast import Subscriber
from service.runtime.event_loop import Share, run, start_turn
from service.runtime.settings import Settings
from service.runtime.shares.held_bodies import HeldBodies
from service.runtime.shares.pace import MAX_WAIT_S, Pace, Place
from service.runtime.shares.step_queue import AddressShare, StepQueue

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
RawResponse = tuple[int, list[tuple[bytes, bytes]], bytes | Iterable[bytes]]
NextPart = Callable[[Iterator[bytes]], Awaitable[bytes | None]]
FastResponse = tuple[int, list[tuple[bytes, bytes]], bytes]
FastPathHandler = Callable[[Message, bytes, str], FastResponse | Exception | None]
"""Answers a request, given its body and the address that it counts for."""
CHUNK_WRITER_EXTENSION = "annals.chunk_writer"
DISCONNECT_EXTENSION = "annals.on_disconnect"
"""A list of functions that the server calls when the caller disconnects."""
MAX_HEADER_NAME_BYTES = 100
"""Headers with longer names are ignored."""
PART_BYTES = 65_536
"""The most of a body that is written at once."""
MAX_CHECK_WAIT_S = 0.5
"""How long a request waits that is never refused: shorter than the patience of those who watch."""
WSGI_DEFAULTS: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": True,
    "wsgi.multithread": False,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}


log = structlog.get_logger("annals.web")


class ChunkWriter(Protocol):
    """Receives the parts of a response of unknown length. A server has one for each request, in its
    extension `CHUNK_WRITER_EXTENSION` (ASGI, HTTP connection scope).
    """

    def write_chunk(self, part: bytes) -> bool:
        """Write this part; return whether the buffer takes more."""
        ...

    async def wait_for_room(self) -> None:
        """Return once the buffer takes more, or the connection has closed."""
        ...

    def abort(self) -> None:
        """Close the connection at once, with whatever its reader has not taken."""
        ...


class EventSink:
    """Writes events straight to a subscriber's connection, as long as its buffer takes them."""

    __slots__ = ("_sending", "_subscriber", "_task", "_writer", "ended")

    def __init__(
        self, subscriber: Subscriber[Any], writer: ChunkWriter, task: asyncio.Task[Any]
    ) -> None:
        self._subscriber, self._writer, self._task = subscriber, writer, task
        self._sending: asyncio.Task[None] | None = None
        self.ended = False

    def __call__(self, part: bytes | None) -> None:
        """Write this event; None ends the response."""
        if part is None:
            self.ended = True
            self._task.cancel()
        elif not self._writer.write_chunk(part):
            self._subscriber.ready = False
            self._sending = asyncio.create_task(self._resume_when_drained())

    async def drain(self) -> None:
        """Return once the buffer takes more, or the connection has closed."""
        if self._sending:
            await self._sending

    async def _resume_when_drained(self) -> None:
        await self._writer.wait_for_room()
        self._subscriber.ready = True
        await run(self._subscriber.catch_up)


class AsgiAdapter:
    """The ASGI application: reads each request in full, then answers it in one turn of the loop."""

    def __init__(
        self,
        app: Wsgi,
        settings: Settings,
        steps: StepQueue | None = None,
        pace: Pace | None = None,
        stop: Callable[[], None] = lambda: None,
        fast_path: FastPathHandler = lambda scope, body, address: None,
        background: Callable[[], None] = lambda: None,
    ) -> None:
        """`steps` serves addresses in turn; `pace` admits their requests. `stop` ends all streams
        at shutdown. A response of `fast_path` is sent as it is; an exception that it returns goes
        to the application, which then neither counts nor decides the request again. A server runs
        `background` in a turn while it serves.
        """
        self._app = app
        self._steps = steps or StepQueue()
        self._pace = pace or Pace(0)
        self._held_bodies = HeldBodies()
        self._fast_path = fast_path
        self.settings = settings
        self.background = background
        self.arrivals, self.departures = Arrivals(), Departures()
        self._stop: Callable[[], None] | None = stop

    def end_streams(self) -> None:
        """End all streams; further calls do nothing."""
        stop, self._stop = self._stop, None
        if stop:
            start_turn(stop)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Read the request and send the response."""
        body = await self._body(scope, receive)
        if body is None:
            return  # the caller has disconnected
        address = network_of(client_address(scope, self.settings.proxies))
        share = self._steps.share_of(address)
        ending = EndOnDisconnect(scope.get("extensions", {}).get(DISCONNECT_EXTENSION, []))
        responses: list[RawResponse] = []
        try:
            with ending:
                async with self._place_for(scope, address) as refusal:
                    if scope["method"] not in READ_METHODS:
                        ending.revoke()
                    await run(self._respond, scope, body, address, refusal, responses, share=share)
        except BaseException as error:
            for _, _, unsent in responses:
                _close(unsent)
            if not isinstance(error, CallerLeft):
                raise
            log.info("request_cancelled")
            return
        [(status, headers, content)] = responses
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if isinstance(content, Subscriber):
            writer = scope["extensions"][CHUNK_WRITER_EXTENSION]
            await self._send_events(content, receive, writer, share)
            content = b""
        elif isinstance(content, bytes):
            content = await self._send_most(content, send, scope, share, ending)
        else:
            await self._stream(iter(content), receive, send, partial(self._next_part, share))
            content = b""
        await send({"type": "http.response.body", "body": content})

    async def _body(self, scope: Message, receive: Receive) -> bytes | None:
        """Return the body, or the beginning of one over the limit, or None after a disconnect."""
        limit, body, more = self.settings.body_limit, bytearray(), True
        if int(dict(scope["headers"]).get(b"content-length", b"0")) > limit:
            return b""
        while more and len(body) <= limit:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message["body"]
            more = message["more_body"]
        return bytes(body)

    def _place_for(self, scope: Message, address: str) -> Place:
        """Return the place of a request, which it holds from its beginning to its end."""
        if _is_refusable(scope):
            return self._pace.admit(address)
        return self._pace.delay(address, MAX_CHECK_WAIT_S)

    def _respond(
        self,
        scope: Message,
        body: bytes,
        address: str,
        refusal: Exception | None,
        responses: list[RawResponse],
    ) -> None:
        """Append status, headers and body; the parts of the body if its length is unknown."""
        is_refused = refusal is not None and _is_refusable(scope)
        response = None if is_refused else self._fast_path(scope, body, address)
        if isinstance(response, tuple):
            responses.append(response)
            return
        environ = wsgi_environ(scope, body)
        if is_refused:
            environ[NOT_ADMITTED_KEY] = refusal
        if response is not None:
            environ[REFUSAL_KEY] = response
        responses.append(self._call_app(environ))

    def _call_app(self, environ: dict[str, Any]) -> RawResponse:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            started.append((status, headers))

        parts = self._app(environ, start)
        # A `Subscriber` stays as it is: pushing events to it costs less than polling it.
        [(status, pairs)] = started
        code = int(status[:3])
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in pairs]
        if code not in (204, 304) and not any(name == b"content-length" for name, _ in headers):
            return code, headers, parts
        return code, headers, _join(parts)

    async def _send_events(
        self, subscriber: Subscriber[Any], receive: Receive, writer: ChunkWriter, share: Share
    ) -> None:
        """Send events to this subscriber until the stream ends or the caller disconnects."""
        task = asyncio.current_task()
        assert task
        subscriber.send = sink = EventSink(subscriber, writer, task)
        try:
            await run(subscriber.broadcast.subscribe, subscriber, share=share)
            await _wait_for_disconnect(receive)
        except asyncio.CancelledError:
            if not sink.ended:
                raise
        finally:
            subscriber.close()
            await sink.drain()

    async def _send_most(
        self,
        content: bytes,
        send: Send,
        scope: Message,
        share: AddressShare,
        ending: EndOnDisconnect,
    ) -> bytes:
        """Send a body up to its last part, which is returned. Each part waits for the reader of the
        one before, for the pace and the turn of its address, and costs it what the system takes to
        copy it: so a long body neither holds up others nor is copied as a whole into the buffer of
        a connection. If too many bodies wait, the slowest reader is cut off. It also ends when the
        caller leaves.
        """
        if len(content) <= PART_BYTES:
            return content
        writer: ChunkWriter = scope["extensions"][CHUNK_WRITER_EXTENSION]
        sent = 0
        with (
            suppress(CallerLeft),
            ending,
            self._held_bodies.hold(share.address, len(content), writer.abort),
        ):
            while sent < len(content) - PART_BYTES:
                await writer.wait_for_room()
                self._held_bodies.end_slowest()
                async with self._pace.delay(share.address, MAX_WAIT_S):
                    await run(_send_part, send, content, sent, share=share)
                sent += PART_BYTES
            return content[sent:]
        return b""

    async def _next_part(self, share: AddressShare, parts: Iterator[bytes]) -> bytes | None:
        """Return the next part of a long response; it waits like a request, and costs as much."""
        async with self._pace.delay(share.address, MAX_WAIT_S):
            return await run(_next, parts, share=share)

    async def _stream(
        self, parts: Iterator[bytes], receive: Receive, send: Send, next_part: NextPart
    ) -> None:
        """Send the parts until they end or the caller disconnects."""
        watcher = asyncio.create_task(_cancel_after_disconnect(asyncio.current_task(), receive))
        try:
            while (part := await next_part(parts)) is not None:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except asyncio.CancelledError:
            if not watcher.done():
                raise
        finally:
            watcher.cancel()
            _close(parts)


def wsgi_environ(scope: Message, body: bytes) -> dict[str, Any]:
    """Return the request as a WSGI environment."""
    host, port = scope["server"] or ("", None)
    client = scope["client"] or ("", None)
    environ = {
        **WSGI_DEFAULTS,
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
    present: set[str] = set()
    for raw, value in scope["headers"]:
        if len(raw) <= MAX_HEADER_NAME_BYTES and (name := _wsgi_name(raw)):
            text = value.decode("latin-1")
            environ[name] = f"{environ[name]},{text}" if name in present else text
            present.add(name)
    return environ


@lru_cache(1_000)
def _wsgi_name(header: bytes) -> str:
    """Return the WSGI name of a header, or empty for names with `_`, which could pass for another
    header.
    """
    name = header.decode("latin-1").upper()
    if "_" in name:
        return ""
    name = name.replace("-", "_")
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"


def _send_part(send: Send, content: bytes, begin: int) -> None:
    """Send a part of a body on a connection that has room for it."""
    part = content[begin : begin + PART_BYTES]
    sending = send({"type": "http.response.body", "body": part, "more_body": True})
    try:
        sending.send(None)
    except StopIteration:
        return
    raise RuntimeError("A server waits before it writes, although there is room.")


def _join(parts: Iterable[bytes]) -> bytes:
    try:
        return b"".join(parts)
    finally:
        _close(parts)


def _next(parts: Iterator[bytes]) -> bytes | None:
    return next(parts, None)


def _close(parts: bytes | Iterable[bytes]) -> None:
    if close := getattr(parts, "close", None):
        close()


def _is_refusable(scope: Message) -> bool:
    """Return whether a request is refused if its address has used too much."""
    return scope["raw_path"] not in NEVER_REFUSED_PATHS


async def _cancel_after_disconnect(task: asyncio.Task[Any] | None, receive: Receive) -> None:
    assert task
    await _wait_for_disconnect(receive)
    task.cancel()


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
