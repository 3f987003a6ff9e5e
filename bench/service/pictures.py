"""What everybody else notices of somebody who asks for pictures without a pause."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from statistics import quantiles

from bench.load.http import Script, Timed, request, run
from bench.load.limits import spread
from bench.load.matches import open_matches, sign_up
from bench.load.servers import apart, service

SECONDS = 8.0
INTERVAL_S = 0.02  # from one plain request to the next: nothing waits for itself
LOOPS = 8
KINDS = {
    "the same picture": range(1_000, 1_001),
    "pictures that have to be drawn": range(1_000, 1_400),
}
"""The widths that are asked for in turns."""


def figures(folder: Path) -> dict[str, float]:
    """Latencies of `GET` of a match, alone and beside loops of `board.png` that nothing limits."""
    with service(folder / "painted") as server:
        port = server.port
        [match] = open_matches(port, sign_up(port), 1)
        apart(pictures_load, port, match, 1.0, KINDS["the same picture"])  # the painters are there
        quiet = apart(state_load, port, match, SECONDS)
        beside = {kind: _beside(port, match, widths) for kind, widths in KINDS.items()}
    failures = len(quiet.failures)
    figures = spread("a state, nobody else there", quiet.latencies)
    for kind, (state, drawn) in beside.items():
        name = f"the same beside {LOOPS} loops of {kind}"
        figures |= spread(name, state.latencies)
        figures[f"{name}, p99 as a ratio"] = _p99(state) / _p99(quiet)
        figures[f"{kind}, per second"] = len(drawn.latencies) / drawn.seconds
        failures += len(state.failures) + len(drawn.failures)
    return {**figures, "requests that failed": failures}


def _beside(port: int, match: str, widths: Sequence[int]) -> tuple[Timed, Timed]:
    """How long it takes to see a match while others loop over pictures, and how long these take."""
    with ThreadPoolExecutor(1) as pool:
        loud = pool.submit(apart, pictures_load, port, match, SECONDS + 2, widths)
        return apart(state_load, port, match, SECONDS), loud.result()


def _p99(timed: Timed) -> float:
    return quantiles(timed.latencies, n=100)[98]


def state_load(port: int, match: str, seconds: float) -> Timed:
    """Somebody who looks at a match from time to time."""
    wire = request("GET", f"/v1/matches/{match}")
    return run(port, [_until(time.monotonic() + seconds, [wire])], INTERVAL_S)


def pictures_load(port: int, match: str, seconds: float, widths: Sequence[int]) -> Timed:
    """Some who want pictures, each the next as soon as they have one."""
    wires = [request("GET", f"/v1/matches/{match}/board.png?width={width}") for width in widths]
    until, apart = time.monotonic() + seconds, len(wires) // LOOPS
    turned = [wires[number * apart :] + wires[: number * apart] for number in range(LOOPS)]
    return run(port, [_until(until, wires) for wires in turned])


def _until(end: float, wires: list[bytes]) -> Script:
    for wire in cycle(wires):
        if time.monotonic() > end:
            return
        yield wire
