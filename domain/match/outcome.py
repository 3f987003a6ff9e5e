"""Who won a match and why: what sentences, pictures and clients say of a result; and the ratings
that it changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine, Scoring
from domain.match.state import Match


class RatingChange(msgspec.Struct, frozen=True):
    """The rating of one competitor before and after a match (OpenSkill: mu and sigma)."""

    competitor: str  # the id of a player, or `bot:<level>`
    before: tuple[float, float]
    after: tuple[float, float]
    played: int  # number of matches, including this one; the highest number is the latest
    won: int


class CategoryPoints(msgspec.Struct, frozen=True):
    """A part of a score: its key in the breakdown, and its points."""

    key: str
    points: int


class Outcome(msgspec.Struct, frozen=True):
    """Who won, by how much, from what, and who left early."""

    winners: tuple[Seat, ...]  # none if a cooperative table has lost
    points: int | None  # of each winner; of the only seat in solo play; None where none count
    lead: int | None  # more than `runners_up`, or than the rival; None without either
    runners_up: tuple[Seat, ...]  # the seats with most points of those behind that did not resign
    tie_break: bool  # whether something else than points ranked the winners above `runners_up`
    category: CategoryPoints | None  # the largest part of the points; None if several seats won
    resigned: tuple[Seat, ...]  # by a decision of their players
    timed_out: tuple[Seat, ...]  # resigned since their time was up


MAX_GAINS = 3
"""Maximum number of gains that stand apart where points have many parts."""


class PartsOfPoints(msgspec.Struct, frozen=True):
    """What points consist of: parts that matter, and the sum of the others. Both add up to the
    points.
    """

    named: tuple[CategoryPoints, ...]  # the largest gains first, then the losses
    others: int


def outcome_of(match: Match) -> Outcome | None:
    """The outcome of a match; None before it is scored."""
    scoring = match.scoring
    if scoring is None:
        return None
    counted = scoring.won is None or bool(scoring.rivals)
    first = next(line for line in scoring.lines if line.rank == 1) if counted else None
    behind = _runners_up(match, scoring)
    lead = _lead(scoring, first, behind) if first else None
    alone = first if len(scoring.winners) < 2 else None  # or the only seat, against a rival
    resigned = [seat for seat, chair in enumerate(match.chairs) if chair.resigned]
    late = match.timed_out if match.clock_rule and match.on_timeout == "resign" else frozenset()
    return Outcome(
        winners=scoring.winners,
        points=first.points if first else None,
        lead=lead,
        runners_up=tuple(line.seat for line in behind),
        tie_break=bool(behind) and lead == 0,
        category=_largest_part(match, alone) if alone else None,
        resigned=tuple(seat for seat in resigned if seat not in late),
        timed_out=tuple(seat for seat in resigned if seat in late),
    )


def _runners_up(match: Match, scoring: Scoring) -> Sequence[ScoreLine]:
    """The best seats that have not won, by rank, without those that resigned."""
    behind = [
        line for line in scoring.lines if line.rank > 1 and not match.chairs[line.seat].resigned
    ]
    best = min((line.rank for line in behind), default=0)
    return [line for line in behind if line.rank == best]


def _lead(scoring: Scoring, first: ScoreLine, behind: Sequence[ScoreLine]) -> int | None:
    others = [*(line.points for line in behind), *(rival.points for rival in scoring.rivals)]
    return first.points - max(others) if others else None


def parts_of_points(match: Match, line: ScoreLine) -> PartsOfPoints:
    """The largest parts of the points of a seat, with all losses."""
    found = [CategoryPoints(*part) for part in match.game.score_parts.of(line).items()]
    parts = sorted((one for one in found if one.points), key=lambda one: -one.points)
    gains = [one for one in parts if one.points > 0]
    others = gains[MAX_GAINS:] if len(gains) > MAX_GAINS + 1 else []
    named = tuple(one for one in parts if one not in others)
    return PartsOfPoints(named, sum(one.points for one in others))


def _largest_part(match: Match, line: ScoreLine) -> CategoryPoints | None:
    """The part of a score with most points; None if no part has any."""
    parts = match.game.score_parts.of(line)
    largest = max(parts, key=parts.__getitem__, default=None)
    if largest is None or parts[largest] <= 0:
        return None
    return CategoryPoints(largest, parts[largest])
