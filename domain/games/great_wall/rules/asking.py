"""Questions: they are asked only if there is something to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from domain.engine.answers import Answer, allows
from domain.engine.play import Move, Play, Step
from domain.games.great_wall.moves import AskAgain, Done
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.table import State

Row = Answer[State, Any, Any]


def asker(rows: Iterable[Row]) -> Callable[[Play[State], year.Ask], None]:
    """What asks a question by the rows that answer it: GW-1.5.

    With two ways or more the step waits; the only way there is, be it to do nothing, is gone.
    """
    by_step = _by_step(rows)

    def ask(p: Play[State], asked: year.Ask) -> None:
        state, step = p.state, asked.step
        only: tuple[Row, Move] | None = None
        for row in by_step[type(step)]:
            for move in row.offer(state, step, step.seats[0]):
                if row.sure or allows(row, state, step, move):
                    if only:
                        p.then(step)
                        return
                    only = row, move
        if only:
            row, move = only
            row.deed(p, step, move)

    return ask


def _by_step(rows: Iterable[Row]) -> dict[type[Step], list[Row]]:
    """The rows that answer each kind of step; to be asked again is no answer."""
    found: dict[type[Step], list[Row]] = {}
    for row in rows:
        if row.move is not AskAgain:
            found.setdefault(row.step, []).append(row)
    return found


def stop(_p: Play[State], _step: Step, _move: Done) -> None:
    """Do no more of it; nothing follows: GW-1.5."""
