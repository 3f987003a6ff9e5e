"""The tests of one group run in one process, so that their fixtures are made once."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("together")
def test_a_group_is_known_to_what_spreads_the_tests(request: pytest.FixtureRequest) -> None:
    spread = "PYTEST_XDIST_WORKER" in os.environ
    assert request.node.nodeid.endswith("@together") == spread
