"""The whole service under load: its processes, Redis and the load generator on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from bench.compare.peer import Peer, measure_peers
from bench.load.http import LoadResult
from bench.load.limits import fsyncs, spread
from bench.load.loads import bare_load, baseline_load, moves_load
from bench.load.servers import Server, run_apart, run_beside, run_service
from bench.load.usage import usage_per_move
from bench.service import lag
from workers.host.redis.server import run_redis

MATCHES = 200
IN_TURN_MATCHES = 10  # matches that one client plays one after another
MOVES_PER_S = 600  # moves per second in all
BARE_REQUESTS = 20


def figures(folder: Path) -> dict[str, float]:
    """Moves per second, latencies and processor time with one client and with 200 matches, beside a
    bare route, the baseline, and another project if this machine has what it needs.
    """
    with run_redis(folder / "beside") as url:
        with run_beside("bench.compare.bare_server", url) as server:
            bare = (
                run_apart(bare_load, server, 1, 200),
                run_apart(bare_load, server, MATCHES, BARE_REQUESTS),
            )
        with run_beside("bench.compare.baseline", url) as server:
            baseline = (
                run_apart(baseline_load, server, IN_TURN_MATCHES, True),
                run_apart(baseline_load, server, MATCHES),
            )
    with run_service(folder / "rest") as server:
        ours = _ServiceLoads(server)
    peers = list(measure_peers(folder / "peer", MATCHES, IN_TURN_MATCHES))
    return {
        **_latencies("bare route", *bare),
        **_latencies("baseline", *baseline),
        **_latencies("the service", ours.one, ours.many),
        **ours.figures(fsyncs(folder)),
        **dict(_ratios(ours.many, bare[1], baseline[1])),
        **{what: figure for peer in peers for what, figure in _peer(peer, ours.many)},
        "requests that failed": sum(
            len(load.failures) for load in (*bare, *baseline, ours.one, ours.many, ours.paced)
        ),
    }


class _ServiceLoads:
    """Loads of the service: one client, 200 matches at full speed, and 200 at a fixed rate."""

    def __init__(self, server: Server) -> None:
        self.one = run_apart(moves_load, server, IN_TURN_MATCHES, in_turn=True)
        with lag.measure_lags(server.events_url) as self._lags:
            self.many = run_apart(moves_load, server, MATCHES)
            self._settled = lag.wait_until_folded(server.events_url)
        self.paced = run_apart(moves_load, server, MATCHES, interval=MATCHES / MOVES_PER_S)

    def figures(self, fsyncs: list[float]) -> dict[str, float]:
        """Figures of only the service; `fsyncs` are the seconds of some writes."""
        paced, cuts = self.paced, quantiles(self.many.latencies, n=100)
        beyond = median(self.one.latencies) - median(fsyncs)
        return {
            "the service, 1 client, p50 minus an fdatasync, ms": 1000 * beyond,
            f"the service, {MATCHES} matches at full speed, p99 relative to p50": cuts[98]
            / cuts[49],
            f"{MATCHES} matches at {MOVES_PER_S} moves per second, achieved": paced.rate,
            **spread(f"{MATCHES} matches at {MOVES_PER_S} moves per second", paced.latencies),
            **spread("from an entry until it is in the lists, under load", self._lags),
            "projections caught up after the load, ms": 1000 * self._settled,
            **usage_per_move(self.many.usage, len(self.many.latencies)),
        }


def _latencies(name: str, one: LoadResult, many: LoadResult) -> dict[str, float]:
    """Latencies of one client and of 200, and the rate of the latter."""
    return {
        **spread(f"{name}, 1 client", one.latencies),
        f"{name}, {MATCHES} at once, per second": many.rate,
        **spread(f"{name}, {MATCHES} at once", many.latencies),
    }


def _ratios(
    ours: LoadResult, bare: LoadResult, baseline: LoadResult
) -> Iterator[tuple[str, float]]:
    yield "moves per second as a share of the bare route's", ours.rate / bare.rate
    yield "moves per second as a share of the baseline's", ours.rate / baseline.rate
    yield "the web processes' us per move, relative to the baseline's", _web(ours) / _web(baseline)


def _web(timed: LoadResult) -> float:
    """Microseconds of the web processes per request."""
    return timed.usage["web, us of processor time"] / len(timed.latencies)


def _peer(peer: Peer, ours: LoadResult) -> Iterator[tuple[str, float]]:
    yield from _latencies(peer.name, peer.one, peer.many).items()
    yield f"{peer.name}, our moves per second relative to it", ours.rate / peer.many.rate
