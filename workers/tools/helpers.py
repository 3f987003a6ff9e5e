"""Helper processes for commands that need much processor time."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from time import sleep
from typing import Any

from workers.host.die_with_parent import die_with_parent
from workers.tools.stopping import sigterm_as_interrupt

PAUSE_S = 0.001


@contextmanager
def helper_pool(
    processes: int, get_ready: Callable[[], None] | None = None
) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes that end with this one, even after `kill -9`; each calls
    `get_ready` first. If the block ends early, they are killed: nothing waits for their results.
    """
    arguments = (os.getpid(), get_ready)
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin, arguments)
    with sigterm_as_interrupt(), pool:
        try:
            yield pool
        except BaseException:
            _kill_helpers(pool)
            raise


def _kill_helpers(pool: ProcessPoolExecutor) -> None:
    """Kill all helpers, once the thread of the pool has dropped what is cancelled: in Python 3.11
    it fails, and prints a traceback, if it learns of both at the same time.
    """
    helpers = [*(pool._processes or {}).values()]
    thread: Any = pool._executor_manager_thread
    pool.shutdown(wait=False, cancel_futures=True)
    while thread is not None and thread.is_alive() and pool._cancel_pending_futures:
        sleep(PAUSE_S)
    for helper in helpers:
        helper.kill()


def _begin(parent: int, get_ready: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    die_with_parent(parent)
    if get_ready:
        get_ready()
