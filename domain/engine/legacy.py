"""TEMPORARY: a game whose answers are not in a table yet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Legacy:
    def __init__(
        self, candidates: Any, check: Any, play: Any, proceed: Any, moves: Any, steps: Any
    ):
        self._candidates, self._check = candidates, check
        self.play, self.proceed, self.moves, self.steps = play, proceed, moves, steps
        self.otherwise: dict[Any, Any] = {}
        self.rows, self.chores = (), ()
        self._row = SimpleNamespace(judge=lambda state, _step, move: check(state, move))

    def judge(self, state: Any, move: Any) -> None:
        self._check(state, move)

    def offered(self, state: Any, seat: Any) -> Any:
        return ((self._row, move) for move in self._candidates(state, seat))

    def to(self, step: Any) -> Any:
        return ()
