"""Trouble with what the workers stand on, told once and not with every try."""

from __future__ import annotations

import structlog

from service.logs import of_redis

log = structlog.get_logger()


class Trouble:
    """What went wrong in the last try of each step, until it works again."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

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
