"""Many who listen to matches, in one web process: what each takes, and each event for them."""

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
from bench.load.matches import moves_of, open_matches, playing_script, sign_up
from bench.load.servers import Server, apart, service
from bench.load.usage import memory, processes, used
from domain.engine.play import Move
from workers.host.web import allow_connections

LISTENERS = 5_000
"""`ANNALS_BENCH_LISTENERS` is another number of them."""
EVENTS = 12  # moves of the one match to which all listen: before and while they do
EVENTS_EACH = 2  # moves of each match that has a listener of its own
AT_ONCE = 200  # requests for moves and matches, so that only streams are many
PATIENCE_S = 120
CLOSING_S = 3  # until the service has noticed that all have gone
WEB = "web, us of processor time"
BEGUN, HEARD = b"retry:", b"event: entry"


@dataclass(frozen=True)
class Heard:
    """What a listener took: us of CPU for each event beyond what its move takes anyway, and bytes
    of memory; and seconds from asking for the moves until all had heard of them.
    """

    cpu_us: float
    memory: float
    seconds: float


def figures(folder: Path) -> dict[str, float]:
    """CPU of an event for each listener, and memory of a listener: all at one match, and each at
    one of their own.
    """
    count = int(os.environ.get("ANNALS_BENCH_LISTENERS", LISTENERS))
    one = _measured(folder / "one", 1, count, EVENTS)
    many = _measured(folder / "many", count, 1, EVENTS_EACH)
    return {
        **dict(_row(f"{count:,} listeners to one match", one)),
        f"{count:,} listeners to one match, from a move until all know, p50 ms": 1000 * one.seconds,
        **dict(_row(f"{count:,} listeners to as many matches", many)),
    }


def _measured(folder: Path, matches: int, each: int, events: int) -> Heard:
    """What some listeners to each of some matches take, in a service of their own."""
    most = str(2 * matches * each)
    with service(
        folder, ANNALS_WEB_PROCESSES="1", ANNALS_MAX_STREAMS=most,
        ANNALS_STREAMS_EACH=most, ANNALS_STREAMS_ADDRESS=most,
    ) as server:  # fmt: skip
        return apart(listened, server, matches, each, events)


def _row(name: str, heard: Heard) -> Iterator[tuple[str, float]]:
    yield f"{name}, us of CPU for each and event", heard.cpu_us
    yield f"{name}, kB of memory for each", heard.memory / 1000


def listened(server: Server, matches: int, each: int, events: int) -> Heard:
    """Play some moves of matches with nobody there, then as many while some listen to each, then as
    many with nobody there again: what a move takes may grow with the match.
    """
    allow_connections()
    play = _Play(server.port, matches, 3 * events)
    with selectors.DefaultSelector() as selector:
        before, _ = _rounds(server, play, selector, events)
        empty = _memory(server)
        for match_id in play.ids * each:
            _listen(selector, server.port, match_id)
        _hear(selector, BEGUN)
        bytes_each = (_memory(server) - empty) / (matches * each)
        loud, seconds = _rounds(server, play, selector, events)
        for key in list(selector.get_map().values()):
            selector.unregister(key.fileobj).data.socket.close()
        time.sleep(CLOSING_S)
        after, _ = _rounds(server, play, selector, events)
    quiet = (before + after) / 2
    return Heard((loud - quiet) / (matches * each * events), bytes_each, seconds)


class _Play:
    """Matches of one player, each move of all of them after the one before."""

    def __init__(self, port: int, count: int, moves: int) -> None:
        self.port, self._token, self.ids = port, sign_up(port), list[str]()
        for start in range(0, count, AT_ONCE):
            self.ids += open_matches(port, self._token, min(AT_ONCE, count - start))
        self._moves = {match_id: iter(moves_of(match_id, moves)) for match_id in self.ids}

    def next_moves(self) -> None:
        """Make the next move of each match."""
        connections = [self.ids[start::AT_ONCE] for start in range(min(AT_ONCE, len(self.ids)))]
        timed = run(self.port, map(self._script, connections))
        assert not timed.failures, timed.failures[0]

    def _script(self, ids: list[str]) -> Script:
        for match_id in ids:
            move: Move = next(self._moves[match_id])
            yield from playing_script(match_id, self._token, [move])


@dataclass
class _Listener:
    """A connection on which somebody hears of a match."""

    socket: socket.socket
    tail: bytes = field(default=b"")

    def count(self, mark: bytes) -> int:
        """How many marks have come by now."""
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            raise ConnectionError("a stream ended")
        if chunk.startswith(b"HTTP/1.1 ") and not chunk.startswith(b"HTTP/1.1 200 "):
            raise ConnectionError(chunk.decode())
        text = self.tail + chunk
        self.tail = text[1 - len(mark) :]  # a mark may come in two halves
        return text.count(mark)


def _listen(selector: selectors.BaseSelector, port: int, match_id: str) -> None:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(request("GET", f"/v1/matches/{match_id}/stream"))
    selector.register(connection, selectors.EVENT_READ, _Listener(connection))


def _hear(selector: selectors.BaseSelector, mark: bytes) -> None:
    """Return once each listener has heard one more mark."""
    missing, until = len(selector.get_map()), time.monotonic() + PATIENCE_S
    while missing > 0:
        ready = selector.select(until - time.monotonic())
        if not ready:
            raise TimeoutError(f"{missing} listeners heard nothing")
        missing -= sum(key.data.count(mark) for key, _ in ready)


def _rounds(
    server: Server, play: _Play, selector: selectors.BaseSelector, events: int
) -> tuple[int, float]:
    """Microseconds of the web process for some moves of all matches, until all have heard of them;
    and the seconds that this took for each, in the middle.
    """
    before, seconds = used(server.pid)[WEB], list[float]()
    for _ in range(events):
        begin = time.perf_counter()
        play.next_moves()
        _hear(selector, HEARD)
        seconds.append(time.perf_counter() - begin)
    return used(server.pid)[WEB] - before, median(seconds)


def _memory(server: Server) -> int:
    """Bytes of all web processes."""
    return sum(memory(pid) for kind, pid in processes(server.pid) if kind == "web")
