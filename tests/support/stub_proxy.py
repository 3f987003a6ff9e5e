"""A service as a proxy shows it, with faults."""

from __future__ import annotations

import ssl
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread

from workers.tools.doctor import address


class Stub(ThreadingHTTPServer):
    """A service as a proxy shows it, with faults."""

    run = "this"
    forwarded = 0
    status = 200
    location = ""
    impatient = False
    """Whether it closes a connection after a response, without a word."""
    limit = "default"
    rate = left = 6000
    beats = True
    drips = False
    drips_heads = False
    drops: Collection[str] = ()
    requests = count()


class Handler(BaseHTTPRequestHandler):
    server: Stub

    def do_GET(self) -> None:
        detail = self._given("Authorization")
        bodies = {
            "/readyz": f'{{"run": "{self.server.run}", "forwarded": {self.server.forwarded}}}',
            "/v1/me": f'{{"detail": "{detail}"}}',
        }
        self._answer(bodies.get(self.path, ""))

    def _given(self, name: str) -> str:
        """A header of the request, as far as the proxy passes it on."""
        return "" if name in self.server.drops else self.headers.get(name, "")

    def do_DELETE(self) -> None:
        self._answer("")

    def do_HEAD(self) -> None:
        if "ETag" not in self.server.drops and self._given("If-None-Match"):
            self.send_response(304)
            self.end_headers()
        else:
            self._answer("")

    def _answer(self, body: str) -> None:
        if self.path == address.STREAM:
            body = "event: beat\n" if self.server.beats else "event: cursor\n"
        while self.server.drips_heads and self.path != "/readyz":  # a head without end
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.01)
        if self.server.impatient:
            self.protocol_version = "HTTP/1.1"  # whose connections stay open
        self.send_response(self.server.status)
        left = self.server.left - next(self.server.requests)
        for name, value in {
            "RateLimit-Policy": f'"{self.server.limit}";q={self.server.rate};w=60',
            "RateLimit": f'"{self.server.limit}";r={left};t=9',
            "ETag": '"1"',
            "X-Request-Id": self._given("X-Request-Id"),
            "Location": self.server.location,
        }.items():
            if value and name not in self.server.drops:
                self.send_header(name, value)
        if not self.server.drips:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        while body and self.server.drips:  # no beat, and no end
            self.wfile.write(b": keep\n")
            time.sleep(0.01)
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def stub(certificate: Path | None = None) -> Iterator[Stub]:
    server = Stub(("127.0.0.1", 0), Handler)
    server.requests = count()
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
