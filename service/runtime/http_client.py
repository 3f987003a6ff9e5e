"""The guarded HTTP client: one POST to an address that was checked, and to no other.

A name is resolved once for each connection, all its addresses are checked, and the socket goes to
one of these very addresses; so whoever answers differently the next time wins nothing. TLS and the
`Host` are still about the name. No redirect is followed, no proxy asked.
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
from threading import Event, Lock, Thread
from time import monotonic, sleep
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from service.runtime.address_guard import Address, Forbidden, literal_of, must_be_callable, read_url

REQUEST_S = 10.0
ANSWER_BYTES = 20_000
LOOK_S = 0.1
"""How often it is looked whose time is over."""
_PORTS = {"https": 443, "http": 80}
_RESOLVERS = ThreadPoolExecutor(256, "resolve")
"""A name server that is silent holds one of these for a while, and nobody else: there are as many
as there can be senders.
"""

Resolve = Callable[[str, int], Sequence[Address]]


class Answer(Struct, frozen=True):
    """What a receiver answered: its status, the beginning of its body, and its headers by their
    names in lower case.
    """

    code: int
    body: bytes
    headers: Mapping[str, str]


class NoAnswer(Exception):
    """A receiver was not called, or did not answer as one should; in one sentence."""


def resolve(host: str, port: int) -> Sequence[Address]:
    """All addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ip_address(str(place[0]).partition("%")[0]) for *_, place in found]


class Client:
    """Sends to one URL; keeps its connection for what comes next."""

    def __init__(
        self, url: str, loopback: bool, seconds: float = REQUEST_S, names: Resolve = resolve
    ) -> None:
        self._url, self._loopback, self._seconds, self._names = url, loopback, seconds, names
        self._connection: _Pinned | None = None

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
        """End the connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        """What is answered within the time there is, for all together; NoAnswer."""
        until = monotonic() + self._seconds
        try:
            if self._connection:
                with suppress(RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                    return self._asked(self._connection, headers, body, until)
                self.close()  # it had ended before we came
            self._connection = self._connected(until)
            return self._asked(self._connection, headers, body, until)
        except (OSError, HTTPException, Forbidden, NotYet) as error:
            self.close()
            raise NoAnswer(_reason(error, self._seconds)) from error
        except NoAnswer:
            self.close()
            raise

    def _connected(self, until: float) -> _Pinned:
        parts = read_url(self._url, self._loopback)
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        literal = literal_of(host)
        addresses = [literal] if literal else self._looked_up(host, port, until)
        must_be_callable(addresses, self._loopback)
        return _Pinned(host, port, addresses, parts.scheme == "https")

    def _looked_up(self, host: str, port: int, until: float) -> Sequence[Address]:
        addresses = _RESOLVERS.submit(self._names, host, port).result(until - monotonic())
        if not addresses:
            raise NoAnswer("The host has no address.")
        return addresses

    def _asked(
        self, connection: _Pinned, headers: Mapping[str, str], body: bytes, until: float
    ) -> Answer:
        with connection.limited(until):
            connection.request_at_once("POST", _target(self._url), body, dict(headers))
            with connection.getresponse() as answer:
                read = _beginning(answer)
                if not answer.isclosed():
                    self.close()  # there is more of it, which nobody reads
        return Answer(
            answer.status, read, {name.lower(): text for name, text in answer.getheaders()}
        )


class _Pinned(HTTPConnection):
    """A connection to one of some addresses, whatever its host resolves to by now."""

    def __init__(self, host: str, port: int, addresses: Sequence[Address], tls: bool) -> None:
        super().__init__(f"[{host}]" if ":" in host else host, port)
        self._name, self._addresses, self._tls = host, addresses, tls
        self._until, self._over = 0.0, False
        self._held: bytearray | None = None
        self.sock: socket.socket | None = None

    def request_at_once(
        self, method: str, target: str, body: bytes, headers: dict[str, str]
    ) -> None:
        """Send a request in one piece, so that its receiver wakes up once."""
        self._held = bytearray()
        try:
            self.request(method, target, body, headers)
        finally:
            whole, self._held = self._held, None
        self.send(whole)

    def send(self, data: Any) -> None:  # noqa: ANN401 - whatever its base takes
        """Send this, or hold it back until the request is complete."""
        if self._held is None:
            super().send(data)
        else:
            self._held += data

    def connect(self) -> None:
        """Connect to the first of the addresses that is there."""
        for last, address in enumerate(self._addresses, 1 - len(self._addresses)):
            try:
                each_s = self._left_s / (1 - last)
                self.sock = socket.create_connection((str(address), self.port), each_s)
                break
            except OSError:
                if last == 0 or self._over:
                    raise
        assert self.sock
        self.sock.settimeout(self._left_s)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls:
            self.sock = _tls().wrap_socket(self.sock, server_hostname=self._name)

    @contextmanager
    def limited(self, until: float) -> Iterator[None]:
        """All that is done here ends by this time, however slowly somebody answers."""
        self._until, self._over = until, False
        if self.sock:
            self.sock.settimeout(self._left_s)
        try:
            with _WATCH.watched(self, until):
                yield
        except Exception:
            if self._over:
                raise TimeoutError from None
            raise

    @property
    def _left_s(self) -> float:
        """How much time is left; a socket takes none for none at all."""
        return max(LOOK_S, self._until - monotonic())

    def cut(self) -> None:
        """End it: its time is over."""
        self._over = True
        with suppress(OSError):
            if self.sock:
                self.sock.shutdown(socket.SHUT_RDWR)


class _Watch:
    """Cuts connections whose time is over: one thread for all of them, since one each would take
    longer than many a request.
    """

    def __init__(self) -> None:
        self._until: dict[_Pinned, float] = {}
        self._some = Event()
        self._started = Lock()

    @contextmanager
    def watched(self, connection: _Pinned, until: float) -> Iterator[None]:
        """Cut this connection at a time, or soon after, unless the block is left before."""
        self._until[connection] = until
        self._some.set()
        if self._started.acquire(blocking=False):
            Thread(target=self._look, daemon=True, name="watch").start()
        try:
            yield
        finally:
            self._until.pop(connection, None)

    def _look(self) -> None:
        while self._some.wait():
            self._some.clear()
            while waiting := self._until.copy():
                for connection, until in waiting.items():
                    if monotonic() >= until:
                        connection.cut()
                sleep(LOOK_S)


_WATCH = _Watch()


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _target(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _beginning(answer: HTTPResponse) -> bytes:
    """The first bytes of an answer; asks for one more, so that its end is noticed."""
    read = b""
    while len(read) <= ANSWER_BYTES and (more := answer.read(ANSWER_BYTES + 1 - len(read))):
        read += more
    return read[:ANSWER_BYTES]


def _reason(error: Exception, seconds: float) -> str:
    """Why there was no answer, in a sentence that tells the owner nothing of our own network."""
    if isinstance(error, Forbidden):
        return f"The host was not called: {error}"
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {getattr(error, 'verify_message', '') or error.reason}."
    told = next(text for kind, text in _REASONS.items() if isinstance(error, kind))
    return told.format(seconds=f"{seconds:g}")


_REASONS: Mapping[type[Exception], str] = {
    NotYet: "There was no answer within {seconds} seconds.",
    TimeoutError: "There was no answer within {seconds} seconds.",
    socket.gaierror: "The name of the host cannot be resolved.",
    ConnectionRefusedError: "The connection was refused.",
    OSError: "The connection failed or broke.",
    Exception: "What came is not an answer in HTTP.",
}
"""What to say of each kind of error; the first that fits."""
