"""The guarded HTTP client: sends POST requests to checked addresses only.

For each connection the client resolves the name once, checks all addresses, and connects to one of
exactly these; so a DNS answer that changes later (DNS rebinding) gains nothing. TLS and the `Host`
header still use the name. The client follows no redirects and uses no proxy.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager, suppress
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from ipaddress import ip_address
from threading import Event, Lock
from time import monotonic, sleep
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from service.runtime.address_guard import (
    Address,
    BlockedAddress,
    check_addresses,
    ip_literal,
    parse_url,
)
from service.runtime.logs import lasting_thread

TIMEOUT_S = 10.0
MAX_BODY_BYTES = 20_000
DEADLINE_CHECK_S = 0.1
"""Interval at which requests are checked for their deadline, in seconds."""
_DEFAULT_PORTS = {"https": 443, "http": 80}
_RESOLVERS = ThreadPoolExecutor(256, "resolve")
"""A silent name server occupies one of these threads for a while. There are as many threads as
there can be senders, so it never blocks others.
"""

Resolve = Callable[[str, int], Sequence[Address]]


class ReceiverResponse(Struct, frozen=True):
    """A response: its status, the beginning of its body, and its headers by lower-case name."""

    code: int
    body: bytes
    headers: Mapping[str, str]


class RequestError(Exception):
    """The receiver was not called, or sent no valid response; the message is one sentence."""


def resolve(host: str, port: int) -> Sequence[Address]:
    """Return all addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(str(place[0]).partition("%")[0]) for *_, place in found]


class Client:
    """Sends requests to one URL and reuses its connection."""

    def __init__(
        self, url: str, loopback: bool, seconds: float = TIMEOUT_S, resolver: Resolve = resolve
    ) -> None:
        self._url, self._loopback, self._seconds, self._resolver = url, loopback, seconds, resolver
        self._connection: _PinnedConnection | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def post(self, headers: Mapping[str, str], body: bytes) -> ReceiverResponse:
        """Send a request and return the response. The time limit covers everything. Raises
        RequestError.
        """
        until = monotonic() + self._seconds
        try:
            if self._connection:
                with suppress(RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                    return self._send(self._connection, headers, body, until)
                self.close()  # the receiver had closed it
            self._connection = self._connect(until)
            return self._send(self._connection, headers, body, until)
        except (OSError, HTTPException, BlockedAddress, NotYet) as error:
            self.close()
            raise RequestError(_reason(error, self._seconds)) from error
        except RequestError:
            self.close()
            raise

    def _connect(self, until: float) -> _PinnedConnection:
        parts = parse_url(self._url, self._loopback)
        host, port = parts.hostname or "", parts.port or _DEFAULT_PORTS[parts.scheme]
        literal = ip_literal(host)
        addresses = [literal] if literal else self._look_up(host, port, until)
        return _PinnedConnection(host, port, addresses, parts.scheme == "https")

    def _look_up(self, host: str, port: int, until: float) -> Sequence[Address]:
        """Return the addresses of a name. Raises RequestError unless all of them may be called; the
        sentence does not reveal whether the name exists in the internal network.
        """
        try:
            found = _RESOLVERS.submit(self._resolver, host, port).result(until - monotonic())
            check_addresses(found, self._loopback)
        except (socket.gaierror, BlockedAddress):
            found = ()
        if not found:
            raise RequestError("The host name has no address, or one outside the public internet.")
        return found

    def _send(
        self, connection: _PinnedConnection, headers: Mapping[str, str], body: bytes, until: float
    ) -> ReceiverResponse:
        with connection.end_by(until):
            connection.request_in_one_write("POST", _target(self._url), body, dict(headers))
            with connection.getresponse() as answer:
                read = _read_body(answer)
                if not answer.isclosed():
                    self.close()  # the rest of the body is not read
        return ReceiverResponse(
            answer.status, read, {name.lower(): text for name, text in answer.getheaders()}
        )


class _PinnedConnection(HTTPConnection):
    """A connection to one of the given addresses, regardless of later DNS answers."""

    def __init__(self, host: str, port: int, addresses: Sequence[Address], tls: bool) -> None:
        super().__init__(f"[{host}]" if ":" in host else host, port)
        self._name, self._addresses, self._tls = host, addresses, tls
        self._until, self._expired = 0.0, False
        self._whole_request: bytearray | None = None
        self.sock: socket.socket | None = None

    def request_in_one_write(
        self, method: str, target: str, body: bytes, headers: dict[str, str]
    ) -> None:
        """Send a request in one write, so that the receiver wakes up once."""
        self._whole_request = bytearray()
        try:
            self.request(method, target, body, headers)
        finally:
            whole, self._whole_request = self._whole_request, None
        self.send(whole)

    def send(self, data: Any) -> None:  # noqa: ANN401 - as its base class
        """Send data, or buffer it until the request is complete."""
        if self._whole_request is None:
            super().send(data)
        else:
            self._whole_request += data

    def connect(self) -> None:
        """Connect to the first address that answers."""
        for last, address in enumerate(self._addresses, 1 - len(self._addresses)):
            try:
                each_s = self._left_s / (1 - last)
                self.sock = socket.create_connection((str(address), self.port), each_s)
                break
            except OSError:
                if last == 0 or self._expired:
                    raise
        assert self.sock
        self.sock.settimeout(self._left_s)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls:
            self.sock = _tls().wrap_socket(self.sock, server_hostname=self._name)

    @contextmanager
    def end_by(self, until: float) -> Iterator[None]:
        """End everything in this block by a deadline, however slowly the receiver answers."""
        self._until, self._expired = until, False
        if self.sock:
            self.sock.settimeout(self._left_s)
        try:
            with _DEADLINES.watch(self, until):
                yield
        except Exception:
            if self._expired:
                raise TimeoutError from None
            raise

    @property
    def _left_s(self) -> float:
        """Seconds left; never 0, which a socket takes for "do not block"."""
        return max(DEADLINE_CHECK_S, self._until - monotonic())

    def shut_down(self) -> None:
        """Shut the connection down: its deadline has passed."""
        self._expired = True
        with suppress(OSError):
            if self.sock:
                self.sock.shutdown(socket.SHUT_RDWR)


class _DeadlineWatcher:
    """Shuts down connections whose deadline has passed. One thread serves all of them, because
    starting a thread each would take longer than many requests.
    """

    def __init__(self) -> None:
        self._until: dict[_PinnedConnection, float] = {}
        self._has_connections = Event()
        self._started = Lock()

    @contextmanager
    def watch(self, connection: _PinnedConnection, until: float) -> Iterator[None]:
        """Shut this connection down soon after the deadline, unless the block ends first."""
        self._until[connection] = until
        self._has_connections.set()
        if self._started.acquire(blocking=False):
            lasting_thread(Event(), self._run, name="watch").start()
        try:
            yield
        finally:
            self._until.pop(connection, None)

    def _run(self) -> None:
        while self._has_connections.wait():
            self._has_connections.clear()
            while waiting := self._until.copy():
                for connection, until in waiting.items():
                    if monotonic() >= until:
                        connection.shut_down()
                sleep(DEADLINE_CHECK_S)


_DEADLINES = _DeadlineWatcher()


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _target(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _read_body(answer: HTTPResponse) -> bytes:
    """Return the first bytes of a body. Reads one byte more, to notice its end."""
    read = b""
    while len(read) <= MAX_BODY_BYTES and (more := answer.read(MAX_BODY_BYTES + 1 - len(read))):
        read += more
    return read[:MAX_BODY_BYTES]


def _reason(error: Exception, seconds: float) -> str:
    """Return why there was no response, in a sentence that reveals nothing about the internal
    network.
    """
    if isinstance(error, BlockedAddress):
        return f"Annals does not call this host: {error}"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {getattr(error, 'verify_message', '') or error.reason}."
    reason = next(text for kind, text in _REASON_TEXTS.items() if isinstance(error, kind))
    return reason.format(seconds=f"{seconds:g}")


_REASON_TEXTS: Mapping[type[Exception], str] = {
    NotYet: "The receiver did not respond within {seconds} seconds.",
    TimeoutError: "The receiver did not respond within {seconds} seconds.",
    ConnectionRefusedError: "The receiver refused the connection.",
    OSError: "The connection failed or broke.",
    Exception: "The response is not valid HTTP.",
}
"""The sentence for each kind of error; the first match counts."""
