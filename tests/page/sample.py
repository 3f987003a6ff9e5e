"""The games that a browser test plays."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from domain.games import GAMES


def one_of_all(always: str) -> list[ParameterSet]:
    """All games as parameters: this one, and the others in `make test-long`."""
    return [pytest.param(game, marks=() if game == always else pytest.mark.long) for game in GAMES]
