"""What an attacker does from one address; each attack runs in a process of its own."""

from __future__ import annotations

import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle, islice
from secrets import token_hex
from typing import NamedTuple

import msgspec

from bench.load.http import Response, Script, request, run

CONNECTIONS = 32
ONE_SHOT_SOCKETS = 600
STAY_S = 0.2
"""How long each of many sockets stays."""
SLOW_READERS = 2_400
TAKEN_BYTES, TAKEN_S = 2_048, 0.5
"""How much each slow reader takes at once, and how often."""
STREAMS_PER_ACCOUNT = 16
MOVE_INTERVAL_S = 0.1
ELSEWHERE = {"X-Forwarded-For": "203.0.113.1"}
"""An address for cleaning up."""

Wire = tuple[str, str, str, bytes]
"""Method, path, token and body of a request."""
Load = Callable[[int, Mapping[str, str], float], int]
"""Attacks a port from an address, given as headers, until a time (`time.monotonic`); returns the
number of refused requests.
"""


class Attack(NamedTuple):
    """An attack, and where it comes from."""

    name: str
    load: Load
    address: Mapping[str, str]
    """Headers with the address."""


def loop(wires: Sequence[Wire], port: int, address: Mapping[str, str], until: float) -> int:
    """Connections that send the next request as soon as they have a response."""
    scripts = [_send_each(wires, number, address, until) for number in range(CONNECTIONS)]
    return len(run(port, scripts, end=until).failures)


def open_and_delete(
    wires: Sequence[Wire], port: int, address: Mapping[str, str], until: float
) -> int:
    """Connections that create things in a loop, and in the end delete what was created."""
    made: list[Wire] = []

    def create(number: int) -> Script:
        for method, path, token, body in islice(cycle(wires), number, None):
            if time.monotonic() > until:
                return
            status, text = yield request(method, path, token, body, address)
            if status < 400:
                made.append(("DELETE", f"{path}/{msgspec.json.decode(text)['id']}", token, b""))

    refused = len(run(port, [create(number) for number in range(CONNECTIONS)]).failures)
    send_all(made, port, ELSEWHERE)
    return refused


def register(port: int, address: Mapping[str, str], until: float) -> int:
    """Registrations with new names."""
    names = (msgspec.json.encode({"name": token_hex(8)}) for _ in range(1_000))
    return loop([("POST", "/v1/players", "", name) for name in names], port, address, until)


def ask_and_leave(path: str, port: int, address: Mapping[str, str], until: float) -> int:
    """Each second many sockets that ask once each and close without reading."""
    wire = request("GET", path, headers=address)
    while time.monotonic() < until:
        sockets = [_connect(port) for _ in range(ONE_SHOT_SOCKETS)]
        for one in sockets:
            one.sendall(wire)
        time.sleep(STAY_S)
        for one in sockets:
            one.close()
        time.sleep(1 - STAY_S)
    return 0


def read_slowly(path: str, port: int, address: Mapping[str, str], until: float) -> int:
    """Many sockets that ask for a long response and take a little of it at a time; those that are
    cut off ask again.
    """
    wire, refused = request("GET", path, headers=address), 0
    readers: list[socket.socket] = []
    _permit_files(2 * SLOW_READERS)
    while time.monotonic() < until:
        began = time.monotonic()
        for one in list(readers):
            taken = _take(one)
            if taken is None:
                readers.remove(one)
                one.close()
            else:
                refused += taken.startswith(b"HTTP/1.1 4")
        while len(readers) < SLOW_READERS and time.monotonic() < until:
            readers.append(_connect(port, buffer=TAKEN_BYTES))
            readers[-1].sendall(wire)
        time.sleep(max(0.0, min(until, began + TAKEN_S) - time.monotonic()))
    for one in readers:
        one.close()
    return refused


def open_streams(
    path: str, tokens: Sequence[str], port: int, address: Mapping[str, str], until: float
) -> int:
    """As many streams as the accounts may hold; they read what arrives."""
    refused = 0
    with selectors.DefaultSelector() as selector:
        for token in [*tokens] * STREAMS_PER_ACCOUNT:
            one = _connect(port)
            one.sendall(request("GET", path, token, headers=address))
            selector.register(one, selectors.EVENT_READ)
        while time.monotonic() < until and selector.get_map():
            for key, _ in selector.select(0.1):
                assert isinstance(key.fileobj, socket.socket)
                data = key.fileobj.recv(1 << 16)
                refused += data.startswith(b"HTTP/1.1 4")
                if not data:
                    selector.unregister(key.fileobj)
        for key in list(selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
    return refused


def play(
    scripts: Sequence[Sequence[Wire]], port: int, address: Mapping[str, str], until: float
) -> int:
    """Moves in own matches; each start goes on where the last one ended."""
    turns = [_send_each(wires, 0, address, until) for wires in scripts]
    return len(run(port, turns, MOVE_INTERVAL_S).failures)


def send_all(wires: Iterable[Wire], port: int, address: Mapping[str, str]) -> list[Response]:
    """Send requests, each on a connection of its own; return the responses."""
    answers: list[Response] = []

    def script(method: str, path: str, token: str, body: bytes) -> Script:
        answers.append((yield request(method, path, token, body, address)))

    run(port, [script(*wire) for wire in wires])
    return answers


def spin(port: int, address: Mapping[str, str], until: float) -> int:
    """Use a processor outside of the service: what remains of a ratio is not the service's."""
    while time.monotonic() < until:
        pass
    return 0


def timed(load: Load, port: int, address: Mapping[str, str], until: float) -> tuple[int, float]:
    """The refused requests of an attack, and the processor seconds of the attacker."""
    began = time.process_time()
    refused = load(port, address, until)
    return refused, time.process_time() - began


def _send_each(
    wires: Sequence[Wire], first: int, address: Mapping[str, str], until: float
) -> Script:
    for method, path, token, body in islice(cycle(wires), first, None):
        if time.monotonic() > until:
            return
        yield request(method, path, token, body, address)


def _take(reader: socket.socket) -> bytes | None:
    """A little of what has arrived; None if the service has closed the connection."""
    try:
        return reader.recv(TAKEN_BYTES, socket.MSG_DONTWAIT) or None
    except BlockingIOError:
        return b""
    except ConnectionError:
        return None


def _permit_files(number: int) -> None:
    """Let this process open this number of files, as far as the system permits."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, min(number, most)), most))


def _connect(port: int, buffer: int | None = None) -> socket.socket:
    """A connection; the system keeps little more than `buffer` bytes of what has arrived."""
    one = socket.socket()
    if buffer is not None:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    one.connect(("127.0.0.1", port))
    return one
