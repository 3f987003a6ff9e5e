"""`annals run`: everything a service needs on this machine, from one command."""

import errno
import fcntl
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.runtime.metrics_folder import FOLDER_VARIABLE, metrics_folder
from service.runtime.settings import Settings, own_queue_url, own_redis_url
from service.tlog.witnesses import read_witnesses
from workers.host.disk_guard import read_only_line
from workers.host.errors import CannotRun, say, writable
from workers.host.redis_check import check_redis
from workers.host.redis_server import prepare, prepare_queue, state_of
from workers.host.stale_processes import end_stale_processes
from workers.host.supervisor import Program, supervise


def run(settings: Settings) -> None:
    """Run the whole service until a signal."""
    with hold_folder(settings.data):
        for sentence in end_stale_processes(settings.data):
            say(f"Note: {sentence}")
        refuse_taken_port(settings.host, settings.port)
        read_witnesses(settings.tlog_witnesses)  # the notary would start again without end
        programs = [*build_redis(settings)]
        for warning in warnings(settings):
            say(f"Note: {warning}")
        programs += build_programs(settings)
        with new_metrics_folder(settings.data) as folder:
            supervise(settings, programs, {**os.environ, FOLDER_VARIABLE: str(folder)})


def build_programs(settings: Settings) -> Iterator[Program]:
    """Yield all programs besides Redis."""
    yield build_program("projector", rank=2)
    yield from build_workers(settings.workers)
    yield build_program("analyst", rank=2)
    if settings.webhooks:
        yield build_program("deliveries", rank=2)
    if settings.tlog_folder:
        yield build_program("notary", rank=2)
    if settings.discord_app:
        yield build_program("discord-worker", rank=2)
    if settings.archive_days:
        yield build_program("archive", "--daily", rank=2)
    if settings.export:
        yield build_program("export", "--daily", rank=2)
    if settings.metrics_address:
        yield build_program("metrics", rank=2)
    yield build_program("web", rank=3)


@contextmanager
def new_metrics_folder(data: Path) -> Iterator[Path]:
    """Yield the folder of the metrics of this run; it is deleted afterwards."""
    with writable(data):
        shutil.rmtree(metrics_folder(data))
        folder = metrics_folder(data)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_workers(count: int) -> Iterator[Program]:
    """Yield `count` workers; if there are several, one of them leaves bots that search to the
    others.
    """
    yield build_program("worker", rank=2, count=max(1, count - 1))
    if count > 1:
        yield build_program("worker", "--quick", rank=2)


def build_program(*command: str, rank: int, count: int = 1) -> Program:
    """Return an `annals` command as a program."""
    name = "-".join(word.strip("-") for word in command)
    return Program(name, [sys.executable, "-m", "workers.cli", *command], rank, count)


def build_redis(settings: Settings) -> Iterator[Program]:
    """Yield the Redis of the data folder and that of the queues, unless settings name others."""
    data = settings.data
    if settings.owns_redis:
        refuse_running_redis(data, own_redis_url(data))
        with writable(data / "redis"):
            command, _ = prepare(data / "redis", read_only_line())
        yield Program("redis", command, rank=1)
    if settings.owns_queue:
        refuse_running_redis(data, own_queue_url(data))
        with writable(data / "queue"):
            command = prepare_queue(data / "queue")
        yield Program("queue", command, rank=1)


def refuse_running_redis(data: Path, url: str) -> None:
    """CannotRun if a Redis runs on this folder: two servers would destroy its data."""
    deadline = time.monotonic() + 3
    while state_of(url) != "silent":
        if time.monotonic() > deadline:
            raise CannotRun(f"A Redis of an earlier run still uses {data}: stop it first.")
        time.sleep(0.1)


def warnings(settings: Settings) -> Iterator[str]:
    """Yield warnings about each Redis in use that is not embedded."""
    for url in dict.fromkeys((settings.events_url, settings.queue_url)):
        if name := settings.setting_of(url):
            yield from check_redis(name, url, keeps=url == settings.events_url)


class AlreadyRunning(CannotRun):
    """Another process holds the data folder."""


@contextmanager
def hold_folder(data: Path) -> Iterator[None]:
    """Hold the lock of this data folder: one service at a time."""
    with writable(data):
        (data / "log").mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data / "annals.lock").open("a+")
    with lock:  # the system releases it when this process ends
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise AlreadyRunning(
                f"Annals is already running with the data in {data} (process {lock.read()})."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def refuse_taken_port(host: str, port: int) -> None:
    """CannotRun if another process listens on this address, or if it is not an address of this
    machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise CannotRun(
            f"Cannot listen on {host}:{port} ({error.strerror}): {_way_out(error)}"
        ) from None


def _way_out(error: OSError) -> str:
    """What an operator can do when the web server cannot listen."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "set ANNALS_HOST to an address of this machine."
    return "choose another port with ANNALS_PORT, or stop the process that uses it."
