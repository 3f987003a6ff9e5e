"""Points, their sources, and who has won."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, ScoreParts, Scoring, ranks
from domain.games.tigris_euphrates.board import COLORS
from domain.games.tigris_euphrates.state.table import COUNTERS, State


def scoring(state: State) -> Scoring:
    """The weakest colour counts, then the second weakest, and so on: TE-15.4, TE-15.6."""
    places = ranks(standings(state))
    lines = (_line(state, seat, rank) for seat, rank in enumerate(places))
    return Scoring(reason=state.ended or "", lines=tuple(lines))


def standings(state: State) -> list[tuple[int, ...]]:
    """By seat, the points of all colours, the weakest first: TE-15.4."""
    return [tuple(sorted(with_treasures(state, seat))) for seat in range(len(state.points))]


def with_treasures(state: State, seat: Seat) -> list[int]:
    """Points by colour; each treasure counts for the weakest colour at that moment: TE-13.6,
    TE-15.5.
    """
    totals = state.points[seat][:]
    for _ in range(state.treasures_taken[seat]):
        totals[totals.index(min(totals))] += 1
    return totals


def winners(state: State) -> tuple[Seat, ...]:
    """The first seat; seats that are equal in all colours share the victory: TE-15.6."""
    places = ranks(standings(state))
    return tuple(seat for seat, place in enumerate(places) if place == 1)


def _line(state: State, seat: Seat, rank: int) -> ScoreLine:
    """Colours with treasures, treasures, points by source, conflicts by role."""
    totals = with_treasures(state, seat)
    breakdown: dict[str, int] = dict(zip(COLORS, totals, strict=True))
    counted = dict(zip(COUNTERS, state.counted[seat], strict=True))
    treasures = {"treasures": state.treasures_taken[seat]}
    return ScoreLine(seat, rank, min(totals), {**breakdown, **treasures, **counted})


def _weakest_color(line: ScoreLine) -> dict[str, int]:
    """The colour whose points are the result: TE-15.4."""
    weakest = min(COLORS, key=line.breakdown.__getitem__)
    return {weakest: line.breakdown[weakest]}


PARTS = ScoreParts(of=_weakest_color, only="weakest_color", tie_break="next_color")
