"""A proxy that serves a service below a prefix, as at `https://example.org/games/annals/`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

OWN = {"connection", "transfer-encoding", "keep-alive"}
"""Hop-by-hop headers."""


@contextmanager
def below(url: str, prefix: str) -> Iterator[str]:
    """The address under which the service at a URL is reachable within the block."""
    to = urlsplit(url).netloc

    class Proxy(BaseHTTPRequestHandler):
        """Streams requests below the prefix to the service; refuses all others."""

        def pass_on(self) -> None:
            if not self.path.startswith(f"{prefix}/"):
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            sent = {name: value for name, value in self.headers.items() if name.lower() not in OWN}
            with closing(HTTPConnection(to)) as behind, suppress(OSError, HTTPException):
                behind.request(self.command, self.path.removeprefix(prefix), body, sent)
                self.answer(behind.getresponse())

        def answer(self, given: HTTPResponse) -> None:
            self.send_response(given.status)
            for name, value in given.getheaders():
                if name.lower() not in OWN:
                    self.send_header(name, value)
            self.end_headers()
            while piece := given.read1():
                self.wfile.write(piece)

        do_GET = do_POST = do_PUT = do_DELETE = pass_on  # noqa: N815 - its names

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{prefix}/"
        server.shutdown()
