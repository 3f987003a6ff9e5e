"""How many examples hypothesis tries, and from what it draws them."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

USUAL = "annals"
settings.register_profile(USUAL, deadline=None, max_examples=30, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000)  # draws anew
settings.load_profile(USUAL)


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Draw no constants of the code, except in `make test-long`.

    hypothesis reads them from all modules of ours that the process has imported, so the examples
    would be others after any change, and in a run of other tests. It also takes a second of a
    processor, in each process.
    """
    if settings.get_current_profile_name() == USUAL:
        providers._get_local_constants = lambda: providers._local_constants
