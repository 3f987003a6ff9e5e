"""Giving others their turn while a question is worked on, which may not take for ever."""

from __future__ import annotations

from time import monotonic

from service.runtime.errors import StatisticsBusy
from service.runtime.event_loop import pause

PATIENCE_S = 10.0
"""How long a question may take, with its wait for others."""


class Turns:
    """Gives others their turn whenever it is called, until there is no more time."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._until = monotonic() + patience_s

    def __call__(self, seconds: float = 0) -> None:
        """Go on a little later; StatisticsBusy if there is no more time."""
        if monotonic() > self._until:
            raise StatisticsBusy(
                "This took too long. Ask again, as what was read of a game is kept; or ask about"
                " fewer months by `since`, or export the tables and count there."
            )
        pause(seconds)
