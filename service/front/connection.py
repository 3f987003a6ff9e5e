"""A connection, which ends when its other side keeps us waiting."""

from __future__ import annotations

import asyncio
import math
import secrets
import socket
from typing import ClassVar

import msgspec
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from service.front.gateway import Gateway
from service.http.problem_codes import PROBLEM_CODES

HEAD_LIMIT = 65_536
"""Bytes that the lines before a body may have."""
LOOK_S = 1.0
FAREWELL_S = 1.0
CODES = {400: "malformed", 408: "too_slow", 431: "too_large"}


class Connection(HttpToolsProtocol):
    """HTTP/1.1 as uvicorn speaks it, with deadlines and a limit for what comes before a body."""

    _looking: ClassVar = False

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # whatever uvicorn gives it
        assert isinstance(self.app, Gateway)
        self._settings, self._stop = self.app.settings, self.app.stop
        self._until = math.inf
        """When the other side must have sent what it began, or begun something."""
        self._read_until = math.inf
        """When it must have read what it was sent."""
        self._head: int | None = 0
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        # Head and body are written apart: the body must not wait until the head is acknowledged.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._until = self.loop.time() + self._settings.request_seconds
        if not Connection._looking:
            Connection._looking = True
            self.loop.call_later(LOOK_S, self._look_at_all)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse a head without end."""
        if self._refused:
            return
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > HEAD_LIMIT:
            self._refuse(431)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._head = 0
        self._until = self.loop.time() + self._settings.request_seconds

    def on_headers_complete(self) -> None:
        """Its head is there."""
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is there; now we are the ones who are waited for."""
        super().on_message_complete()
        self._head = 0
        self._until = math.inf

    def on_response_complete(self) -> None:
        """It was answered."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._until = self.loop.time() + self._settings.slow_seconds
        elif self._until == math.inf and self.cycle.response_complete:
            self._until = self.loop.time() + self._settings.idle_seconds

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
        self._stop()
        super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(400)

    def _look_at_all(self) -> None:
        """End what is late; again and again, as long as there is any connection."""
        now = self.loop.time()
        for connection in list(self.connections):
            if isinstance(connection, Connection) and now > connection.ends_at:
                connection.end()
        Connection._looking = bool(self.connections)
        if self.connections:
            self.loop.call_later(LOOK_S, self._look_at_all)

    @property
    def ends_at(self) -> float:
        """When it is to be ended, unless something happens."""
        return min(self._until, self._read_until)

    def end(self) -> None:
        """End it: with an answer if half a request has come, at once otherwise."""
        cycle: RequestResponseCycle | None = self.cycle
        begun = cycle is not None and not cycle.response_complete
        if (
            self._refused
            or self.transport.is_closing()
            or self._read_until < math.inf
            or not (begun or self._head)
        ):
            self.transport.abort()
        else:
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        """Answer with a problem, and end; what is still sent meanwhile is ignored.

        If it was left unread, the system would throw the answer away.
        """
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete and not cycle.more_body:
            self.transport.abort()  # an answer to an earlier request would come after this one
            return
        code = CODES[status]
        title, detail = PROBLEM_CODES[code]
        content = msgspec.json.encode(
            {
                "type": f"/problems/{code}",
                "title": title,
                "status": status,
                "detail": detail,
                "code": code,
                "instance": secrets.token_hex(8),
            }
        )
        head = b"content-type: application/problem+json\r\nconnection: close\r\ncontent-length: %d"
        self.transport.write(STATUS_LINE[status] + head % len(content) + b"\r\n\r\n" + content)
        self.transport.write_eof()
        self._refused = True
        self._until = self.loop.time() + FAREWELL_S
