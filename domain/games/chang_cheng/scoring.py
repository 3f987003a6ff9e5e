"""Who has how many points, where they come from, and who has won."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, Scoring, ranks
from domain.games.chang_cheng.state.table import CATEGORIES, State


def scoring(state: State) -> Scoring:
    """The most points are first, and equals share the place: CC-13.1, CC-13.2."""
    places = ranks([(state.score(seat),) for seat in range(state.seats)])
    return Scoring(
        reason=state.ended or "",
        lines=tuple(_line(state, seat, rank) for seat, rank in enumerate(places)),
    )


def leaders(state: State) -> tuple[Seat, ...]:
    """Who has the most points: CC-13.2."""
    return scoring(state).winners


def _line(state: State, seat: Seat, rank: int) -> ScoreLine:
    width = len(CATEGORIES)
    points = state.points[seat * width : (seat + 1) * width]
    breakdown: dict[str, int] = dict(zip(CATEGORIES, points, strict=True))
    return ScoreLine(seat=seat, rank=rank, points=sum(points), breakdown=breakdown)
