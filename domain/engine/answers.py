"""Which moves answer which steps: the one table from which a game is judged, played and offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from domain.engine.dice import Dice
from domain.engine.errors import RuleBroken
from domain.engine.play import Move, Play, S, Seat, Step

T = TypeVar("T", bound=Step)
M = TypeVar("M", bound=Move)

Offer = Callable[[S, T, Seat], Iterable[M]]
"""Moves worth asking the judge about, for a seat that the step waits for: all that are legal."""
Judge = Callable[[S, T, M], None]
"""Raises RuleBroken if the move is not allowed."""
Deed = Callable[[Play[S], T, M], None]
"""Carries out a legal move. The step has been taken off the agenda."""


class Refusal(NamedTuple):
    """By what a move is refused that does not answer the step; `otherwise_key` has the words."""

    rule: str
    fault: str


class Answer(NamedTuple, Generic[S, T, M]):
    """A row of the table: this kind of move answers this kind of step."""

    step: type[T]
    move: type[M]
    offer: Offer[S, T, M]
    judge: Judge[S, T, M]
    deed: Deed[S, T, M]
    sure: bool = False
    """Whether the offer is exact: its judge refuses nothing of it, so that it need not be asked."""


class Chore(NamedTuple, Generic[S, T]):
    """A kind of step that needs nobody, and what it does."""

    step: type[T]
    deed: Callable[[Play[S], T], None]


class Answers(Generic[S]):
    """All answers and chores of a game, found by step and move.

    `otherwise` has the refusal of each step that waits for somebody. Raises TypeError if the table
    contradicts itself: a row twice, a step without a refusal, a chore that waits for an answer.
    """

    __slots__ = (
        "_by_step",
        "_chores",
        "_deeds",
        "_found",
        "chores",
        "otherwise",
        "rows",
    )

    def __init__(
        self,
        rows: Iterable[Answer[S, Any, Any]],
        otherwise: Mapping[type[Step], Refusal],
        chores: Iterable[Chore[S, Any]] = (),
    ) -> None:
        self.rows, self.otherwise, self.chores = tuple(rows), otherwise, tuple(chores)
        self._found: dict[tuple[type[Step], type[Move]], Answer[S, Any, Any]] = {}
        self._by_step: dict[type[Step], list[Answer[S, Any, Any]]] = {}
        self._chores: dict[type[Step], Callable[[Play[S], Any], None]] = {}
        for row in self.rows:
            _enter(self._found, (row.step, row.move), row)
            self._by_step.setdefault(row.step, []).append(row)
        for chore in self.chores:
            _enter(self._chores, chore.step, chore.deed)
        self._deeds = {answered: row.deed for answered, row in self._found.items()}
        _check_consistent(self._by_step, otherwise, self._chores)

    @property
    def steps(self) -> tuple[type[Step], ...]:
        """All kinds of steps: those that wait for an answer, and the chores."""
        return (*self._by_step, *self._chores)

    @property
    def moves(self) -> tuple[type[Move], ...]:
        """All kinds of moves, each once, in the order of the table."""
        return tuple(dict.fromkeys(row.move for row in self.rows))

    def to(self, step: type[Step]) -> tuple[type[Move], ...]:
        """The kinds of moves that answer this kind of step; none if it is a chore."""
        return tuple(row.move for row in self._by_step.get(step, ()))

    def offered(self, state: S, seat: Seat) -> Iterator[tuple[Answer[S, Any, Any], Any]]:
        """The moves worth asking about in the step that waits, each with its row."""
        step = state.agenda[-1]
        for row in self._by_step[type(step)]:
            for move in row.offer(state, step, seat):
                yield row, move

    def legal(self, state: S, seat: Seat) -> list[Move]:
        """The moves that are offered and allowed, for a seat that the last step waits for."""
        step = state.agenda[-1]
        found: list[Move] = []
        for row in self._by_step[type(step)]:
            found += allowed(row, state, step, seat)
        return found

    def draw(self, state: S, seat: Seat, dice: Dice) -> Move:
        """One of them, each as likely as the others: of what is offered, the first drawn that is
        allowed. ValueError if there is none.
        """
        step = state.agenda[-1]
        kind = type(step)
        offered: list[Move] = []
        for row in self._by_step[kind]:
            offered += row.offer(state, step, seat)
        while True:
            move = offered.pop(dice.below(len(offered)))
            row = self._found[kind, type(move)]
            if row.sure or allows(row, state, step, move):
                return move

    def judge(self, state: S, move: Move) -> None:
        """Raise RuleBroken if the move does not answer the step that waits, or is not allowed."""
        step = state.agenda[-1]
        row = self._found.get((type(step), type(move)))
        if row is None:
            raise self.refusal(step)
        row.judge(state, step, move)

    def refusal(self, step: Step) -> RuleBroken:
        """What is said to a move that does not answer this step."""
        return RuleBroken(*self.otherwise[type(step)], otherwise_key(type(step)))

    def play(self, p: Play[S], step: Step, move: Move) -> None:
        """Carry out a legal move in answer to a step."""
        self._deeds[type(step), type(move)](p, step, move)

    def proceed(self, p: Play[S], step: Step) -> None:
        """Carry out a step that needs nobody."""
        self._chores[type(step)](p, step)

    def settle(self, p: Play[S]) -> None:
        """Carry out steps until one waits for somebody, or none is left."""
        agenda, chores = p.state.agenda, self._chores
        while agenda and not agenda[-1].seats:
            step = agenda.pop()
            chores[type(step)](p, step)


def otherwise_key(step: type[Step]) -> str:
    """The key of what is said to a move that does not answer this kind of step."""
    return f"otherwise_{step.__name__}"


def always(_state: Any, _step: Any, _move: Any) -> None:
    """The judge of a move that nothing forbids."""


def only(move: type[M]) -> Offer[Any, Any, M]:
    """The offer of a move that says nothing but its name."""
    return lambda _state, _step, seat: (move(seat),)


def allowed(row: Answer[S, Any, M], state: S, step: Step, seat: Seat) -> Iterable[M]:
    """What a row offers and its judge allows."""
    offered = row.offer(state, step, seat)
    if row.sure:
        return offered
    return (move for move in offered if allows(row, state, step, move))


def allows(row: Answer[S, Any, M], state: S, step: Step, move: M) -> bool:
    """Whether the judge of a row refuses nothing of a move."""
    try:
        row.judge(state, step, move)
    except RuleBroken:
        return False
    return True


def _enter(table: dict[Any, Any], key: Any, value: Any) -> None:
    if key in table:
        raise TypeError(f"{key} stands in the table twice.")
    table[key] = value


def _check_consistent(
    answered: Iterable[type[Step]], refused: Iterable[type[Step]], chores: Iterable[type[Step]]
) -> None:
    """Raise TypeError unless each step has answers and a refusal, or is a chore."""
    if odd := set(answered) ^ set(refused):
        raise TypeError(f"Steps that have either answers or a refusal, and not both: {odd}")
    if both := set(answered) & set(chores):
        raise TypeError(f"Steps that wait for an answer and are chores as well: {both}")
