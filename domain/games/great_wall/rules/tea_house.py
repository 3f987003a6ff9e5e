"""The Tea House, and the order of the Tea markers: GW-1.3, GW-8.7."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.great_wall.events import clerks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State


def drink(p: Play[State], step: clerk_steps.DrinkTea) -> None:
    """Move a marker up by one, or to the top: GW-8.7."""
    move_up(p, step.clan, None if step.top else 1, "GW-8.7")


def move_up(p: Play[State], clan: int, places: int | None, rule: str) -> None:
    """Move a marker up by that many, or to the top, by this rule; abilities answer."""
    at = p.state.tea.index(clan)
    to = 0 if places is None else max(0, at - places)
    if to < at:
        order = [other for other in p.state.tea if other != clan]
        order.insert(to, clan)
        p.emit(clerks.TeaMoved(clan, tuple(order), rule))
        p.then(steps.Fire(trigger="tea_moved", clans=(clan,), context=Context()))
