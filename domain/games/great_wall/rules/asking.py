"""Questions: they are asked only if there is something to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
        ways = _legal(p.state, asked.step, by_step[type(asked.step)])
        first, second = next(ways, None), next(ways, None)
        if second:
            p.then(asked.step)
        elif first:
            row, move = first
            row.deed(p, asked.step, move)

    return ask


def _legal(state: State, step: Step, rows: list[Row]) -> Iterator[tuple[Row, Move]]:
    """The moves that are allowed, each with its row."""
    (seat,) = step.seats
    for row in rows:
        for move in allowed(row, state, step, seat):
            yield row, move


def stop(_p: Play[State], _step: Step, _move: Done) -> None:
    """Do no more of it; nothing follows: GW-1.5."""
