"""`annals run`: everything a service needs on this machine, from one command."""

import os
import shutil
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from select import select
from typing import IO

from service.admin.restarts import read_restarts
from service.admin.running_settings import record_settings
from service.admin.written_places import find_place_faults
from service.matches.container import wall_clock
from service.runtime.logs import file_logger
from service.runtime.metrics_folder import delete_dead_files, metrics_folder
from service.runtime.redis_urls import own_queue_url, own_redis_url
from service.runtime.settings import RUN_VARIABLE, Settings
from workers.host.children.exits import kill_group
from workers.host.children.forks import fork
from workers.host.errors import CannotRun, say, writable
from workers.host.folder_lock import hold_folder, refuse_foreign
from workers.host.keeper import Keeper
from workers.host.redis.checks import check_redis
from workers.host.redis.disk_guard import READ_ONLY, choose_state, read_only_line
from workers.host.redis.server import prepare, prepare_queue, state_of
from workers.host.redis.truncated_tail import TruncatedTail
from workers.host.reload import Handover, execute_again, take_over
from workers.host.signals import SignalQueue
from workers.host.stale_processes import end_stale_processes, open_run_file
from workers.host.supervisor import KEEPER_RANK, PROGRAM_RANK, REDIS_RANK, Program, Supervisor
from workers.host.unusable_settings import refuse_unusable
from workers.host.warm_up import warm_up
from workers.host.web import listen, load_service, web_programs

STDIN = 0


def run(settings: Settings, *, skip_sample: bool = False) -> None:
    """Run the whole service until a signal. First it reads a sample of the matches, unless it has
    to skip that.
    """
    handover, signals = take_over(), SignalQueue()
    with hold_folder(settings.data, handover.lock if handover else None) as lock:
        if handover is None:
            for sentence in end_stale_processes(settings.data):
                say(f"Note: {sentence}")
            refuse_foreign(settings.data)
            refuse_running_redis(settings)
            refuse_new_store_on_full_disk(settings)
        refuse_unusable(settings)
        with (
            open_listener(settings, handover) as listener,
            open_run_file(settings.data, handover.run_file if handover else None) as run_file,
            clean_metrics(settings.data, new=handover is None),
        ):
            with writable(settings.data):
                record_settings(settings)
            os.environ["ANNALS_DATA"] = str(settings.data)
            if handover is None:
                os.environ[RUN_VARIABLE] = token_hex(8)
                for warning in warnings(settings):
                    say(f"Note: {warning}")
            for fault in find_place_faults(settings):
                say(f"Note: {fault.text}: {fault.cure}")
            supervisor = build_supervisor(settings, signals, listener, lock)
            supervisor.has_terminal = handover.has_terminal if handover else os.isatty(STDIN)
            try:
                start_all(settings, supervisor, handover, skip_sample=skip_sample)
                supervisor.on_reload = partial(
                    execute_again, settings, supervisor, lock, run_file, listener
                )
                supervisor.run()
            finally:
                supervisor.stop()
    say("Annals has stopped.")


def build_supervisor(
    settings: Settings, signals: SignalQueue, listener: socket.socket, lock: IO[str]
) -> Supervisor:
    """Return the supervisor of all processes; those of Redis come first."""
    redis = list(build_redis(settings))
    with writable(settings.data):
        log = file_logger(settings.data / "log" / "supervisor.log", settings.log_level)
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    tail = TruncatedTail(settings.data / "redis", settings.data / "log" / "redis.log")
    keeper = Program(
        "keeper", Keeper(settings, tail, writing).main, rank=KEEPER_RANK, on_console=True
    )
    restarts = read_restarts(settings.data, os.environ.get(RUN_VARIABLE, ""))

    def record_restart(name: str, reason: str) -> None:
        restarts.add(name, wall_clock(), reason)
        restarts.write(settings.data)

    return Supervisor(
        [*redis, keeper, *build_programs(settings), *build_web(settings, listener)],
        signals, log, settings.data / "log", settings.log_mb, sockets=[listener], private=[lock],
        max_mb=settings.process_mb, messages=reading, on_restart=record_restart,
    )  # fmt: skip


def start_all(
    settings: Settings, supervisor: Supervisor, handover: Handover | None, *, skip_sample: bool
) -> None:
    """Start Redis, load everything meanwhile, and start the others, if this program can read a
    sample of the matches. After a reload, Redis runs already, the sample has been read, and the
    others replace their predecessors.
    """
    redis = [program for program in supervisor.programs if program.rank == REDIS_RANK]
    if handover:
        supervisor.adopt(redis, handover.children)
    supervisor.start(redis)
    for step in warm_up(settings):
        say(f"{step} ...")
    if not (handover or skip_sample):
        refuse_unreadable(settings, supervisor)
    if supervisor.stopping or supervisor.signals.asks_to_stop():
        return
    if handover:
        supervisor.replace_retiring()
        delete_dead_files(metrics_folder(settings.data))
    else:
        supervisor.start(supervisor.programs)


def refuse_unreadable(settings: Settings, supervisor: Supervisor) -> None:
    """Raise CannotRun if this program cannot read a sample of the matches.

    A process of its own reads them, before any other can leave its mark in the store.
    """
    reading, writing = os.pipe()
    held = (*supervisor.private, *supervisor.sockets, supervisor.signals)
    pid = fork("sample", partial(report_unreadable, settings, writing), not_inherited=held)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        while not (supervisor.stopping or select([pipe], [], [], 0)[0]):
            supervisor.handle(supervisor.signals.next(supervisor.pause_s()))
            supervisor.look()
        if supervisor.stopping:
            kill_group(pid)
        elif sentence := pipe.read():
            raise CannotRun(sentence)


def report_unreadable(settings: Settings, pipe: int) -> None:
    """Write into a pipe what this program cannot read."""
    from domain.games import GAMES  # loaded by now
    from workers.host.redis.sample import describe_unreadable

    os.write(pipe, describe_unreadable(settings, GAMES).encode())


def open_listener(settings: Settings, handover: Handover | None) -> socket.socket:
    """Return the socket that accepts connections. Raises CannotRun."""
    if handover:
        listener = socket.socket(fileno=handover.listener)
        listener.set_inheritable(False)
        return listener
    return listen(settings.host, settings.port)


def build_web(settings: Settings, listener: socket.socket) -> Iterator[Program]:
    """Yield the web processes."""
    yield from web_programs(settings, listener, partial(load_service, listener))


def build_programs(settings: Settings) -> Iterator[Program]:
    """Yield all programs besides Redis, the keeper and the web."""
    yield build_process("projector", partitions=None)
    yield from build_workers(settings.workers)
    yield build_process("analyst", partitions=None)
    if settings.has_deliveries:
        yield build_process("deliveries")
    if settings.tlog_folder:
        yield build_process("notary")
    if settings.discord_app:
        yield build_process("discord-worker")
    if settings.backup:
        yield build_program("backup", "--scheduled")
    if settings.archive_days:
        yield build_program("archive", "--daily")
    if settings.export:
        yield build_program("export", "--daily")


@contextmanager
def clean_metrics(data: Path, *, new: bool) -> Iterator[None]:
    """Delete the metrics of an earlier run, and afterwards those of this one."""
    folder = metrics_folder(data)
    if new:
        for file in folder.glob("*.db"):
            file.unlink()
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_workers(count: int) -> Iterator[Program]:
    """Yield `count` workers; if there are several, one of them leaves bots that search to the
    others.
    """
    for number in range(max(1, count - 1)):
        name = f"worker-{number}" if count > 2 else "worker"
        yield build_process("worker", name=name, quick=False)
    if count > 1:
        yield build_process("worker", name="worker-quick", quick=True)


def build_process(command: str, *, name: str = "", **options: object) -> Program:
    """Return an `annals` command that runs one process as a program, with all its options."""
    return Program(name or command, partial(run_process, command, options), PROGRAM_RANK)


def run_process(command: str, options: Mapping[str, object]) -> None:
    """Run an `annals` command that runs one process in this process."""
    import_module("workers.cli").call(command, **options)


def build_program(*command: str) -> Program:
    """Return another `annals` command as a program."""
    name = "-".join(word.strip("-") for word in command)
    return Program(name, partial(run_command, *command), PROGRAM_RANK)


def run_command(*command: str) -> None:
    """Run an `annals` command in this process."""
    import_module("workers.cli").main(command)


def build_redis(settings: Settings) -> Iterator[Program]:
    """Yield the Redis of the data folder and that of the queues, unless settings name others."""
    data = settings.data
    if settings.owns_redis:
        with writable(data / "redis"):
            command, _ = prepare(data / "redis", read_only_line())
        yield Program("redis", partial(execute, command), rank=REDIS_RANK)
    if settings.owns_queue:
        with writable(data / "queue"):
            command = prepare_queue(data / "queue")
        yield Program("queue", partial(execute, command), rank=REDIS_RANK)


def execute(command: Sequence[str]) -> None:
    """Replace this process by a program."""
    os.execvp(command[0], list(command))  # noqa: S606 - our own command


def refuse_running_redis(settings: Settings) -> None:
    """Raise CannotRun if our own Redis runs already: two servers would destroy the data."""
    data, deadline = settings.data, time.monotonic() + 3
    for url in (own_redis_url(data), own_queue_url(data)):
        while state_of(url) != "silent":
            if time.monotonic() > deadline:
                raise CannotRun(f"A Redis of an earlier run still uses {data}: stop it first.")
            time.sleep(0.1)


def refuse_new_store_on_full_disk(settings: Settings) -> None:
    """Raise CannotRun if a new store has no room; one that exists can still be read."""
    is_new = settings.owns_redis and not (settings.data / "redis").exists()
    if is_new and choose_state(settings.data, settings.disk_reserve_mb) == READ_ONLY:
        raise CannotRun(
            f"Less than {settings.disk_reserve_mb} MB (ANNALS_DISK_RESERVE_MB) are free in"
            f" {settings.data}: make room there, or name a folder on another disk (ANNALS_DATA)."
        )


def warnings(settings: Settings) -> Iterator[str]:
    """Yield warnings about each Redis in use that is not embedded."""
    for url in dict.fromkeys((settings.events_url, settings.queue_url)):
        if name := settings.setting_of(url):
            yield from check_redis(name, url, keeps=url == settings.events_url)
