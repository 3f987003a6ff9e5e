"""A load generator: many keep-alive connections in one process, each with a script of requests."""

from __future__ import annotations

import math
import re
import selectors
import socket
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

CONTENT_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)")
HEAD_END = b"\r\n\r\n"
LAST_CHUNK = b"\r\n0\r\n\r\n"
Response = tuple[int, bytes]
Script = Generator[bytes, Response, None]
"""Yields raw requests, and receives the status and the body of each response."""


@dataclass
class LoadResult:
    """The measurements of a run of scripts: the seconds of each request, and of the whole run."""

    latencies: list[float] = field(default_factory=list)
    failures: list[Response] = field(default_factory=list)
    seconds: float = 0.0
    usage: Counter[str] = field(default_factory=Counter)
    """What the processes used during the run, if it was measured."""

    @property
    def rate(self) -> float:
        """Requests per second."""
        return len(self.latencies) / self.seconds


def request(
    method: str,
    path: str,
    token: str = "",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """The bytes of a request."""
    head = [f"{method} {path} HTTP/1.1", "Host: bench", f"Content-Length: {len(body)}"]
    head += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if token:
        head.append(f"Authorization: Bearer {token}")
    if body:
        head.append("Content-Type: application/json")
    return "\r\n".join([*head, "", ""]).encode() + body


def repeat_until(end: float, wires: Sequence[bytes]) -> Script:
    """Send these requests in turn until a time (`time.monotonic`)."""
    for wire in cycle(wires):
        if time.monotonic() > end:
            return
        yield wire


def run(
    port: int, scripts: Iterable[Script], interval: float = 0.0, end: float = math.inf
) -> LoadResult:
    """Run the scripts concurrently, each on its connection.

    Each script sends its next request after the last response, and at least `interval` seconds
    after its last request. At the end (`time.monotonic`) all connections close, whatever they wait
    for.
    """
    timed = LoadResult()
    begin = time.perf_counter()
    with selectors.DefaultSelector() as selector:
        waiting = [_Connection(port, script, timed, interval) for script in scripts]
        for number, connection in enumerate(waiting):
            connection.due = begin + interval * number / len(waiting)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        _serve(selector, waiting, end)
        for key in selector.get_map().values():
            key.data.socket.close()
    timed.seconds = time.perf_counter() - begin
    return timed


def _serve(selector: selectors.BaseSelector, waiting: list[_Connection], end: float) -> None:
    """Send due requests and receive responses until all scripts have ended, or until the end."""
    while time.monotonic() < end:
        now = time.perf_counter()
        for connection in [one for one in waiting if one.due <= now]:
            waiting.remove(connection)
            if not connection.send():
                selector.unregister(connection.socket)
                connection.socket.close()
        if not selector.get_map():
            return  # otherwise `select` would wait a second for nothing
        until = min((one.due for one in waiting), default=now + 1)
        for key, _ in selector.select(max(0.0, until - time.perf_counter())):
            if key.data.receive():
                waiting.append(key.data)


class _Connection:
    """A script and its connection."""

    def __init__(self, port: int, script: Script, timed: LoadResult, interval: float) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.due = 0.0
        self._interval = interval
        self._script, self._result = script, timed
        self._response: Response | None = None
        self._buffer = bytearray()
        self._sent = 0.0

    def send(self) -> bool:
        """Send the next request of the script; False if there is none."""
        try:
            wire = (
                next(self._script) if self._response is None else self._script.send(self._response)
            )
        except StopIteration:
            return False
        self._sent = time.perf_counter()
        self.socket.sendall(wire)
        return True

    def receive(self) -> bool:
        """Read what has arrived; returns whether the response is complete."""
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            raise ConnectionError("the server closed a connection")
        self._buffer += chunk  # in place: a response may have megabytes
        answer = self._complete()
        if answer is None:
            return False
        self._response = answer
        self._result.latencies.append(time.perf_counter() - self._sent)
        self.due = self._sent + self._interval
        if answer[0] >= 400:
            self._result.failures.append(answer)
        return True

    def _complete(self) -> Response | None:
        start = self._buffer.find(HEAD_END) + len(HEAD_END)
        end = self._end_of_body(start) if start >= len(HEAD_END) else None
        if end is None or len(self._buffer) < end:
            return None
        answer = int(self._buffer[9:12]), bytes(self._buffer[start:end])
        del self._buffer[:end]
        return answer

    def _end_of_body(self, start: int) -> int | None:
        """Where the body that starts here ends; None if its last chunk is missing."""
        head = bytes(self._buffer[:start]).lower()
        if found := CONTENT_LENGTH.search(head):
            return start + int(found[1])
        if b"\r\ntransfer-encoding: chunked" in head:
            return len(self._buffer) if self._buffer.endswith(LAST_CHUNK) else None
        return start
