"""A proxy that serves a service below a prefix, as at `https://example.org/games/annals/`, and can
fail as proxies do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from time import sleep
from urllib.parse import urlsplit

OWN = {"connection", "transfer-encoding", "keep-alive"}
"""Hop-by-hop headers."""


class Trouble:
    """How a proxy fails now."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        self.over = Event()
        """Set at the end of the proxy."""
        self._frozen = Event()
        self._failing: set[str] | None = None

    def fail_each_once(self) -> None:
        """Answer 502 to the next request for each path."""
        self._failing = set()

    def freeze(self) -> None:
        """Forward nothing more through any connection that is open now, and close none."""
        self._frozen.set()
        self._frozen = Event()

    def stop(self) -> None:
        """Forward everything again, at once."""
        self.delay_s, self._failing = 0.0, None

    def fails(self, path: str) -> bool:
        """Whether this request gets no answer of the service."""
        if self._failing is None or path in self._failing:
            return False
        self._failing.add(path)
        return True

    @property
    def frozen(self) -> Event:
        """Set once the connections of this moment forward nothing more."""
        return self._frozen


class _Proxy(BaseHTTPRequestHandler):
    """Streams requests below a prefix to the service; refuses all others."""

    to: str
    prefix: str
    trouble: Trouble

    def pass_on(self) -> None:
        if not self.path.startswith(f"{self.prefix}/"):
            self.send_error(404)
            return
        if self.trouble.fails(self.path.partition("?")[0]):
            self.send_error(502)
            return
        sleep(self.trouble.delay_s)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        sent = {name: value for name, value in self.headers.items() if name.lower() not in OWN}
        with closing(HTTPConnection(self.to)) as behind, suppress(OSError, HTTPException):
            behind.request(self.command, self.path.removeprefix(self.prefix), body, sent)
            self.answer(behind.getresponse())

    def answer(self, given: HTTPResponse) -> None:
        self.send_response(given.status)
        for name, value in given.getheaders():
            if name.lower() not in OWN:
                self.send_header(name, value)
        self.end_headers()
        frozen = self.trouble.frozen
        while piece := given.read1():
            if frozen.is_set():
                self.trouble.over.wait()
            self.wfile.write(piece)

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
