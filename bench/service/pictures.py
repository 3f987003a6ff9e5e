"""How much plain requests slow down while a client requests pictures without a pause."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import quantiles

from bench.load.http import LoadResult, repeat_until, request, run
from bench.load.limits import spread
from bench.load.matches import open_matches, sign_up
from bench.load.servers import run_apart, run_service

SECONDS = 8.0
INTERVAL_S = 0.02  # between two plain requests, so that they never queue
LOOPS = 8
KINDS = {
    "the same picture": range(1_000, 1_001),
    "pictures that have to be drawn": range(1_000, 1_400),
}
"""The widths of the requests, in turn."""


def figures(folder: Path) -> dict[str, float]:
    """Latencies of `GET` of a match, with and without loops of `board.png` without a limit."""
    with run_service(folder / "painted") as server:
        port = server.port
        [match] = open_matches(port, sign_up(port), 1)
        run_apart(pictures_load, port, match, 1.0, KINDS["the same picture"])  # starts the painters
        quiet = run_apart(state_load, port, match, SECONDS)
        beside = {kind: _beside(port, match, widths) for kind, widths in KINDS.items()}
    failures = len(quiet.failures)
    figures = spread("a match, no other load", quiet.latencies)
    for kind, (state, drawn) in beside.items():
        name = f"the same beside {LOOPS} loops of {kind}"
        figures |= spread(name, state.latencies)
        figures[f"{name}, p99 relative to no load"] = _p99(state) / _p99(quiet)
        figures[f"{kind}, per second"] = len(drawn.latencies) / drawn.seconds
        failures += len(state.failures) + len(drawn.failures)
    return {**figures, "requests that failed": failures}


def _beside(port: int, match: str, widths: Sequence[int]) -> tuple[LoadResult, LoadResult]:
    """The latencies of a match beside loops of pictures, and those of the pictures."""
    with ThreadPoolExecutor(1) as pool:
        loud = pool.submit(run_apart, pictures_load, port, match, SECONDS + 2, widths)
        return run_apart(state_load, port, match, SECONDS), loud.result()


def _p99(timed: LoadResult) -> float:
    return quantiles(timed.latencies, n=100)[98]


def state_load(port: int, match: str, seconds: float) -> LoadResult:
    """A client that reads a match at intervals."""
    wire = request("GET", f"/v1/matches/{match}")
    return run(port, [repeat_until(time.monotonic() + seconds, [wire])], INTERVAL_S)


def pictures_load(port: int, match: str, seconds: float, widths: Sequence[int]) -> LoadResult:
    """Clients that request pictures, each the next one as soon as it has one."""
    wires = [request("GET", f"/v1/matches/{match}/board.png?width={width}") for width in widths]
    until, apart = time.monotonic() + seconds, len(wires) // LOOPS
    turned = [wires[number * apart :] + wires[: number * apart] for number in range(LOOPS)]
    return run(port, [repeat_until(until, wires) for wires in turned])
