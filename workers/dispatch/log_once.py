"""Trouble with what the workers stand on, told once and not with every try."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import structlog

from service.runtime.logs import of_redis

log = structlog.get_logger()


Done = TypeVar("Done")


class Trouble:
    """What went wrong in the last try of each step, until it works again."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def tried(self, step: str, do: Callable[[], Done]) -> Done | None:
        """What a step gives; None if it failed, and the reason is in the log."""
        try:
            done = do()
        except Exception as error:
            self.met(step, error)
            return None
        self.over(step)
        return done

    def met(self, step: str, error: Exception) -> None:
        """Log why a step failed, unless it was for the same reason the time before."""
        reason = f"{type(error).__name__}: {error}"
        if self._told.get(step) != reason:
            say = log.warning if of_redis(error) else log.error
            say(f"cannot_{step}", exc_info=error)
        self._told[step] = reason

    def over(self, step: str) -> None:
        """Log that a step works again, if it did not the time before."""
        if self._told.pop(step, None):
            log.info(f"can_{step}_again")
