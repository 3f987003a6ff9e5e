"""Processes that are killed at a step of their work."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from typing import Any

import pytest


def killing(patch: pytest.MonkeyPatch, owner: Any, name: str, after: bool, time: int) -> None:
    """Kill the process at a step, before or after it."""
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


def run_in_child(work: Callable[[], object]) -> int:
    """Run `work` in a child process; returns the signal that ended it, 0 if it completed.

    The child always exits here: it must not continue with the tests of its parent.
    """
    if not (child := os.fork()):
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "it failed, see above"
    return os.WTERMSIG(status)
