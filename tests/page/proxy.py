"""A proxy that serves a service below a prefix, as at `https://example.org/games/annals/`, and can
fail as proxies do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, cycle
from socket import SHUT_RDWR, socket
from threading import Condition, Event, Thread
from urllib.parse import urlsplit

from tests.support.patience import PATIENCE_S

OWN = {"connection", "transfer-encoding", "keep-alive"}
"""Hop-by-hop headers."""
STREAM = "text/event-stream"
MARK = "event: mark\ndata: {}\n\n"
"""An event that the proxy adds to those of the service; pages ignore it."""


class Trouble:
    """How a proxy fails now, in a time that only a test advances."""

    def __init__(self) -> None:
        self.over = Event()
        """Set at the end of the proxy."""
        self.frozen = Event()
        """Set once the connections of this moment forward nothing more."""
        self.held = 0
        """The number of requests that wait for their time."""
        self._marks: dict[object, int] = {}
        self._numbers = count()
        self._statuses = cycle((522, 502, 504, 500))
        self._failed: set[str] | None = None
        self._unanswered: set[str] | None = None
        self._delay_s = 0
        self._now_s = 0
        self._busy = 0
        self._changed = Condition()

    def fail_each_once(self) -> None:
        """Answer each request once as a proxy does that cannot, or whose service has failed."""
        self._failed = set()

    def freeze(self) -> None:
        """Forward nothing more through any connection that is open now, and close none."""
        self.frozen.set()
        self.frozen = Event()

    def leave_each_once(self) -> None:
        """Give no answer to each request once, and close no connection."""
        self._unanswered = set()

    def delay(self, seconds: int) -> None:
        """Answer later."""
        self._delay_s = seconds

    def stop(self) -> None:
        """Forward everything again, at once."""
        self._failed, self._unanswered, self._delay_s = None, None, 0

    def pass_time(self, seconds: int) -> None:
        """Let time pass, once all that the service could answer by now is answered."""
        with self._changed:
            assert self._changed.wait_for(lambda: not self._busy, PATIENCE_S)
            self._now_s += seconds
            self._changed.notify_all()

    def failure(self, request: str) -> int | None:
        """The status with which this request fails; None if the service answers it."""
        if self._failed is None or request in self._failed:
            return None
        self._failed.add(request)
        return next(self._statuses)

    def is_unanswered(self, request: str) -> bool:
        """Whether this request never gets an answer."""
        if self._unanswered is None or request in self._unanswered:
            return False
        self._unanswered.add(request)
        return True

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Count a request as one that waits within the block."""
        with self._changed:
            self.held += 1
        try:
            yield
        finally:
            with self._changed:
                self.held -= 1

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Let no time pass within the block."""
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)

    def wait(self) -> None:
        """Wait until a request that came now may be answered."""
        with self._changed:
            self.held += 1
            until = self._now_s + self._delay_s
            self._changed.wait_for(lambda: self._now_s >= until or self.over.is_set(), PATIENCE_S)
            self.held -= 1

    def mark(self, stream: object) -> bytes:
        """Return the next mark of a stream."""
        self._marks[stream] = number = next(self._numbers)
        return MARK.format(number).encode()

    def end_marks(self, stream: object) -> None:
        """Forget a stream: its client may have left before the last mark."""
        self._marks.pop(stream, None)

    def marks(self) -> set[int]:
        """The last mark of each stream that a client has to receive."""
        return set(self._marks.copy().values())

    def _count(self, change: int) -> None:
        with self._changed:
            self._busy += change
            self._changed.notify_all()


class _Proxy(BaseHTTPRequestHandler):
    """Streams requests below a prefix to the service; refuses all others."""

    to: str
    prefix: str
    trouble: Trouble

    def pass_on(self) -> None:
        if not self.path.startswith(f"{self.prefix}/"):
            self.send_error(404)
        elif status := self.trouble.failure(f"{self.command} {self.path}"):
            self.send_error(status)
        elif self.trouble.is_unanswered(f"{self.command} {self.path}"):
            with self.trouble.holding(), suppress(OSError):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.connection.recv(1)  # until the client gives up
        else:
            self.trouble.wait()
            with closing(HTTPConnection(self.to)) as behind, suppress(OSError, HTTPException):
                self.forward(behind)

    def forward(self, behind: HTTPConnection) -> None:
        frozen = self.trouble.frozen
        with self.trouble.answering():
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            sent = {name: value for name, value in self.headers.items() if name.lower() not in OWN}
            behind.request(self.command, self.path.removeprefix(self.prefix), body, sent)
            Thread(target=self.leave_with_client, args=(behind.sock,), daemon=True).start()
            given = behind.getresponse()
            self.send_response(given.status)
            for name, value in given.getheaders():
                if name.lower() not in OWN:
                    self.send_header(name, value)
            self.end_headers()
            if given.headers.get_content_type() != STREAM:
                self.wfile.write(given.read())
                return
        self.stream(given, frozen)

    def leave_with_client(self, behind: socket) -> None:
        """Close the connection to the service when the client closes its own."""
        with suppress(OSError):
            self.connection.recv(1)
            behind.shutdown(SHUT_RDWR)

    def stream(self, given: HTTPResponse, frozen: Event) -> None:
        try:
            while (piece := given.read1()) and not frozen.is_set():
                is_whole = piece.endswith(b"\n\n")
                self.wfile.write(piece + self.trouble.mark(self) if is_whole else piece)
        finally:
            self.trouble.end_marks(self)
        if frozen.is_set():
            self.trouble.over.wait()

    do_GET = do_POST = do_PUT = do_DELETE = pass_on  # noqa: N815 - its names

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def below(url: str, prefix: str, trouble: Trouble | None = None) -> Iterator[str]:
    """The address under which the service at a URL is reachable within the block."""
    trouble = trouble or Trouble()
    handler = type(
        "Proxy", (_Proxy,), {"to": urlsplit(url).netloc, "prefix": prefix, "trouble": trouble}
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{prefix}/"
        trouble.over.set()
        server.shutdown()
