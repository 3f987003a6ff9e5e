"""`annals run`: everything a service needs, on this machine, from one command."""

import fcntl
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.runtime.metrics_folder import VARIABLE, metrics_folder
from service.runtime.settings import Settings, own_queue, own_redis
from workers.host.disk_guard import closed_at_first
from workers.host.errors import CannotRun, say, writable
from workers.host.redis_check import check_redis
from workers.host.redis_server import prepare, prepare_queue, state_of
from workers.host.stale_processes import end_leftovers
from workers.host.supervisor import Program, supervise


def run(settings: Settings) -> None:
    """Run the whole service until it is told to stop."""
    with claimed(settings.data):
        for sentence in end_leftovers(settings.data):
            say(f"Note: {sentence}")
        refuse_taken_port(settings.host, settings.port)
        programs = [*our_redis(settings)]
        for warning in warnings(settings):
            say(f"Note: {warning}")
        programs += our_programs(settings)
        with fresh_metrics(settings.data) as folder:
            supervise(settings, programs, {**os.environ, VARIABLE: str(folder)})


def our_programs(settings: Settings) -> Iterator[Program]:
    """All that runs besides Redis."""
    yield our_program("projector", rank=2)
    yield from our_workers(settings.workers)
    yield our_program("analyst", rank=2)
    if settings.webhooks:
        yield our_program("deliveries", rank=2)
    if settings.tlog_folder:
        yield our_program("notary", rank=2)
    if settings.discord_app:
        yield our_program("answers", rank=2)
    if settings.archive_days:
        yield our_program("archive", "--daily", rank=2)
    if settings.export:
        yield our_program("export", "--daily", rank=2)
    if settings.metrics_address:
        yield our_program("metrics", rank=2)
    yield our_program("web", rank=3)


@contextmanager
def fresh_metrics(data: Path) -> Iterator[Path]:
    """The folder of the metrics of this run, gone when it is over."""
    with writable(data):
        shutil.rmtree(metrics_folder(data))
        folder = metrics_folder(data)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def our_workers(count: int) -> Iterator[Program]:
    """So many workers; if there are several, one of them leaves bots that search to the others."""
    yield our_program("worker", rank=2, count=max(1, count - 1))
    if count > 1:
        yield our_program("worker", "--quick", rank=2)


def our_program(*command: str, rank: int, count: int = 1) -> Program:
    """One of our own commands as a program."""
    name = "-".join(word.strip("-") for word in command)
    return Program(name, [sys.executable, "-m", "workers.cli", *command], rank, count)


def our_redis(settings: Settings) -> Iterator[Program]:
    """The Redis on our data folder and that of the job queues, as far as none are named."""
    data = settings.data
    if settings.owns_redis:
        refuse_stray_redis(data, own_redis(data))
        with writable(data / "redis"):
            command, _ = prepare(data / "redis", closed_at_first())
        yield Program("redis", command, rank=1)
    if settings.owns_queue:
        refuse_stray_redis(data, own_queue(data))
        with writable(data / "queue"):
            command = prepare_queue(data / "queue")
        yield Program("queue", command, rank=1)


def refuse_stray_redis(data: Path, url: str) -> None:
    """Two servers on one folder would spoil it."""
    deadline = time.monotonic() + 3
    while state_of(url) != "silent":
        if time.monotonic() > deadline:
            raise CannotRun(f"A Redis of an earlier run still holds {data}: stop it first.")
        time.sleep(0.1)


def warnings(settings: Settings) -> Iterator[str]:
    """What is amiss with each Redis in use that is not ours."""
    for url in dict.fromkeys((settings.events_url, settings.queue_url)):
        if name := settings.named_by(url):
            yield from check_redis(name, url, keeps=url == settings.events_url)


class AlreadyRunning(CannotRun):
    """Somebody holds the data folder."""


@contextmanager
def claimed(data: Path) -> Iterator[None]:
    """Hold this data folder: one service at a time."""
    with writable(data):
        (data / "log").mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data / "annals.lock").open("a+")
    with lock:  # held by this process: however it ends, nobody has to clean up
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise AlreadyRunning(
                f"Annals is running already with the data in {data} (process {lock.read()})."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def refuse_taken_port(host: str, port: int) -> None:
    """Refuse an address that somebody listens on or that is not ours."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise CannotRun(
            f"Cannot listen on {host}:{port} ({error.strerror}):"
            " choose another port with ANNALS_PORT, or stop what runs there."
        ) from None
