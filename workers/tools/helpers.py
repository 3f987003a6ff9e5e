"""Processes that help a command with what keeps a processor busy."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from workers.host.die_with_parent import die_with_parent


def helpers(processes: int, get_ready: Callable[[], None] | None = None) -> ProcessPoolExecutor:
    """So many processes that end with this one, whatever ends it; each gets ready first."""
    return ProcessPoolExecutor(processes, get_context("spawn"), _begin, (os.getpid(), get_ready))


def _begin(parent: int, get_ready: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us
    die_with_parent(parent)
    if get_ready:
        get_ready()
