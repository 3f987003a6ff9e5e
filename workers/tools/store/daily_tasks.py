"""Runs a task once a day, and looks at its place before."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from service.store.archive.targets import FolderTarget, Target

DAY_S = 86_400
FIRST_RUN_S = 600
"""Seconds until the first run."""


def run_daily(task: Callable[[], None], stop: Event) -> None:
    """Call `task` once a day until `stop` is set."""
    pause = FIRST_RUN_S
    while not stop.wait(pause):
        pause = DAY_S
        task()


def require_answer(target: Target) -> None:
    """Raise StoreUnavailable if a place that is a URL does not answer. The start looks at
    folders.
    """
    if not isinstance(target, FolderTarget):
        target.names()
