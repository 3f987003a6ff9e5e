"""A connection, which ends when its other side keeps us waiting."""

from __future__ import annotations

import asyncio
import math
import re
import secrets
import socket
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

from service.front.asgi_adapter import OUTLET, Gateway
from service.http.problem_codes import title_of
from service.runtime import metrics

HEAD_LIMIT = 16_384
"""Bytes that address and headers may have."""
MOST_HEADERS = 100
FRAMES = 8
"""So many times the limit of a body may come in all: chunks of one byte take six."""
LOOK_S = 1.0
FAREWELL_S = 1.0
CODES = {400: "malformed", 408: "too_slow", 431: "too_large"}
OFFER = re.compile(rb"\r\nupgrade(?=:)", re.IGNORECASE)
HTTP_1 = ("1.0", "1.1")
log = structlog.get_logger("annals.web")


class OneWrite:
    """What an answer is written to: its head goes out with the body, if that comes in this turn."""

    __slots__ = ("_begun", "_flow", "_head", "_loop", "_transport")

    def __init__(
        self, transport: asyncio.Transport, flow: FlowControl, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._transport, self._flow, self._loop = transport, flow, loop
        self._head: bytes | None = None
        self._begun = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write this behind what is kept; keep it, if it is the first."""
        if self._begun:
            head, self._head = self._head or b"", None
            self._transport.write(head + data)
        else:
            self._begun, self._head = True, data
            self._loop.call_soon(self._flush)

    def write_part(self, part: bytes) -> bool:
        """Write a part of a body that comes in chunks (RFC 9112, 7.1); whether there is room for
        more. It is what `send` does, for those who have thousands to write to.
        """
        if part:  # a chunk without anything would be the end
            self.write(b"%x\r\n%b\r\n" % (len(part), part))
        return not self._flow.write_paused

    async def has_room(self) -> None:
        """Return once most of what was written has been read, or nobody reads any more."""
        await self._flow.drain()

    def close(self) -> None:
        """End after what was written."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._head is not None:
            self.write(b"")


class Connection(HttpToolsProtocol):
    """HTTP/1.1 as uvicorn speaks it, with deadlines and a limit for what comes around a body."""

    _looking: ClassVar = False

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # whatever uvicorn gives it
        assert isinstance(self.app, Gateway)
        self._gateway, self._settings = self.app, self.app.settings
        self._until = math.inf
        """When the other side must have sent what it began, or begun something."""
        self._read_until = math.inf
        """When it must have read what it was sent."""
        self._answering: RequestResponseCycle | None = None
        """The request that is being answered, or was last; others may wait behind it."""
        self._in_head = self._half = self._begun = False
        """Whether a head is coming, a request is, and whether one began in this portion."""
        self._came = 0
        """Bytes since then."""
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        # What comes later, as in a stream, must not wait until what came before is acknowledged.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._until = self.loop.time() + self._settings.request_seconds
        if not Connection._looking:
            Connection._looking = True
            self.loop.call_later(LOOK_S, self._look_at_all)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell everything that goes on for it; uvicorn tells the last request only."""
        super().connection_lost(exc)
        waiting = [cycle for cycle, _ in self.pipeline]
        for cycle in filter(None, (self._answering, *waiting)):
            cycle.disconnected = not cycle.response_complete
            cycle.message_event.set()
        self.pipeline.clear()

    def data_received(self, data: bytes) -> None:
        """Read on; refuse what has no end."""
        if self._refused:
            return
        self._begun = False
        super().data_received(data if self._half else _without_offers(data))
        self._came = len(data) + (0 if self._begun else self._came)
        if self._in_head and self._came > HEAD_LIMIT:
            self._refuse(431)
        elif self._half and self._came > HEAD_LIMIT + FRAMES * self._settings.body_limit:
            self.transport.abort()  # nothing but frames, or lines behind the body

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        if self._refused:
            return
        self._in_head = self._half = self._begun = True
        self._until = self.loop.time() + self._settings.request_seconds

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of the head; those behind a body are nobody's (RFC 9110, 6.5.1)."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Its head is there."""
        if self._refused:
            return
        self._in_head = False
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEAD_LIMIT or len(self.headers) > MOST_HEADERS:
            self._refuse(431)
        elif not self._is_sound():
            self._refuse(400)
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Some of its body is there."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """All of it is there; now we are the ones who are waited for."""
        if not self._refused:
            super().on_message_complete()
            self._half = False
            self._until = math.inf

    def on_response_complete(self) -> None:
        """It was answered: perhaps before all of it came, which nobody wants any more."""
        super().on_response_complete()
        now = self.loop.time()
        if self.transport.is_closing():
            self._until = now + self._settings.slow_seconds
        elif self._half and not self._in_head and self.cycle.response_complete:
            self._part()
        elif self._until == math.inf and self.cycle.response_complete:
            self._until = now + self._settings.idle_seconds

    def pause_writing(self) -> None:
        """Much is still to be read."""
        super().pause_writing()
        self._read_until = self.loop.time() + self._settings.slow_seconds

    def resume_writing(self) -> None:
        """Most of it has been read."""
        super().resume_writing()
        self._read_until = math.inf

    def shutdown(self) -> None:
        """End after what is being answered."""
        self._gateway.end_streams()
        super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(400)

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: whoever asks for another protocol is answered in this one."""

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        if cycle.scope["method"] != "HEAD":
            outlet = OneWrite(self.transport, self.flow, self.loop)
            cycle.transport = outlet  # type: ignore[assignment]
            cycle.scope["extensions"] = {OUTLET: outlet}  # type: ignore[dict-item]
        super()._start_asgi_task(cycle, app)

    def _look_at_all(self) -> None:
        """End what is late; again and again, as long as there is any connection."""
        Connection._looking = bool(self.connections)
        if self.connections:
            self.loop.call_later(LOOK_S, self._look_at_all)
        now = self.loop.time()
        for connection in list(self.connections):
            if isinstance(connection, Connection) and now > connection.ends_at:
                connection.end()

    @property
    def ends_at(self) -> float:
        """When it is to be ended, unless something happens."""
        return min(self._until, self._read_until)

    def end(self) -> None:
        """End it: with an answer if half a request has come, at once otherwise."""
        hopeless = self.transport.is_closing() or self._read_until < math.inf
        if self._refused or hopeless or not self._half:
            self.transport.abort()
        else:
            self._refuse(408)

    def _is_sound(self) -> bool:
        """Whether this is a request whose end can be told, to one host (RFC 9112, 3.2)."""
        version, hosts = self.parser.get_http_version(), [name for name, _ in self.headers]
        if version not in HTTP_1 or self.parser.should_upgrade():
            return False
        return hosts.count(b"host") == 1 or (version == "1.0" and b"host" not in hosts)

    @property
    def _owes_an_answer(self) -> bool:
        """Whether one has begun, or is due to a request that came whole."""
        cycle = self._answering
        if cycle is None or cycle.response_complete:
            return False
        return cycle.response_started or not cycle.more_body

    def _refuse(self, status: int) -> None:
        """Answer with a problem, and end."""
        if self._refused or self.transport.is_closing():
            return
        if self._owes_an_answer:
            self.transport.abort()  # this one would come before it, or into it
            return
        number = secrets.token_hex(8)
        content = self._problem(status, number)
        head = (
            b"content-type: application/problem+json\r\nconnection: close\r\n"
            b"x-request-id: %b\r\ncontent-length: %d\r\n\r\n"
        )
        self.transport.write(STATUS_LINE[status] + head % (number.encode(), len(content)) + content)
        log.info("request_refused", id=number, status=status)
        metrics.served("none", "none", status, 0.0)
        self._part()

    def _problem(self, status: int, number: str) -> bytes:
        code = CODES[status]
        details = {
            400: "What was sent is not HTTP/1.1 to one host.",
            408: f"It has to come within {self._settings.request_seconds:g} seconds; nothing was"
            " done.",
            431: f"Address and headers may have {HEAD_LIMIT} bytes and {MOST_HEADERS} lines.",
        }
        problem = {
            "type": f"/problems/{code}",
            "title": title_of(code),
            "status": status,
            "detail": details[status],
            "code": code,
            "instance": number,
        }
        return msgspec.json.encode(problem)

    def _part(self) -> None:
        """End in a moment; what is still sent meanwhile is read, and ignored.

        If it was left unread, the system would throw the answer away.
        """
        self._refused = True
        self.transport.write_eof()
        self.flow.resume_reading()
        self._until = self.loop.time() + FAREWELL_S


def _without_offers(data: bytes) -> bytes:
    """What was sent with offers to speak another protocol hidden from the parser, which would take
    the body of such a request for another one. Some clients offer HTTP/2 with each.
    """
    head, end, rest = data.partition(b"\r\n\r\n")
    return OFFER.sub(b"\r\nX-Offer", head) + end + rest if OFFER.search(head) else data
