"""The whole service under load: its processes, Redis and the load generator on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from bench.compare.peer import Peer, measured
from bench.load.http import Timed
from bench.load.limits import fsyncs, spread
from bench.load.loads import bare_load, floor_load, moves_load
from bench.load.servers import Server, apart, beside, service
from bench.load.usage import each
from bench.service import lag
from workers.host.redis_server import embedded_redis

MATCHES = 200
ALONE = 10  # matches that one client plays, one after another
PACE = 600  # moves per second in all
BARE_REQUESTS = 20


def figures(folder: Path) -> dict[str, float]:
    """Moves per second, latencies and processor time with one client and with 200 matches; beside
    a bare route, the floor, and another project if this machine has what it needs.
    """
    with embedded_redis(folder / "beside") as url:
        with beside("bench.compare.bare_server", url) as server:
            bare = (
                apart(bare_load, server, 1, 200),
                apart(bare_load, server, MATCHES, BARE_REQUESTS),
            )
        with beside("bench.compare.baseline", url) as server:
            floor = apart(floor_load, server, ALONE, True), apart(floor_load, server, MATCHES)
    with service(folder / "rest") as server:
        ours = _Ours(server)
    peers = list(measured(folder / "peer", MATCHES, ALONE))
    return {
        **_latencies("bare route", *bare),
        **_latencies("the floor", *floor),
        **_latencies("the service", ours.one, ours.many),
        **ours.figures(fsyncs(folder)),
        **dict(_ratios(ours.many, bare[1], floor[1])),
        **{what: figure for peer in peers for what, figure in _peer(peer, ours.many)},
        "requests that failed": sum(
            len(load.failures) for load in (*bare, *floor, ours.one, ours.many, ours.paced)
        ),
    }


class _Ours:
    """What the service does: one client, 200 matches as fast as they can, and at a pace."""

    def __init__(self, server: Server) -> None:
        self.one = apart(moves_load, server, ALONE, in_turn=True)
        with lag.watched(server.events_url) as self._lags:
            self.many = apart(moves_load, server, MATCHES)
            self._settled = lag.settled(server.events_url)
        self.paced = apart(moves_load, server, MATCHES, interval=MATCHES / PACE)

    def figures(self, fsyncs: list[float]) -> dict[str, float]:
        """What only the service has; `fsyncs` are the seconds that some writes took."""
        paced, cuts = self.paced, quantiles(self.many.latencies, n=100)
        beyond = median(self.one.latencies) - median(fsyncs)
        return {
            "the service, 1 client, p50 beyond an fdatasync, ms": 1000 * beyond,
            f"the service, {MATCHES} matches at full speed, p99 as a ratio to p50": cuts[98]
            / cuts[49],
            f"{PACE} moves per second offered, made": paced.rate,
            **spread(f"{PACE} moves per second offered, a move", paced.latencies),
            **spread("from an entry until the lists know it, under load", self._lags),
            "projections caught up after the load, ms": 1000 * self._settled,
            **each(self.many.spent, len(self.many.latencies)),
        }


def _latencies(name: str, one: Timed, many: Timed) -> dict[str, float]:
    """What one client waits, and what 200 do, with how much they get done."""
    return {
        **spread(f"{name}, 1 client", one.latencies),
        f"{name}, {MATCHES} at once, per second": many.rate,
        **spread(f"{name}, {MATCHES} at once", many.latencies),
    }


def _ratios(ours: Timed, bare: Timed, floor: Timed) -> Iterator[tuple[str, float]]:
    yield "moves per second as a share of the bare route's", ours.rate / bare.rate
    yield "moves per second as a share of the floor's", ours.rate / floor.rate
    yield "the web processes' us a move as a ratio to the floor's", _web(ours) / _web(floor)


def _web(timed: Timed) -> float:
    """Microseconds of the web processes a request."""
    return timed.spent["web, us of processor time"] / len(timed.latencies)


def _peer(peer: Peer, ours: Timed) -> Iterator[tuple[str, float]]:
    yield from _latencies(peer.name, peer.one, peer.many).items()
    yield f"{peer.name}, our moves per second as a ratio to its", ours.rate / peer.many.rate
