"""A receiver of webhooks: records the requests, and answers as configured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import pytest
from standardwebhooks import Webhook, webhooks


@dataclass(frozen=True)
class Got:
    """A received request."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    @property
    def type(self) -> str:
        return str(self.body["type"])

    @property
    def data(self) -> Any:
        return self.body["data"]

    def verify(self, secret: str) -> Any:
        """The body, if the public library accepts the signature for this secret at the time that
        the request states.
        """
        sent = datetime.fromtimestamp(int(self.headers["webhook-timestamp"]), UTC)
        with library_time(sent):
            return Webhook(secret).verify(self.raw, self.headers)


@contextmanager
def library_time(at: datetime) -> Iterator[None]:
    """The time that the public library reads; freezegun would search all modules for clocks."""

    class Frozen(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return at.astimezone(tz)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhooks, "datetime", Frozen)
        yield


Reply = tuple[int, dict[str, str], bytes]
OK: Reply = (204, {}, b"")


@dataclass
class Receiver:
    """The requests, in order; a test can change the answer at any time."""

    url: str = ""
    got: list[Got] = field(default_factory=list)
    reply: Callable[[Got], Reply] = lambda _: OK
    at_once: int = 0
    most_at_once: int = 0
    connections: int = 0
    lock: Any = field(default_factory=Lock)

    def take(self, got: Got) -> Reply:
        with self.lock:
            self.got.append(got)
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            return self.reply(got)
        finally:
            with self.lock:
                self.at_once -= 1

    def answers(self, code: int, body: bytes = b"", **headers: str) -> None:
        """Answer all later requests like this."""
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        self.reply = lambda _: (code, sent, body)

    def ids(self) -> list[str]:
        return [one.id for one in self.got]


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """A receiver that listens on this machine until the end of the block."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            receiver.connections += 1

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            code, more, body = receiver.take(Got(self.path, headers, raw))
            self.send_response(code)
            for name, text in {**more, "content-length": str(len(body))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
