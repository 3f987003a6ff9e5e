"""Processes that are killed at a step of what they do."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest


def killing(patch: pytest.MonkeyPatch, owner: Any, name: str, after: bool, time: int) -> None:
    """Have a process killed at a step, before or after it."""
    real, calls = getattr(owner, name), list[int]()

    def step(*args: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == time and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        outcome = real(*args, **more)
        if len(calls) == time and after:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome

    patch.setattr(owner, name, step)
