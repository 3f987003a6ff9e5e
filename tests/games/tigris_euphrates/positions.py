"""Positions of Tigris & Euphrates as JSON."""

from __future__ import annotations

from typing import Any

from domain.engine.starting.starts import read_start
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.state.setup import Options

SETUP = GAME.setup(Options(), 2)
REVOLT = {
    "kind": "revolt",
    "color": "black",
    "winner": 0,
    "loser": 1,
    "attacker": 0,
    "attacker_total": 2,
    "defender_total": 1,
    "points": 1,
}
"""A conflict that is over, as a position has it."""


def read(**position: Any) -> Any:
    """The table of two from which a match starts with this position."""
    return read_start(GAME, SETUP, position, 2)
