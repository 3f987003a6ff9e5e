from __future__ import annotations

import pytest

from tests.analysis.matches import search_little


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses search less: what a test compares holds with any budget."""
    search_little(monkeypatch)
