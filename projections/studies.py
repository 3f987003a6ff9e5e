"""The read models that are folded from whole matches, by the analyst and not by the projector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.game import Game
from projections.core.spaces import Projection, Read
from projections.explorer import EXPLORER, explorer
from projections.statistics import STATISTICS, statistics


def studies(games: Mapping[str, Game[Any]], read: Read) -> tuple[Projection, ...]:
    """All of them, for these games."""
    return (statistics(games, read), explorer(games, read))


STUDIES: tuple[Projection, ...] = (STATISTICS, EXPLORER)
"""The same, to be asked about; they fold nothing."""
