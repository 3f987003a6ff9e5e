"""Lets other requests run during a query, and limits how long a query takes."""

from __future__ import annotations

from time import monotonic

from service.runtime.errors import StatisticsBusy
from service.runtime.event_loop import pause

QUERY_TIMEOUT_S = 10.0
"""Time limit of a query in seconds, including its wait for others."""


class TimeSlices:
    """Yields to other requests on each call, until the time limit."""

    def __init__(self, timeout_s: float = QUERY_TIMEOUT_S) -> None:
        self._until = monotonic() + timeout_s

    def __call__(self) -> None:
        """Let others run. Raises StatisticsBusy after the time limit."""
        if monotonic() > self._until:
            raise StatisticsBusy(
                "This took too long. Try again, because the data read is cached; or query fewer"
                " months with `since`, or export the tables and count there."
            )
        pause(0)
