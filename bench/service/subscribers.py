"""Many subscribers to matches in one web process: the cost of each, and of each event for them."""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.load.http import Script, request, run
from bench.load.matches import open_matches, playing_script, random_moves, sign_up
from bench.load.servers import Server, run_apart, run_service
from bench.load.usage import private_memory, process_kinds, read_usage
from domain.engine.play import Move
from workers.host.web import allow_connections

SUBSCRIBERS = 5_000
"""Number of subscribers; `BENCH_SUBSCRIBERS` overrides it."""
EVENTS = 12  # moves of the single match, before and with subscribers
EVENTS_EACH = 2  # moves of each match with one subscriber
MAX_REQUESTS = 200  # concurrent requests for moves and matches; only streams are many
TIMEOUT_S = 120
CLOSING_S = 3  # until the service has noticed closed streams
WEB = "web, us of processor time"
STREAM_START, ENTRY_EVENT = b"retry:", b"event: entry"


@dataclass(frozen=True)
class SubscriberCost:
    """The cost of a subscriber: microseconds of processor time per event beyond that of the move,
    and bytes of memory; and seconds from the request for the moves until all have received them.
    """

    cpu_us: float
    memory: float
    seconds: float


def figures(folder: Path) -> dict[str, float]:
    """Processor time of an event per subscriber, and memory of a subscriber: all at one match, and
    each at a separate match.
    """
    count = int(os.environ.get("BENCH_SUBSCRIBERS", SUBSCRIBERS))
    one = _measure(folder / "one", 1, count, EVENTS)
    many = _measure(folder / "many", count, 1, EVENTS_EACH)
    return {
        **dict(_row(f"{count:,} subscribers to one match", one)),
        f"{count:,} subscribers to one match, from a move until all received it, p50 ms": 1000
        * one.seconds,
        **dict(_row(f"{count:,} subscribers to as many matches", many)),
    }


def _measure(folder: Path, matches: int, each: int, events: int) -> SubscriberCost:
    """The cost of some subscribers to each of some matches, in a new service."""
    most = str(2 * matches * each)
    with run_service(
        folder, ANNALS_WEB_PROCESSES="1", ANNALS_MAX_STREAMS=most,
        ANNALS_STREAMS_PER_CALLER=most, ANNALS_STREAMS_PER_ADDRESS=most,
    ) as server:  # fmt: skip
        return run_apart(measure_subscribers, server, matches, each, events)


def _row(name: str, cost: SubscriberCost) -> Iterator[tuple[str, float]]:
    yield f"{name}, us of CPU per subscriber and event", cost.cpu_us
    yield f"{name}, kB of memory per subscriber", cost.memory / 1000


def measure_subscribers(server: Server, matches: int, each: int, events: int) -> SubscriberCost:
    """Play some moves of matches without subscribers, then as many with them, then as many without
    them again, because the cost of a move may grow with the match.
    """
    allow_connections()
    play = _Play(server.port, matches, 3 * events)
    with selectors.DefaultSelector() as selector:
        before, _ = _rounds(server, play, selector, events)
        empty = _memory(server)
        for match_id in play.ids * each:
            _subscribe(selector, server.port, match_id)
        _wait_for_all(selector, STREAM_START)
        bytes_each = (_memory(server) - empty) / (matches * each)
        loud, seconds = _rounds(server, play, selector, events)
        for key in list(selector.get_map().values()):
            selector.unregister(key.fileobj).data.socket.close()
        time.sleep(CLOSING_S)
        after, _ = _rounds(server, play, selector, events)
    quiet = (before + after) / 2
    return SubscriberCost((loud - quiet) / (matches * each * events), bytes_each, seconds)


class _Play:
    """Matches of one player, in lockstep."""

    def __init__(self, port: int, count: int, moves: int) -> None:
        self.port, self._token, self.ids = port, sign_up(port), list[str]()
        for start in range(0, count, MAX_REQUESTS):
            self.ids += open_matches(port, self._token, min(MAX_REQUESTS, count - start))
        self._moves = {match_id: iter(random_moves(match_id, moves)) for match_id in self.ids}

    def next_moves(self) -> None:
        """Make the next move of each match."""
        connections = [
            self.ids[start::MAX_REQUESTS] for start in range(min(MAX_REQUESTS, len(self.ids)))
        ]
        timed = run(self.port, map(self._script, connections))
        assert not timed.failures, timed.failures[0]

    def _script(self, ids: list[str]) -> Script:
        for match_id in ids:
            move: Move = next(self._moves[match_id])
            yield from playing_script(match_id, self._token, [move])


@dataclass
class _Subscriber:
    """A connection that subscribes to a match."""

    socket: socket.socket
    tail: bytes = field(default=b"")

    def count(self, mark: bytes) -> int:
        """The number of marks received so far."""
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            raise ConnectionError("a stream ended")
        if chunk.startswith(b"HTTP/1.1 ") and not chunk.startswith(b"HTTP/1.1 200 "):
            raise ConnectionError(chunk.decode())
        text = self.tail + chunk
        self.tail = text[1 - len(mark) :]  # a mark may be split over two chunks
        return text.count(mark)


def _subscribe(selector: selectors.BaseSelector, port: int, match_id: str) -> None:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(request("GET", f"/v1/matches/{match_id}/stream"))
    selector.register(connection, selectors.EVENT_READ, _Subscriber(connection))


def _wait_for_all(selector: selectors.BaseSelector, mark: bytes) -> None:
    """Wait until each subscriber has received one more mark."""
    missing, until = len(selector.get_map()), time.monotonic() + TIMEOUT_S
    while missing > 0:
        ready = selector.select(until - time.monotonic())
        if not ready:
            raise TimeoutError(f"{missing} subscribers received nothing")
        missing -= sum(key.data.count(mark) for key, _ in ready)


def _rounds(
    server: Server, play: _Play, selector: selectors.BaseSelector, events: int
) -> tuple[int, float]:
    """Microseconds of the web process for some moves of all matches, until all subscribers have
    received them; and the median seconds of a round.
    """
    before, seconds = read_usage(server.pid)[WEB], list[float]()
    for _ in range(events):
        begin = time.perf_counter()
        play.next_moves()
        _wait_for_all(selector, ENTRY_EVENT)
        seconds.append(time.perf_counter() - begin)
    return read_usage(server.pid)[WEB] - before, median(seconds)


def _memory(server: Server) -> int:
    """The bytes of all web processes."""
    return sum(private_memory(pid) for kind, pid in process_kinds(server.pid) if kind == "web")
