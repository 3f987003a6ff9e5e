"""Takes all that is sent to Discord: `python -m bench.service.discord_api PORT`."""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MESSAGE = b'{"id":"1","attachments":[{"id":"2"}]}'


class Handler(BaseHTTPRequestHandler):
    """Answers that it is a message now."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self) -> None:
        """Take what is sent."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(MESSAGE)))
        self.end_headers()
        self.wfile.write(MESSAGE)

    do_POST = do_PATCH = do_GET  # noqa: N815 - the names of http.server

    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
