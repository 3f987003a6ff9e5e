"""The one rule."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.answers import Answer, Answers, Fallback
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.scoring import ScoreLine, Scoring, ranks
from tests.engine.nim.table import State, StonesTaken, Take, Turn, points


def begin(p: Play[State]) -> None:
    """Seat 0 begins: NIM-1.1."""
    p.then(Turn((0,)))


def counts(_state: State, _step: Turn, seat: Seat) -> Iterator[Take]:
    """One, two or three: NIM-1.1."""
    return (Take(seat, count) for count in (1, 2, 3))


def check_count(state: State, _step: Turn, move: Take) -> None:
    """Refuse more stones than the heap has: NIM-1.1."""
    if move.count > state.heap:
        raise RuleBroken("NIM-1.1", "too_few", heap=state.heap)


def take(p: Play[State], _step: Turn, move: Take) -> None:
    """Take stones; the other seat is next while there are some: NIM-1.1."""
    p.emit(StonesTaken(move.seat, move.count))
    if p.state.heap:
        p.then(Turn((1 - move.seat,)))


def scoring(state: State) -> Scoring:
    """The points decide: NIM-1.1."""
    each = points(state)
    lines = (
        ScoreLine(seat, rank, each[seat], {"last": each[seat]})
        for seat, rank in enumerate(ranks([(one,) for one in each]))
    )
    return Scoring("over", tuple(lines))


ROWS = (Answer(Turn, Take, counts, check_count, take),)
FALLBACKS = {Turn: Fallback("NIM-1.1", "not_now")}
ANSWERS = Answers[State](ROWS, FALLBACKS)
