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

from service.runtime.settings import Settings
from workers.host.errors import CannotRun, say
from workers.host.folder_lock import holder
from workers.host.signals import block_signals
from workers.host.supervisor import Supervisor

HANDOVER_VARIABLE = "ANNALS_HANDOVER"
"""The environment variable in which the old code leaves what the new code takes over."""
REHEARSAL = """
import os
from service.runtime.settings import read_settings
from workers.host.warm_up import warm_up
list(warm_up(read_settings(os.environ)))
"""
"""A program that loads everything, to find out whether new code starts."""


class Handover(msgspec.Struct, frozen=True):
    """What a supervisor leaves to its successor: file descriptors, and process ids by name."""

    lock: int
    run_file: int
    listener: int
    children: Mapping[str, int]


def take_over() -> Handover | None:
    """Return what the previous code left; None at an ordinary start."""
    left = os.environ.pop(HANDOVER_VARIABLE, "")
    return msgspec.json.decode(left, type=Handover) if left else None


def execute_again(
    supervisor: Supervisor, lock: IO[str], run_file: IO[str], listener: socket.socket
) -> None:
    """Replace this program by itself, with the code that is installed now. Returns, and changes
    nothing, if that code does not start.
    """
    if error := rehearse():
        say(f"Nothing is reloaded, because the new code does not start: {error}")
        return
    say("Reloading ...")
    for one in (lock, run_file, listener):
        os.set_inheritable(one.fileno(), True)
    children = {name: child.pid for name, child in supervisor.children.items() if child.pid}
    left = Handover(lock.fileno(), run_file.fileno(), listener.fileno(), children)
    handover = msgspec.json.encode(left).decode()
    command = [sys.executable, *sys.orig_argv[1:]]
    block_signals()
    os.execve(sys.executable, command, {**os.environ, HANDOVER_VARIABLE: handover})  # noqa: S606 - our own command


def rehearse() -> str:
    """Load the installed code in a process of its own; return its last line of errors, if any."""
    loaded = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", REHEARSAL],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if loaded.returncode == 0 else last_of(loaded.stderr.splitlines())


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
