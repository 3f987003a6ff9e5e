"""Tactic cards, and the moments in which they are played: GW-9.4."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State


def moment(p: Play[State], step: steps.Moment) -> None:
    """Ask the seats that may play a tactic card now: GW-9.4."""
