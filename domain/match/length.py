"""How long a match may become: far longer than any game lasts, and not for ever."""

from __future__ import annotations

from domain.match.errors import Impossible
from domain.match.state import Match

UNDO_BEFORE = 4_000
"""From this version on nothing is undone or redone, and nobody sits down any more."""

ENDS_AT = 6_000
"""The move that is recorded as this version, or as a later one, ends the match."""


def must_have_room(match: Match) -> None:
    """Refuse what could make the match longer for ever without a move being made."""
    if match.version >= UNDO_BEFORE:
        raise Impossible(
            "match_too_long",
            f"The match has {match.version:,} entries. From {UNDO_BEFORE:,} on nobody sits down,"
            " and nothing is undone or redone.",
        )


def ends_with_next(match: Match) -> bool:
    """Whether the next move is the last one that this match has room for."""
    return match.version + 1 >= ENDS_AT
