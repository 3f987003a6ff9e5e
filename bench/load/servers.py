"""The measured programs, and helper processes for loads."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from service.runtime.redis_urls import own_redis_url
from tests.support.ports import free_port

P = ParamSpec("P")
T = TypeVar("T")
TREE = Path(__file__).resolve().parents[2]
START_S = 120
NO_LIMITS = {
    "ANNALS_RATE": "0", "ANNALS_RATE_PER_ADDRESS": "0", "ANNALS_PROCESSOR_SECONDS": "0",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_PICTURE_RATE": "0", "ANNALS_MAX_TABLES": "0", "ANNALS_WEBHOOK_AUDIENCE": "0",
    "ANNALS_PROXIES": "1", "ANNALS_LOG_LEVEL": "error",
}  # fmt: skip

OVERRIDING_VARIABLES = ("REDIS_URL", "EVENTS_REDIS_URL", "QUEUE_REDIS_URL", "PYTHONPATH")
"""Variables that would make a service use another Redis, or the code of another checkout."""


@dataclass(frozen=True)
class Server:
    """A running program: its port, its process id, and the Redis of its events."""

    port: int
    pid: int
    events_url: str


def run_apart(load: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Run a load in a separate process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(load, *args, **options).result()


@contextmanager
def run_service(data: Path, tree: Path = TREE, **settings: str) -> Iterator[Server]:
    """Run the whole service of a checkout with `annals run`, without limits."""
    port = free_port()
    environ = {
        **os.environ, **NO_LIMITS, "ANNALS_PORT": str(port), "ANNALS_METRICS": "off",
        "ANNALS_DATA": str(data), **settings,
    }  # fmt: skip
    for name in OVERRIDING_VARIABLES:
        environ.pop(name, None)
    program = [_python(tree), "-m", "workers.cli", "run"]
    with run_program(program, environ, port, "/readyz", tree) as pid:
        yield Server(port, pid, own_redis_url(data))


@contextmanager
def run_beside(module: str, redis_url: str) -> Iterator[Server]:
    """Run a server of the benchmark on a Redis."""
    port = free_port()
    urls = {"REDIS_URL": redis_url, "EVENTS_REDIS_URL": redis_url}
    environ = {**os.environ, **NO_LIMITS, **urls, "ANNALS_PORT": str(port)}
    with run_program([sys.executable, "-m", module], environ, port) as pid:
        yield Server(port, pid, redis_url)


@contextmanager
def run_program(
    program: list[str], environ: Mapping[str, str], port: int, path: str = "/", folder: Path = TREE
) -> Iterator[int]:
    """Run a program that serves this port; yields its process id."""
    process = subprocess.Popen(program, env=environ, stdout=subprocess.DEVNULL, cwd=folder)
    try:
        _await(process, f"http://127.0.0.1:{port}{path}")
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def _python(tree: Path) -> str:
    """The Python of a checkout: ours, or the one in its virtual environment."""
    return sys.executable if tree == TREE else str(tree / ".venv/bin/python")


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
