"""What tests log in their own process: plain lines, and errors without the values of variables.

structlog draws errors with the values of all functions that they came through, if rich is
installed: each takes seconds of a processor. A line with colours takes three times as long as one
without, and each request logs one.
"""

from __future__ import annotations

from typing import Any

import pytest
import structlog
from structlog.processors import KeyValueRenderer, format_exc_info

_render_line = KeyValueRenderer(key_order=["timestamp", "level", "event"])


@pytest.fixture(scope="session", autouse=True)
def errors_are_logged_plainly() -> None:
    """Log tracebacks as Python prints them."""
    *processors, _ = structlog.get_config()["processors"]
    structlog.configure(processors=[*processors, format_exc_info, _render])


def _render(logger: Any, name: str, event: structlog.typing.EventDict) -> str:
    traceback = event.pop("exception", None)
    line = _render_line(logger, name, event)
    return f"{line}\n{traceback}" if traceback else line
