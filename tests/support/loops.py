"""A check that no fixture, such as a browser, keeps an event loop running after the tests of its
folder: later tests could have none, and would fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import suppress

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Fail the last test of a folder that leaves a loop running."""
    yield
    if nextitem is None or nextitem.path.parent != item.path.parent:
        with suppress(RuntimeError):
            pytest.fail(f"{item.path.name} leaves a loop behind: {asyncio.get_running_loop()}")
