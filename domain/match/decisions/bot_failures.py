"""What happens to a match whose bot fails repeatedly."""

from __future__ import annotations

from typing import Final

from domain.engine.play import Seat
from domain.match.decisions.playing import require_active
from domain.match.events import Aborted, BotFailed, Unrated
from domain.match.log import AnyEvent, Draft
from domain.match.state import Match

REASON: Final = "bot_failed"


def replace_bot(match: Match, seat: Seat) -> Draft:
    """Replace the bot of a seat by the simplest level, or that level by random legal moves.

    If random moves fail as well, abort the match without a winner.
    """
    require_active(match)
    if seat in match.random_seats:
        return Draft("Aborted", (Aborted(REASON, match.seed.hex()),))
    simplest = match.game.levels[0].key
    instead = simplest if match.chairs[seat].bot != simplest else None
    unrated: list[AnyEvent] = [] if match.unrated else [Unrated(REASON)]
    return Draft("BotFailed", (BotFailed(seat, instead), *unrated))
