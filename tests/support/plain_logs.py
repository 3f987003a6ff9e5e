"""Errors that tests log in their own process, without the values of variables.

structlog draws them with those of all functions that an error came through, if rich is installed:
each takes seconds of a processor.
"""

from __future__ import annotations

import pytest
import structlog
from structlog.dev import ConsoleRenderer, plain_traceback


@pytest.fixture(scope="session", autouse=True)
def errors_are_logged_plainly() -> None:
    """Log tracebacks as Python prints them."""
    *processors, _ = structlog.get_config()["processors"]
    plain = ConsoleRenderer(exception_formatter=plain_traceback)
    structlog.configure(processors=[*processors, plain])
