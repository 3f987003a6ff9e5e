"""Helper processes for commands that need much processor time."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from workers.host.die_with_parent import die_with_parent


def helper_pool(processes: int, get_ready: Callable[[], None] | None = None) -> ProcessPoolExecutor:
    """Return a pool of processes that end with this one, even after `kill -9`; each calls
    `get_ready` first.
    """
    return ProcessPoolExecutor(processes, get_context("spawn"), _begin, (os.getpid(), get_ready))


def _begin(parent: int, get_ready: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    die_with_parent(parent)
    if get_ready:
        get_ready()
