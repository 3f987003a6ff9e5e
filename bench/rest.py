"""The whole service under load: its processes, Redis and the load generator on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import msgspec

from bench.http import Script, Timed, request, run
from bench.limits import spread
from bench.matches import moves_of, open_matches, playing_script, sign_up
from projections.progress import progress
from service.store import Store, connect
from tests.ports import free_port
from workers.host.redis_server import embedded_redis

MATCHES = 200
UNLIMITED = {"ANNALS_RATE": "0", "ANNALS_RATE_ADDRESS": "0", "ANNALS_REGISTRATIONS": "0"}
PACE = 600  # moves per second in all
PACED_MOVES = 25  # of each match: as many as any has, so that the pace holds to the end
BARE_REQUESTS = 20
START_S = 120
PLACEMENT = {
    "move": {
        "type": "PlaceTile",
        "seat": 0,
        "kind": "RY",
        "halves": [{"row": 5, "col": 6, "color": "R"}, {"row": 5, "col": 7, "color": "Y"}],
    }
}


def figures(folder: Path) -> dict[str, float]:
    """Moves per second and latencies with one client and with 200 matches, beside a bare route."""
    with embedded_redis(folder / "rest") as url:
        environ = {**os.environ, "REDIS_URL": url, **UNLIMITED, "ANNALS_LOG_LEVEL": "error"}
        bare = _bare(environ, folder)
        return {**bare, **_service(environ, folder, url, bare)}


def _bare(environ: Mapping[str, str], folder: Path) -> dict[str, float]:
    port = free_port()
    environ = {**environ, "ANNALS_PORT": str(port)}
    with running([sys.executable, "-m", "bench.bare"], environ, port):
        one = apart(_bare_load, port, 1, 200)
        many = apart(_bare_load, port, MATCHES, BARE_REQUESTS)
    return {
        **spread("bare route, 1 client", one.latencies),
        "bare route, 200 clients, requests per second": len(many.latencies) / many.seconds,
        **spread("bare route, 200 clients", many.latencies),
    }


def _service(
    environ: Mapping[str, str], folder: Path, url: str, bare: Mapping[str, float]
) -> dict[str, float]:
    port = free_port()
    environ = {**environ, "ANNALS_PORT": str(port), "ANNALS_DATA": str(folder / "var")}
    with running([sys.executable, "-m", "workers.cli", "run"], environ, port, "/readyz"):
        one = apart(_moves_load, port, 10, in_turn=True)
        with _lag_watched(url) as lags:
            many = apart(_moves_load, port, MATCHES)
            settled = _settled(url)
        paced = apart(_moves_load, port, MATCHES, interval=MATCHES / PACE)
    moves = len(many.latencies) / many.seconds
    limit = bare["bare route, 200 clients, requests per second"]
    return {
        **spread("move, 1 client", one.latencies),
        f"{MATCHES} matches, durable moves per second": moves,
        **spread(f"{MATCHES} matches at full speed, a move", many.latencies),
        f"{MATCHES} matches at {PACE} moves per second, reached": len(paced.latencies)
        / paced.seconds,
        **spread(f"{MATCHES} matches at {PACE} moves per second, a move", paced.latencies),
        "moves per second as a share of the bare route's": moves / limit,
        "requests that failed": sum(len(load.failures) for load in (one, many, paced)),
        "projection lag under load, most entries": max(lags, default=0),
        "projections caught up after the load, ms": 1000 * settled,
    }


def _moves_load(port: int, count: int, in_turn: bool = False, interval: float = 0.0) -> Timed:
    """Play so many matches: side by side, a move per interval (seconds), or one after another."""
    token = sign_up(port)
    ids = open_matches(port, token, count)
    moves = {match_id: moves_of(match_id) for match_id in ids}
    most = PACED_MOVES if interval else None
    scripts = [playing_script(match_id, token, moves[match_id][:most]) for match_id in ids]
    if in_turn:
        return run(port, [_chained(scripts)])
    return run(port, scripts, interval)


def _bare_load(port: int, clients: int, requests: int) -> Timed:
    wire = request("POST", "/bare", body=msgspec.json.encode(PLACEMENT))
    return run(port, [_again(wire, requests) for _ in range(clients)])


def _again(wire: bytes, times: int) -> Script:
    for _ in range(times):
        yield wire


def _chained(scripts: list[Script]) -> Script:
    for script in scripts:
        yield from script


def apart(load: Callable[..., Timed], *args: int, **options: float) -> Timed:
    """Run a load in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(load, *args, **options).result()


@contextmanager
def running(
    program: list[str], environ: Mapping[str, str], port: int, path: str = "/"
) -> Iterator[None]:
    """A program that serves this port, until it is no longer needed."""
    process = subprocess.Popen(program, env=environ, stdout=subprocess.DEVNULL)
    try:
        _await(process, f"http://127.0.0.1:{port}{path}")
        yield
    finally:
        process.terminate()
        process.wait()


def _await(process: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < until:
        try:
            with urlopen(url, timeout=2):
                return
        except HTTPError as error:
            if error.code == 404:
                return
        except (URLError, OSError):
            pass
        time.sleep(0.1)
    raise RuntimeError(f"nothing answers at {url}")


@contextmanager
def _lag_watched(url: str) -> Iterator[list[int]]:
    """Samples of how many entries the projections are behind, every 50 ms."""
    lags: list[int] = []
    done = Event()
    store = Store(connect(url))

    def watch() -> None:
        while not done.wait(0.05):
            lags.append(_lag(store))

    thread = Thread(target=watch)
    thread.start()
    try:
        yield lags
    finally:
        done.set()
        thread.join()


def _settled(url: str) -> float:
    """Seconds until the projections have read everything."""
    store, begin = Store(connect(url)), time.perf_counter()
    while _lag(store):
        time.sleep(0.005)
    return time.perf_counter() - begin


def _lag(store: Store) -> int:
    return max(one.lag for one in progress(store.redis, store.partitions).values())
