"""Runs a task once a day."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

DAY_S = 86_400
FIRST_RUN_S = 600
"""Seconds until the first run."""


def run_daily(task: Callable[[], None], stop: Event) -> None:
    """Call `do` once a day until `stop` is set."""
    pause = FIRST_RUN_S
    while not stop.wait(pause):
        pause = DAY_S
        task()
