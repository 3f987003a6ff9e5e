"""Parts of command cards: GW-7.3."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State


def command(p: Play[State], seat: Seat, part: steps.Part, card: str) -> None:
    """Resolve a part of a command card for a seat: GW-7.3."""


def moves_clerks(_card: str) -> bool:
    """Whether the others part of a command card moves clerks: GW-15.6."""
    return False
