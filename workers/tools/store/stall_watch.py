"""Ends a process whose work hangs, such as on a disk or a server that no longer answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import process_time

LOOK_S = 60.0
STALL_S = 3600.0
PROGRESS_S = 0.5
"""Less processor time than this in STALL_S is no progress: even a slow copy takes more."""


@contextmanager
def ending_if_stalled(report: Callable[[], object]) -> Iterator[None]:
    """End the process, after a report, if the block makes no progress for STALL_S."""
    ended = Event()
    Thread(target=watch, args=(ended, report), daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def watch(ended: Event, report: Callable[[], object]) -> None:
    """Look until the block has ended; report and end the process if it hangs."""
    used_s, idle_s = process_time(), 0.0
    while not ended.wait(LOOK_S):
        now_s = process_time()
        idle_s += LOOK_S
        if now_s - used_s >= PROGRESS_S:
            used_s, idle_s = now_s, 0.0
        if idle_s >= STALL_S:
            try:
                report()
            finally:
                os._exit(1)
