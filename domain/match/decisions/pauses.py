"""Pauses of matches with a clock: docs/clocks.md has the rules."""

from __future__ import annotations

from domain.match.clock import running_seats, set_running
from domain.match.decisions.playing import require_active
from domain.match.errors import Forbidden, Impossible, TooEarly
from domain.match.events import Clocked, UndoLapsed
from domain.match.log import AnyEvent, Draft
from domain.match.social_events import Paused, Resumed
from domain.match.state import Match

MAX_PAUSE_MS = 7 * 86_400_000
"""How long a pause lasts at most, unless the service has another limit."""
MAX_PAUSES = 100
"""How often a match can be paused, so that pauses do not fill its log."""


def require_pausable(match: Match, pause_ms: int) -> None:
    """Raise Refusal unless the match can be paused for `pause_ms` milliseconds."""
    if match.clocks is None:
        raise Impossible("no_pause", "This match has no clock, so it can wait anyway.")
    if match.pause is not None:
        raise Impossible("no_pause", "The match is paused already.")
    if not pause_ms:
        raise Impossible("no_pause", "This service has no pauses.")
    if match.pauses == MAX_PAUSES:
        raise Impossible("no_pause", f"A match has at most {MAX_PAUSES} pauses.")


def pause_events(match: Match, player: str, now: int, pause_ms: int) -> tuple[AnyEvent, ...]:
    """The events with which a match with a clock pauses, as the player had proposed."""
    assert match.clocks
    lapsed = [UndoLapsed()] if match.undo_request else []
    stopped = Clocked(set_running(match.clocks, (), now))
    return (*lapsed, Paused(player, now, now + pause_ms), stopped)


def resume(match: Match, player: str, now: int) -> Draft:
    """Let a player resume a paused match. Raises Refusal."""
    require_active(match)
    if all(match.chairs[seat].resigned for seat in match.seats_of(player)):
        raise Forbidden("not_seated", "You play no seat in this match.")
    if match.pause is None:
        raise Impossible("no_pause", "The match is not paused.")
    return _resume(match, player, now)


def resume_in_time(match: Match, now: int) -> Draft:
    """Resume a match whose pause has lasted as long as it may."""
    if match.pause is None or now < match.pause.until:
        raise TooEarly("No pause is over.")
    return _resume(match, None, now)


def _resume(match: Match, player: str | None, now: int) -> Draft:
    assert match.pause
    assert match.clocks
    clocks = set_running(match.clocks, running_seats(match.chairs, match.seats_to_move), now)
    lasted = max(0, now - match.pause.since)
    return Draft("Resumed", (Resumed(player, lasted), Clocked(clocks)))
