"""The points of each seat, and the winners."""

from __future__ import annotations

from domain.engine.scoring import ScoreLine, ScoreParts, Scoring, ranks
from tests.engine.toy.state.table import State

PARTS = ScoreParts(tie_break="more_cards")


def scoring(state: State) -> Scoring:
    """The most points win, then the most cards: TOY-4.2."""
    standings = list(zip(state.points, map(len, state.hands), strict=True))
    lines = (
        ScoreLine(seat, rank, points, {"prizes": points})
        for seat, (rank, points) in enumerate(zip(ranks(standings), state.points, strict=True))
    )
    return Scoring(state.reason, tuple(lines))
