"""No test meets the painters of another."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def nobody_draws() -> None:
    """Painters end with whoever had them."""
    gc.collect()
