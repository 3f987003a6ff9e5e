"""The read models that the analyst folds from whole matches; the projector does not fold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.game import Game
from projections.core.spaces import Projection, Read
from projections.explorer import EXPLORER, explorer
from projections.statistics import STATISTICS, statistics


def studies(games: Mapping[str, Game[Any]], read: Read) -> tuple[Projection, ...]:
    """Return all studies, for these games."""
    return (statistics(games, read), explorer(games, read))


STUDIES: tuple[Projection, ...] = (STATISTICS, EXPLORER)
"""The same projections for queries; they cannot fold."""
