"""Questions: they are asked only if there is something to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from domain.engine.answers import Answer, allowed
from domain.engine.play import Move, Play, Step
from domain.games.great_wall.moves import AskAgain, Done
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State

Row = Answer[State, Any, Any]


def asker(rows: Iterable[Row]) -> Callable[[Play[State], steps.Ask], None]:
    """What asks a question by the rows that answer it: GW-1.5.

    With two ways or more the step waits; the only way there is, be it to do nothing, is gone.
    """
    by_step: dict[type[Step], list[Row]] = {}
    for row in rows:
        if row.move is not AskAgain:  # to be asked again is no answer
            by_step.setdefault(row.step, []).append(row)

    def ask(p: Play[State], asked: steps.Ask) -> None:
        step = asked.step
        only: tuple[Row, Move] | None = None
        for row in by_step[type(step)]:
            for move in allowed(row, p.state, step, step.seats[0]):
                if only:
                    p.then(step)
                    return
                only = row, move
        if only:
            row, move = only
            row.deed(p, step, move)

    return ask


def stop(_p: Play[State], _step: Step, _move: Done) -> None:
    """Do no more of it; nothing follows: GW-1.5."""
