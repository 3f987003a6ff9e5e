"""Changes that several events share."""

from __future__ import annotations

from typing import Literal

from domain.engine.play import Seat
from domain.games.tigris_euphrates.board import COLOR_NUMBER, Color
from domain.games.tigris_euphrates.state.table import COUNTERS, State

Source = Literal["tiles", "king", "revolts", "wars", "monuments"]
_COUNT = {name: number for number, name in enumerate(COUNTERS)}


def number_of(color: Color | None) -> int:
    """The number of a colour that is known."""
    assert color is not None, "a redacted event cannot be folded"
    return COLOR_NUMBER[color]


def score(state: State, seat: Seat, color: Color, points: int, source: Source) -> None:
    """Add points for a seat, and record their source."""
    state.points[seat][COLOR_NUMBER[color]] += points
    state.counted[seat][_COUNT[source]] += points


def count_conflict(
    state: State, kind: Literal["revolt", "war"], winner: Seat, loser: Seat, attacker: Seat
) -> None:
    """Count one more conflict for both seats."""
    for seat, end in ((winner, "won"), (loser, "lost")):
        side = "attacker" if seat == attacker else "defender"
        state.counted[seat][_COUNT[f"{kind}s_{end}_as_{side}"]] += 1
