"""What becomes of a match whose bot fails again and again."""

from __future__ import annotations

from typing import Final

from domain.engine.play import Seat
from domain.match.decisions.playing import must_be_active
from domain.match.events import Aborted, BotFailed, Unrated
from domain.match.log import AnyEvent, Draft
from domain.match.state import Match

REASON: Final = "bot_failed"


def replace_bot(match: Match, seat: Seat) -> Draft:
    """Let the simplest level play the seat from now on, or any legal move be made for it.

    If not even that can be done, the match is aborted: nobody has won it.
    """
    must_be_active(match)
    if seat in match.left_to_chance:
        return Draft("Aborted", (Aborted(REASON, match.seed.hex()),))
    simplest = match.game.levels[0].key
    instead = simplest if match.chairs[seat].bot != simplest else None
    unrated: list[AnyEvent] = [] if match.unrated else [Unrated(REASON)]
    return Draft("BotFailed", (BotFailed(seat, instead), *unrated))
