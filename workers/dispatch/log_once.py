"""Logs a repeated failure once, and its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import structlog

from service.runtime.logs import is_redis_error

log = structlog.get_logger()


Result = TypeVar("Result")


class FailureLog:
    """The last error of each step, until the step succeeds again."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    def run(self, step: str, call: Callable[[], Result]) -> Result | None:
        """Run a step and return its result; None if it failed, and the log has the reason."""
        try:
            done = call()
        except Exception as error:
            self.log_failure(step, error)
            return None
        self.log_recovery(step)
        return done

    def log_failure(self, step: str, error: Exception) -> None:
        """Log why a step failed, unless the last failure had the same reason."""
        reason = f"{type(error).__name__}: {error}"
        if self._reasons.get(step) != reason:
            say = log.warning if is_redis_error(error) else log.error
            say(f"{step}_failed", exc_info=error)
        self._reasons[step] = reason

    def log_recovery(self, step: str) -> None:
        """Log that a step succeeds again, if it failed the last time."""
        if self._reasons.pop(step, None):
            log.info(f"{step}_recovered")
