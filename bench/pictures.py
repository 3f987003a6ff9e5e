"""What everybody else notices of somebody who asks for pictures without a pause."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from statistics import median

from bench.http import Script, Timed, request, run
from bench.limits import spread
from bench.matches import open_matches, sign_up
from bench.servers import apart, service

SECONDS = 8.0
INTERVAL_S = 0.02  # from one plain request to the next: nothing waits for itself
LOOPS = 2
WIDTHS = range(1_000, 1_400)  # so that each picture has to be drawn


def figures(folder: Path) -> dict[str, float]:
    """Latencies of `GET` of a match, alone and beside loops of `board.png` that nothing limits."""
    with service(folder / "painted") as server:
        port = server.port
        [match] = open_matches(port, sign_up(port), 1)
        apart(pictures_load, port, match, 1.0)  # the painters are there from now on
        quiet = apart(state_load, port, match, SECONDS)
        with ThreadPoolExecutor(1) as pool:
            loud = pool.submit(apart, pictures_load, port, match, SECONDS + 2)
            beside = apart(state_load, port, match, SECONDS)
            drawn = loud.result()
    return {
        **spread("a state, nobody else there", quiet.latencies),
        **spread(f"the same beside {LOOPS} loops of pictures", beside.latencies),
        "the p50 of both as a ratio": median(beside.latencies) / median(quiet.latencies),
        "pictures drawn per second meanwhile": len(drawn.latencies) / drawn.seconds,
        "requests that failed": sum(len(one.failures) for one in (quiet, beside, drawn)),
    }


def state_load(port: int, match: str, seconds: float) -> Timed:
    """Somebody who looks at a match from time to time."""
    wire = request("GET", f"/v1/matches/{match}")
    return run(port, [_until(time.monotonic() + seconds, [wire])], INTERVAL_S)


def pictures_load(port: int, match: str, seconds: float) -> Timed:
    """Some who want pictures, each the next as soon as they have one."""
    wires = [request("GET", f"/v1/matches/{match}/board.png?width={width}") for width in WIDTHS]
    until = time.monotonic() + seconds
    return run(port, [_until(until, wires[number::LOOPS]) for number in range(LOOPS)])


def _until(end: float, wires: list[bytes]) -> Script:
    for wire in cycle(wires):
        if time.monotonic() > end:
            return
        yield wire
