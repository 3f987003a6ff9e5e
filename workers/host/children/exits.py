"""How children end, and how to kill them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress


def ended_children() -> Iterator[tuple[int, int]]:
    """Yield process id and status of each child that has ended."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found


def kill_group(pid: int) -> None:
    """Kill a child and what it has started."""
    for kill in (os.killpg, os.kill):  # a child that has just been forked leads no group yet
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def has_failed(status: int) -> bool:
    """Return whether a process ended by an error that it noticed itself."""
    return os.waitstatus_to_exitcode(status) > 0


def describe_exit(status: int) -> str:
    """Return how a process ended."""
    code = os.waitstatus_to_exitcode(status)
    return f"exit status {code}" if code >= 0 else f"terminated by {signal.Signals(-code).name}"


def describe_restart(name: str, how: str, failures: int, pause: float, reason: str) -> str:
    """Return a sentence about a process that has failed this often in a row, and is forked again
    after a pause (seconds).
    """
    often = f" {failures} times in a row" if failures > 1 else ""
    later = f" in {pause:.0f} s" if pause >= 1 else ""
    return f"{name} ended{often} ({how}) and is restarted{later}{reason and f': {reason}'}"
