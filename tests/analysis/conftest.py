from __future__ import annotations

import pytest


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses search less: what a test compares holds with any budget."""
    for name, limit in {"MAX_CHEAP_MOVES": 8, "MAX_CANDIDATES": 2, "SAMPLES_PER_MOVE": 2}.items():
        monkeypatch.setattr(f"domain.analysis.search_budget.{name}", limit)
