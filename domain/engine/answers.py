"""Which moves answer which steps: one table that offers, judges and plays the moves of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from domain.engine.dice import Dice
from domain.engine.errors import RuleBroken
from domain.engine.play import Move, Play, S, Seat, Step

T = TypeVar("T", bound=Step)
M = TypeVar("M", bound=Move)

Offer = Callable[[S, T, Seat], Iterable[M]]
"""Returns candidate moves for a seat that the step waits for. They include every legal move."""
Judge = Callable[[S, T, M], None]
"""Raises RuleBroken if the move is not allowed."""
Deed = Callable[[Play[S], T, M], None]
"""Carries out a legal move. The caller has already popped the step off the agenda."""


class Fallback(NamedTuple):
    """Rule and fault for a move that does not answer the step; `fallback_key` names its text."""

    rule: str
    fault: str


class Answer(NamedTuple, Generic[S, T, M]):
    """A row of the table: a kind of move that answers a kind of step."""

    step: type[T]
    move: type[M]
    offer: Offer[S, T, M]
    judge: Judge[S, T, M]
    deed: Deed[S, T, M]
    exact: bool = False
    """Whether every offered move is legal, so that the judge need not run."""
    when: Callable[[S, Seat], bool] | None = None
    """Whether a seat can have such moves at all; neighbouring rows that share it call it once."""


class AutomaticStep(NamedTuple, Generic[S, T]):
    """A kind of step that waits for no seat, and the function that carries it out."""

    step: type[T]
    deed: Callable[[Play[S], T], None]


class Answers(Generic[S]):
    """All answers and automatic steps of a game, indexed by step and move.

    `fallbacks` has one entry for each kind of step that waits for seats. Raises TypeError if the
    table contradicts itself: a duplicate row, a step without a fallback, or an automatic step with
    answers.
    """

    __slots__ = (
        "_automatic_deeds",
        "_deeds",
        "_groups_by_step",
        "_moves_by_step",
        "_row_by_answer",
        "_rows_by_step",
        "automatic_steps",
        "fallbacks",
        "rows",
    )

    def __init__(
        self,
        rows: Iterable[Answer[S, Any, Any]],
        fallbacks: Mapping[type[Step], Fallback],
        automatic_steps: Iterable[AutomaticStep[S, Any]] = (),
    ) -> None:
        self.rows, self.fallbacks, self.automatic_steps = (
            tuple(rows),
            fallbacks,
            tuple(automatic_steps),
        )
        self._row_by_answer: dict[tuple[type[Step], type[Move]], Answer[S, Any, Any]] = {}
        self._rows_by_step: dict[type[Step], list[Answer[S, Any, Any]]] = {}
        self._automatic_deeds: dict[type[Step], Callable[[Play[S], Any], None]] = {}
        for row in self.rows:
            _add_row(self._row_by_answer, (row.step, row.move), row)
            self._rows_by_step.setdefault(row.step, []).append(row)
        for automatic in self.automatic_steps:
            _add_row(self._automatic_deeds, automatic.step, automatic.deed)
        self._groups_by_step = {
            step: [(when, tuple(group)) for when, group in groupby(rows, attrgetter("when"))]
            for step, rows in self._rows_by_step.items()
        }
        self._moves_by_step = {
            step: tuple(row.move for row in rows) for step, rows in self._rows_by_step.items()
        }
        self._deeds = {answered: row.deed for answered, row in self._row_by_answer.items()}
        _check_consistent(self._rows_by_step, fallbacks, self._automatic_deeds)

    @property
    def steps(self) -> tuple[type[Step], ...]:
        """All kinds of steps: those that wait for an answer, then the automatic ones."""
        return (*self._rows_by_step, *self._automatic_deeds)

    @property
    def moves(self) -> tuple[type[Move], ...]:
        """All kinds of moves without duplicates, in the order of the table."""
        return tuple(dict.fromkeys(row.move for row in self.rows))

    def moves_for(self, step: type[Step]) -> tuple[type[Move], ...]:
        """The kinds of moves that answer this kind of step; none if it is automatic."""
        return self._moves_by_step.get(step, ())

    def offers(self, state: S, seat: Seat) -> Iterator[tuple[Answer[S, Any, Any], Any]]:
        """Candidate moves of a seat for the current step, each with its row."""
        step = state.agenda[-1]
        for when, rows in self._groups_by_step[type(step)]:
            if when is None or when(state, seat):
                for row in rows:
                    yield from ((row, move) for move in row.offer(state, step, seat))

    def legal_moves(self, state: S, seat: Seat) -> list[Move]:
        """The legal moves of a seat that the current step waits for."""
        step = state.agenda[-1]
        found: list[Move] = []
        for when, rows in self._groups_by_step[type(step)]:
            if when is None or when(state, seat):
                for row in rows:
                    offered = row.offer(state, step, seat)
                    if not row.exact:
                        offered = [move for move in offered if is_allowed(row, state, step, move)]
                    found += offered
        return found

    def draw_move(self, state: S, seat: Seat, dice: Dice) -> Move:
        """One of the legal moves, each with the same probability: draws candidates until one is
        legal. Raises ValueError if there is none.
        """
        step = state.agenda[-1]
        kind = type(step)
        offered: list[Move] = []
        for when, rows in self._groups_by_step[kind]:
            if when is None or when(state, seat):
                for row in rows:
                    offered += row.offer(state, step, seat)
        while True:
            move = offered.pop(dice.below(len(offered)))
            row = self._row_by_answer[kind, type(move)]
            if row.exact or is_allowed(row, state, step, move):
                return move

    def judge(self, state: S, move: Move) -> None:
        """Raise RuleBroken if the move does not answer the current step, or is illegal."""
        step = state.agenda[-1]
        row = self._row_by_answer.get((type(step), type(move)))
        if row is None:
            raise self.refusal(step)
        row.judge(state, step, move)

    def refusal(self, step: Step) -> RuleBroken:
        """The refusal of a move that does not answer this step."""
        return RuleBroken(*self.fallbacks[type(step)], fallback_key(type(step)))

    def play(self, p: Play[S], step: Step, move: Move) -> None:
        """Carry out a legal move that answers a step."""
        self._deeds[type(step), type(move)](p, step, move)

    def run_step(self, p: Play[S], step: Step) -> None:
        """Carry out an automatic step."""
        self._automatic_deeds[type(step)](p, step)

    def settle(self, p: Play[S]) -> None:
        """Carry out automatic steps until one waits for seats, or none is left."""
        agenda, deeds = p.state.agenda, self._automatic_deeds
        while agenda and not agenda[-1].seats:
            step = agenda.pop()
            deeds[type(step)](p, step)


def fallback_key(step: type[Step]) -> str:
    """The key of the text that refuses a move which does not answer this kind of step."""
    return f"fallback_{step.__name__}"


def allow_any(_state: Any, _step: Any, _move: Any) -> None:
    """A judge that allows every move."""


def offer_only(move: type[M]) -> Offer[Any, Any, M]:
    """An offer of exactly one move, which has no fields but its seat."""
    return lambda _state, _step, seat: (move(seat),)


def is_allowed(row: Answer[S, Any, M], state: S, step: Step, move: M) -> bool:
    """Whether the judge of a row allows a move."""
    try:
        row.judge(state, step, move)
    except RuleBroken:
        return False
    return True


def _add_row(table: dict[Any, Any], key: Any, value: Any) -> None:
    if key in table:
        raise TypeError(f"{key} is in the table twice.")
    table[key] = value


def _check_consistent(
    answered: Iterable[type[Step]], refused: Iterable[type[Step]], automatic: Iterable[type[Step]]
) -> None:
    """Raise TypeError unless each step is automatic, or has both answers and a fallback."""
    if odd := set(answered) ^ set(refused):
        raise TypeError(f"Steps with answers or a fallback, but not both: {odd}")
    if both := set(answered) & set(automatic):
        raise TypeError(f"Automatic steps that have answers: {both}")
