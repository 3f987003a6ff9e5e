"""What a service does once a day by itself."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

DAY_S = 86_400
FIRST_S = 600
"""How long a service runs before it does so for the first time."""


def every_day(do: Callable[[], None], stop: Event) -> None:
    """Do it once a day until told to stop."""
    pause = FIRST_S
    while not stop.wait(pause):
        pause = DAY_S
        do()
