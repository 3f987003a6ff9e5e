"""The points of all seats over a match."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.engine.game import fold
from domain.match.state import Match


class PointsAt(msgspec.Struct, frozen=True):
    """The points after a version: by seat, then those of rivals without a seat."""

    version: int
    points: tuple[int, ...]


def points_over_time(match: Match) -> Iterator[PointsAt]:
    """Yield the points after each version of the current line, as if the game had ended there. They
    show hidden points too, so the match must be over.
    """
    state = match.blank_state()
    for point in match.line:
        fold(state, point.events)
        scoring = match.game.scoring(state)
        seats = [line.points for line in scoring.lines]
        rivals = [rival.points for rival in scoring.rivals]
        yield PointsAt(point.version, (*seats, *rivals))
