"""Abilities that answer an event: GW-18.4."""

from __future__ import annotations

from domain.engine.play import Play, Step
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State


def fire(p: Play[State], step: steps.Fire) -> None:
    """Let the abilities of these clans answer: GW-18.4."""


def close(_p: Play[State], _step: steps.Chain) -> None:
    """Everything that an event set off is done: GW-18.4."""


def root(p: Play[State], *todo: Step) -> None:
    """Plan what one event sets off, in a chain of its own unless an ability caused it: GW-18.4."""
    caused = any(isinstance(step, steps.Chain) for step in p.state.agenda)
    p.then(*todo, *(() if caused else (steps.Chain(),)))
