"""Whom a table lets in: docs/match.md has the rules."""

from __future__ import annotations

from domain.match.errors import Forbidden
from domain.match.state import Match

MIN_MATCHES = 10
"""Matches that a player lacks to this number count as finished, so that new players are let in."""


def asks_for_reliability(match: Match, player: str) -> bool:
    """Whether the reliability of a player who wants a seat matters; not that of the host, nor if a
    seat is kept for them or is theirs already.
    """
    if match.min_reliability is None or player == match.host or match.seats_of(player):
        return False
    return not any(chair.invited == player and chair.free for chair in match.chairs)


def require_reliability(match: Match, player: str, matches: int, finished: int) -> None:
    """Raise Forbidden if a player who finished so many of their last matches without a time-out
    does not meet what the table asks for.
    """
    if not asks_for_reliability(match, player):
        return
    counted = max(matches, MIN_MATCHES)
    late = matches - finished
    if 100 * (counted - late) < (match.min_reliability or 0) * counted:
        raise Forbidden(
            "reliability_too_low",
            f"This table asks for a reliability of {match.min_reliability} %. Your time ran out in"
            f" {late} of your last {matches} matches with other people.",
        )
