"""Replaces the processes of a running service one after another: `annals reload`.

The supervisor executes its own command again, so that new code and settings take effect. Its
process id stays the same, so its children, the lock and the listening socket stay its own.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping
from typing import IO

import msgspec

from service.runtime.config.fields import SETTINGS
from service.runtime.settings import BadSetting, Settings
from workers.host.children.handover import leave_texts
from workers.host.errors import CannotRun, say
from workers.host.folder_lock import holder
from workers.host.redis.disk_guard import READ_ONLY, choose_state
from workers.host.signals import block_signals, unblock_signals
from workers.host.supervisor import Supervisor

HANDOVER_VARIABLE = "_ANNALS_HANDOVER"
"""The environment variable in which the old code leaves what the new code takes over."""
REHEARSAL = """
import os, sys
import workers.cli, workers.host.run, workers.tools.store.archive, workers.tools.tables.export
from service.runtime.config.texts import encode_texts
from service.runtime.settings import read_settings
from domain.games import GAMES
from workers.host.exits import exit_on_error
from workers.host.redis.sample import describe_unreadable
from workers.host.redis.server import choose_engine
from workers.host.reload import refuse_changes
from workers.host.unusable_settings import refuse_unusable
from workers.host.warm_up import warm_up
with exit_on_error():
    settings = read_settings(os.environ)
    refuse_changes(settings, sys.stdin.buffer.read())
    refuse_unusable(settings)
    choose_engine(settings.data / "redis")
    list(warm_up(settings))
    if "--skip-sample" not in sys.argv and (error := describe_unreadable(settings, GAMES)):
        sys.exit(error)
    print(encode_texts().decode())
"""
"""A program that does what new code does first, to find out whether it starts. It prints the texts
of the files with settings, as it has read them.
"""
REHEARSAL_S = 120
FIXED = ("host", "port", "data", "events_url", "queue_url", "partitions")
"""Settings that cannot change while a service runs: its socket and its Redis stay."""


class Handover(msgspec.Struct, frozen=True):
    """What a supervisor leaves to its successor: file descriptors, and process ids by name."""

    lock: int
    run_file: int
    listener: int
    has_terminal: bool
    children: Mapping[str, int]


def take_over() -> Handover | None:
    """Return what the previous code left; None at an ordinary start."""
    left = os.environ.pop(HANDOVER_VARIABLE, "")
    return msgspec.json.decode(left, type=Handover) if left else None


def execute_again(
    settings: Settings,
    supervisor: Supervisor,
    lock: IO[str],
    run_file: IO[str],
    listener: socket.socket,
) -> None:
    """Replace this program by itself, with the code that is installed now. Returns, and changes
    nothing, if that code does not start.
    """
    try:
        texts = check_reload(settings)
    except CannotRun as error:
        say(f"Nothing is reloaded: {error}")
        return
    say("Reloading ...")
    block_signals()
    if supervisor.signals.asks_to_stop():
        unblock_signals()
        return
    for one in (lock, run_file, listener):
        os.set_inheritable(one.fileno(), True)
    children = {name: child.pid for name, child in supervisor.children.items() if child.pid}
    files = (lock.fileno(), run_file.fileno(), listener.fileno())
    handover = msgspec.json.encode(Handover(*files, supervisor.has_terminal, children)).decode()
    command = [sys.executable, *sys.orig_argv[1:]]
    try:
        with leave_texts(texts) as left:
            environ = {**os.environ, **left, HANDOVER_VARIABLE: handover}
            os.execve(sys.executable, command, environ)  # noqa: S606 - our own command
    except OSError as error:
        unblock_signals()
        say(f"Nothing is reloaded: {error}")


def check_reload(settings: Settings) -> bytes:
    """Return the texts of the files with settings, as new code has checked them. Raises CannotRun
    if a reload would fail.
    """
    if choose_state(settings.data, settings.disk_reserve_mb) == READ_ONLY:
        free = f"less than {settings.disk_reserve_mb} MB are free in {settings.data}: make room."
        raise CannotRun(free)
    try:
        return rehearse(settings)
    except CannotRun as error:
        raise CannotRun(f"the new code does not start: {error}") from None


def rehearse(settings: Settings) -> bytes:
    """Load the installed code in a process of its own, with the settings of now; return the texts
    of their files. Raises CannotRun with its last line of errors.
    """
    command = [sys.executable, "-P", "-c", REHEARSAL, *sys.orig_argv[1:]]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        loaded = subprocess.run(  # noqa: S603 - our own program
            command, env=environ, input=msgspec.json.encode(fixed_values(settings)),
            capture_output=True, check=False, timeout=REHEARSAL_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotRun(str(error)) from None
    if loaded.returncode != 0:
        raise CannotRun(last_of(loaded.stderr.decode(errors="replace").splitlines()))
    return loaded.stdout.rstrip().rpartition(b"\n")[2]


def fixed_values(settings: Settings) -> list[str]:
    """Return the values of the settings that cannot change while a service runs."""
    return [str(getattr(settings, field)) for field in FIXED]


def refuse_changes(settings: Settings, before: bytes) -> None:
    """Raise BadSetting if one of these settings has changed; `before` has their values as JSON."""
    values = zip(FIXED, msgspec.json.decode(before), fixed_values(settings), strict=True)
    for field, old, new in values:
        if old != new:
            name = SETTINGS[field].name
            raise BadSetting(f"{name} can't change while the service runs: start it again.")


def last_of(lines: Iterable[str]) -> str:
    """Return the last line that is not blank."""
    return next((line.strip() for line in reversed(list(lines)) if line.strip()), "no reason given")


def ask_to_reload(settings: Settings) -> int:
    """Ask the service on this data folder to reload; return its process id. Raises CannotRun if
    there is none.
    """
    if pid := holder(settings.data):
        os.kill(pid, signal.SIGUSR2)
        return pid
    raise CannotRun(f"No service runs with the data in {settings.data}.")
