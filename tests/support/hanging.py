"""A test that hangs says where.

With `faulthandler_timeout`, pytest has a thread wait for the end of each test, and then waits for
that thread: on busy cores for 8 ms, longer than most tests take. Here one thread waits for the
tests of a minute.
"""

from __future__ import annotations

import faulthandler
from math import inf
from time import monotonic

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

TIMEOUT_S = 900
MIN_INTERVAL_S = 60
"""Seconds for which a started timer keeps running; the first test after them starts it anew."""
STARTED_AT = pytest.StashKey[float]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Write where all threads are, unless another test starts within TIMEOUT_S."""
    stash, now = item.config.stash, monotonic()
    if now - stash.get(STARTED_AT, -inf) >= MIN_INTERVAL_S:
        stash[STARTED_AT] = now
        faulthandler.dump_traceback_later(TIMEOUT_S, file=stash[fault_handler_stderr_fd_key])


def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Let the next test start the timer, which pytest cancels when a test fails."""
    node.config.stash[STARTED_AT] = -inf


def pytest_sessionfinish() -> None:
    """No test can hang any more."""
    faulthandler.cancel_dump_traceback_later()
