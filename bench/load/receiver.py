"""A receiver of webhooks that records how late messages are: `python -m bench.load.receiver PORT`.

Responses to `/slow`, with any query, are late. `GET /arrived` returns the measurements of each
path since the last such request.
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

from bench.service.webhooks import SLOW_S, Arrivals
from service.matches.container import wall_clock

QUIET_S = 2.0
arrivals: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
"""By path: when each message arrived, and how many seconds after its entry."""


class Handler(BaseHTTPRequestHandler):
    """Records messages, and returns the measurements."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self) -> None:
        """Receive a message."""
        body = msgspec.json.decode(self.rfile.read(int(self.headers["content-length"])))
        at = datetime.fromisoformat(body["timestamp"]).timestamp()
        arrivals[self.path].append((time.monotonic(), wall_clock() / 1000 - at))
        if is_slow(self.path):
            time.sleep(SLOW_S)
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        """Return the measurements, once no more messages arrive."""
        while self.path.startswith("/arrived") and _is_busy():
            time.sleep(0.1)
        told = msgspec.json.encode({path: _summarize(rows) for path, rows in arrivals.items()})
        arrivals.clear()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def is_slow(path: str) -> bool:
    """Whether responses to a path are late, with any query."""
    return path.partition("?")[0] == "/slow"


def _is_busy() -> bool:
    latest = max((rows[-1][0] for path, rows in arrivals.items() if not is_slow(path)), default=0)
    return time.monotonic() - latest < QUIET_S


def _summarize(rows: Sequence[tuple[float, float]]) -> Arrivals:
    seconds = rows[-1][0] - rows[0][0]
    return Arrivals(len(rows) / seconds if seconds else 0, [lag for _, lag in rows])


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    Thread(target=server.serve_forever).start()
