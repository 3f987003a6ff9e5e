"""A receiver of webhooks that notes how late messages are: `python -m bench.load.receiver PORT`.

What comes to `/slow` is answered late. `GET /arrived` tells what came to each path since the last
time.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import msgspec

from bench.service.webhooks import SLOW_S, Arrived
from service.matches.container import wall_clock

QUIET_S = 2.0
came: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
"""By path when messages came, and how many seconds after their entries."""


class Handler(BaseHTTPRequestHandler):
    """Notes a message, or tells what was noted."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self) -> None:
        """Take a message."""
        body = msgspec.json.decode(self.rfile.read(int(self.headers["content-length"])))
        at = datetime.fromisoformat(body["timestamp"]).timestamp()
        came[self.path].append((time.monotonic(), wall_clock() / 1000 - at))
        if self.path == "/slow":
            time.sleep(SLOW_S)
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        """Tell what came, once nothing more comes."""
        while self.path.startswith("/arrived") and _is_busy():
            time.sleep(0.1)
        told = msgspec.json.encode({path: _arrived(rows) for path, rows in came.items()})
        came.clear()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _is_busy() -> bool:
    latest = max((rows[-1][0] for path, rows in came.items() if path != "/slow"), default=0)
    return time.monotonic() - latest < QUIET_S


def _arrived(rows: Sequence[tuple[float, float]]) -> Arrived:
    seconds = rows[-1][0] - rows[0][0]
    return Arrived(len(rows) / seconds if seconds else 0, [lag for _, lag in rows])


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    Thread(target=server.serve_forever).start()
