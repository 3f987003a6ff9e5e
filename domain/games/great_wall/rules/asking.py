"""Questions. A seat is asked only if it has a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from domain.engine.answers import Answer, is_allowed
from domain.engine.play import Move, Play, Step
from domain.games.great_wall.moves import AskAgain, Done
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State

Row = Answer[State, Any, Any]


def asker(rows: Iterable[Row]) -> Callable[[Play[State], steps.Ask], None]:
    """A function that asks a question, by the rows that answer it: GW-1.5.

    With two or more options the step waits. If there is only one, even to do nothing, it is done at
    once.
    """
    by_step = _by_step(rows)

    def ask(p: Play[State], asked: steps.Ask) -> None:
        state, step = p.state, asked.step
        only: tuple[Row, Move] | None = None
        for row in by_step[type(step)]:
            for move in row.offer(state, step, step.seats[0]):
                if row.exact or is_allowed(row, state, step, move):
                    if only:
                        p.then(step)
                        return
                    only = row, move
        if only:
            row, move = only
            row.deed(p, step, move)

    return ask


def _by_step(rows: Iterable[Row]) -> dict[type[Step], list[Row]]:
    """By kind of step, the rows that answer it, without the order to be asked again."""
    found: dict[type[Step], list[Row]] = {}
    for row in rows:
        if row.move is not AskAgain:
            found.setdefault(row.step, []).append(row)
    return found


def stop(_p: Play[State], _step: Step, _move: Done) -> None:
    """Do nothing more: GW-1.5."""
