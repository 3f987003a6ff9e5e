"""An HTTP connection that closes when the client is too slow."""

from __future__ import annotations

import asyncio
import math
import re
import secrets
import socket
from collections.abc import Callable
from itertools import chain
from typing import ClassVar

import msgspec
import structlog
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from service.front.asgi_adapter import (
    CHUNK_WRITER_EXTENSION,
    DISCONNECT_EXTENSION,
    AsgiAdapter,
)
from service.front.client_address import client_address
from service.front.upgrades import HEAD_END, UpgradeFilter
from service.http.problem_codes import title_of
from service.http.rate_limit import network_of
from service.runtime import metrics

MAX_HEAD_BYTES = 16_384
"""Bytes of request line and headers."""
MAX_HEADERS = 100
MAX_FRAMING_FACTOR = 8
"""A body with chunk headers may take this multiple of the body limit: one-byte chunks take 6."""
CHECK_INTERVAL_S = 1.0
LINGER_S = 1.0
CODE_BY_STATUS = {400: "malformed", 408: "too_slow", 431: "too_large"}
FORWARDED_FOR = re.compile(rb"\r\nx-forwarded-for: *([^\r\n]*)", re.IGNORECASE)
HTTP_VERSIONS = ("1.0", "1.1")
log = structlog.get_logger("annals.web")


class ResponseTransport:
    """The transport of a response: sends the head together with a body written in the same turn."""

    __slots__ = ("_flow", "_head", "_loop", "_started", "_transport")

    def __init__(
        self, transport: asyncio.Transport, flow: FlowControl, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._transport, self._flow, self._loop = transport, flow, loop
        self._head: bytes | None = None
        self._started = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write this after the head; hold it back if it is the head itself."""
        if self._started:
            head, self._head = self._head or b"", None
            self._transport.write(head + data)
        else:
            self._started, self._head = True, data
            self._loop.call_soon(self._flush)

    def write_chunk(self, part: bytes) -> bool:
        """Write a chunk (RFC 9112, 7.1); return whether the buffer takes more.

        Does what `send` does, at a lower cost for thousands of subscribers.
        """
        if part:  # an empty chunk would end the body
            self.write(b"%x\r\n%b\r\n" % (len(part), part))
        return not self._flow.write_paused

    async def wait_for_room(self) -> None:
        """Return once most of the buffer is sent, or the connection has closed."""
        await self._flow.drain()

    def abort(self) -> None:
        """Close the connection at once, with whatever its reader has not taken."""
        self._transport.abort()

    def close(self) -> None:
        """Close the connection after all that was written."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._head is not None:
            self.write(b"")


class Connection(HttpToolsProtocol):
    """HTTP/1.1 as uvicorn implements it, with deadlines and with limits on framing."""

    _checking: ClassVar = False

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # passed on to uvicorn
        assert isinstance(self.app, AsgiAdapter)
        self._adapter, self._settings = self.app, self.app.settings
        self._request_deadline = math.inf
        """When the client must have sent a request completely, or begun one."""
        self._read_deadline = math.inf
        """When the client must have read what is in the buffer."""
        self._current: RequestResponseCycle | None = None
        """The current or last request; pipelined ones wait behind it."""
        self._in_head = self._in_request = self._request_began = False
        """Whether a head or request is incomplete, and whether one began in the last bytes."""
        self._received_bytes = 0
        """Bytes since a request began."""
        self._body_left: int | None = 0
        """Bytes of the body that are still to come; None if it comes in chunks."""
        self._closing = False
        self._held = b""
        """The beginning of a request that waits for its turn."""
        self._on_disconnect: list[Callable[[], None]] = []
        self._upgrades = UpgradeFilter()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadlines."""
        super().connection_made(transport)
        # Events of a stream must not wait until earlier ones are acknowledged.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._request_deadline = self.loop.time() + self._settings.request_seconds
        if not Connection._checking:
            Connection._checking = True
            self.loop.call_later(CHECK_INTERVAL_S, self._close_late_connections)

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify all its requests, waiting ones too; uvicorn notifies only the last."""
        super().connection_lost(exc)
        waiting = [cycle for cycle, _ in self.pipeline]
        for cycle in filter(None, (self._current, *waiting)):
            cycle.disconnected = not cycle.response_complete
            cycle.message_event.set()
        self.pipeline.clear()
        self._adapter.departures.add(self._on_disconnect)

    def data_received(self, data: bytes) -> None:
        """Parse these bytes: at once if they belong to a request in progress, else in the turn of
        their address. While they wait, bytes of one more read wait with them.
        """
        if self._in_request or self._closing:
            self._parse(data)
        elif self._held:
            self._held += data
            self.transport.pause_reading()
        else:
            self._held = data
            self._adapter.arrivals.add(self._sender, self._begin)
            if self._held:  # the deadline of an idle connection must not end what waits
                self._request_deadline = self.loop.time() + self._settings.request_seconds

    def _sender(self) -> str:
        """Return the address that sends what waits, as far as its first read says."""
        head = self._held[:MAX_HEAD_BYTES].partition(HEAD_END)[0]
        headers = [(b"x-forwarded-for", one) for one in FORWARDED_FOR.findall(head)]
        scope = {"client": self.client, "headers": headers}
        return network_of(client_address(scope, self._settings.proxies))

    def _begin(self) -> None:
        """Parse what waits, unless the client has left."""
        data, self._held = self._held, b""
        if data and not self.transport.is_closing():
            self.transport.resume_reading()
            self._parse(data)

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn's closes at once
        """Close in the turn of all who leave at this moment; what waits never begins."""
        self._held = b""
        self._adapter.departures.add([self.transport.close])
        return True

    def _parse(self, data: bytes) -> None:
        """Parse these bytes; refuse a head or body over the limits."""
        if self._closing:
            return
        self._request_began = False
        for piece in self._upgrades.pieces(data, lambda: self._body_left):
            super().data_received(piece)
        self._received_bytes = len(data) + (0 if self._request_began else self._received_bytes)
        if self._in_head and self._received_bytes > MAX_HEAD_BYTES:
            self._refuse(431)
        elif self._in_request and self._received_bytes > self._max_request_bytes:
            self.transport.abort()  # only chunk headers or trailers

    @property
    def _max_request_bytes(self) -> int:
        return MAX_HEAD_BYTES + MAX_FRAMING_FACTOR * self._settings.body_limit

    def on_message_begin(self) -> None:
        """Handle the beginning of a request."""
        super().on_message_begin()
        if self._closing:
            return
        self._in_head = self._in_request = self._request_began = True
        self._request_deadline = self.loop.time() + self._settings.request_seconds

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; ignore trailers (RFC 9110, 6.5.1)."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Refuse a head over the limits, or one that is not well-formed."""
        if self._closing:
            return
        self._in_head = False
        length = dict(self.headers).get(b"content-length")
        self._body_left = None if length is None else int(length)
        size = len(self.url) + sum(map(len, chain.from_iterable(self.headers)))
        if size > MAX_HEAD_BYTES or len(self.headers) > MAX_HEADERS:
            self._refuse(431)
        elif not self._is_well_formed():
            self._refuse(400)
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if self._body_left:
            self._body_left -= len(body)
        if not self._closing:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Handle the end of a request: from here on the client waits for us."""
        self._body_left = 0
        if not self._closing:
            super().on_message_complete()
            self._in_request = False
            self._request_deadline = math.inf

    def on_response_complete(self) -> None:
        """Set the next deadline; close if the response came before the whole request."""
        super().on_response_complete()
        now = self.loop.time()
        if self.transport.is_closing():
            self._request_deadline = now + self._settings.slow_seconds
        elif self._in_request and not self._in_head and self.cycle.response_complete:
            self._close_after_linger()
        elif self._request_deadline == math.inf and self.cycle.response_complete:
            self._request_deadline = now + self._settings.idle_seconds

    def pause_writing(self) -> None:
        """Handle a full buffer: the client must read in time."""
        super().pause_writing()
        self._read_deadline = self.loop.time() + self._settings.slow_seconds

    def resume_writing(self) -> None:
        """Handle a buffer that the client has mostly read."""
        super().resume_writing()
        self._read_deadline = math.inf

    def shutdown(self) -> None:
        """Close after the response in progress."""
        self._adapter.end_streams()
        super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP."""
        self._refuse(400)

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: a request to upgrade is answered over HTTP/1.1."""

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._current = cycle
        extensions: dict[str, object] = {DISCONNECT_EXTENSION: self._on_disconnect}
        if cycle.scope["method"] != "HEAD":
            transport = ResponseTransport(self.transport, self.flow, self.loop)
            cycle.transport = transport  # type: ignore[assignment]
            extensions[CHUNK_WRITER_EXTENSION] = transport
        cycle.scope["extensions"] = extensions  # type: ignore[typeddict-item]
        super()._start_asgi_task(cycle, app)

    def _close_late_connections(self) -> None:
        """Close connections past their deadline; repeats while any connection is open."""
        Connection._checking = bool(self.connections)
        if self.connections:
            self.loop.call_later(CHECK_INTERVAL_S, self._close_late_connections)
        now = self.loop.time()
        for connection in list(self.connections):
            if isinstance(connection, Connection) and now > connection.deadline:
                connection.time_out()

    @property
    def deadline(self) -> float:
        """The time of the loop at which this connection is closed, unless something happens."""
        return min(self._request_deadline, self._read_deadline)

    def time_out(self) -> None:
        """Close it: with a response if half a request has arrived, else at once."""
        unreachable = self.transport.is_closing() or self._read_deadline < math.inf
        if self._closing or unreachable or not self._in_request:
            self.transport.abort()
        else:
            self._refuse(408)

    def _is_well_formed(self) -> bool:
        """Return whether the request has an unambiguous end, and one host (RFC 9112, 3.2)."""
        version, hosts = self.parser.get_http_version(), [name for name, _ in self.headers]
        if version not in HTTP_VERSIONS or self.parser.should_upgrade():
            return False
        return hosts.count(b"host") == 1 or (version == "1.0" and b"host" not in hosts)

    @property
    def _owes_response(self) -> bool:
        """Whether a response has begun, or is due to a complete request."""
        cycle = self._current
        if cycle is None or cycle.response_complete:
            return False
        return cycle.response_started or not cycle.more_body

    def _refuse(self, status: int) -> None:
        """Respond with a problem document, then close."""
        if self._closing or self.transport.is_closing():
            return
        if self._owes_response:
            self.transport.abort()  # the refusal would precede or interrupt a response
            return
        request_id = secrets.token_hex(8)
        content = self._problem(status, request_id)
        head = (
            b"content-type: application/problem+json\r\nconnection: close\r\n"
            b"x-request-id: %b\r\ncontent-length: %d\r\n\r\n"
        )
        head %= request_id.encode(), len(content)
        self.transport.write(STATUS_LINE[status] + head + content)
        log.info("request_refused", id=request_id, status=status)
        metrics.count_request("none", "none", status, 0.0)
        self._close_after_linger()

    def _problem(self, status: int, request_id: str) -> bytes:
        code = CODE_BY_STATUS[status]
        details = {
            400: "This is not an HTTP/1.1 request to one host.",
            408: f"A request must arrive within {self._settings.request_seconds:g} seconds;"
            " nothing was recorded.",
            431: f"Address and headers exceed {MAX_HEAD_BYTES} bytes or {MAX_HEADERS} lines.",
        }
        problem = {
            "type": f"/problems/{code}",
            "title": title_of(code),
            "status": status,
            "detail": details[status],
            "code": code,
            "instance": request_id,
        }
        return msgspec.json.encode(problem)

    def _close_after_linger(self) -> None:
        """Close in a moment; read and ignore further bytes until then.

        If bytes stay unread, the operating system discards the response.
        """
        self._closing = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self._request_deadline = self.loop.time() + LINGER_S
