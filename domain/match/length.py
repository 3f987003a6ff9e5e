"""The maximum length of a match: far longer than any game lasts."""

from __future__ import annotations

from domain.match.errors import Impossible
from domain.match.state import Match

UNDO_END_VERSION = 4_000
"""From this version on, players cannot undo, redo or take seats."""

END_VERSION = 6_000
"""A move recorded as this version, or a later one, ends the match."""


def require_room(match: Match) -> None:
    """Raise Refusal if the match is too long for commands that could lengthen it without a move."""
    if match.version >= UNDO_END_VERSION:
        raise Impossible(
            "match_too_long",
            f"The match has {match.version:,} entries. From {UNDO_END_VERSION:,} on you cannot take"
            " a seat, undo or redo.",
        )


def is_next_move_last(match: Match) -> bool:
    """Whether the next move must end this match."""
    return match.version + 1 >= END_VERSION
