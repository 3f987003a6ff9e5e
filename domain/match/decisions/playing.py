"""Moves, and what else ends or goes on with a game: resignation, time-out, bots that step in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.engine import game as engine
from domain.engine.errors import GameOver
from domain.engine.play import Awaiting, Event, Move, Seat
from domain.match.clock import flagged, in_time, thinking, tick
from domain.match.dice import KeyedDice
from domain.match.errors import Forbidden, Impossible
from domain.match.events import (
    BotSeated,
    Clocked,
    DiceFell,
    Ended,
    Resigned,
    SeatReclaimed,
    TimedOut,
    UndoLapsed,
    Unrated,
)
from domain.match.length import ends_with_next
from domain.match.log import AnyEvent, Draft
from domain.match.state import Chair, Match


def move(match: Match, choice: Move, now: int) -> Draft:
    """Make a move of the game; Refused if it is not allowed."""
    must_be_active(match)
    dice = KeyedDice(match.dice_key, match.draws)
    events = engine.decide(match.game, match.state, choice, dice)
    fell = [DiceFell(match.draws)] if dice.fell else []
    return Draft("Moved", (*events, *fell, *_after(match, events, choice.seat, now)), choice)


def preview(match: Match, choice: Move) -> list[Event[Any]]:
    """What a move would do, as far as nothing hidden comes to light; Refused if not allowed."""
    must_be_active(match)
    return engine.preview(match.game, match.state, choice)


def resign(match: Match, player: str, now: int) -> Draft:
    """Give up all seats of a player; they come last, and the others play on if they can."""
    must_be_active(match)
    seats = [seat for seat in match.seats_of(player) if not match.chairs[seat].resigned]
    if not seats:
        raise Forbidden("not_seated", "You have no seat to resign in this match.")
    return Draft("Resigned", tuple(_resigned(match, seats, now)))


def time_out(match: Match, now: int) -> Draft:
    """Let those whose time is up be replaced by bots, or resign, as the match wants it."""
    must_be_active(match)
    late = flagged(match, now)
    if not late:
        raise Impossible("not_due", "Nobody's time is up.")
    out: list[AnyEvent] = [TimedOut(seat) for seat in late]
    if match.on_timeout == "resign":
        return Draft("TimedOut", (*out, *_resigned(match, late, now)))
    return Draft("TimedOut", (*out, *_replaced(match, late, now)))


def reclaim(match: Match, player: str, now: int) -> Draft:
    """Reclaim the seats that bots play in one's place, once they have made the decision for
    which the time ran out.
    """
    must_be_active(match)
    held = [seat for seat in match.seats_of(player) if not match.chairs[seat].resigned]
    played = [seat for seat in held if match.chairs[seat].bot]
    if not played:
        raise Impossible("nothing_to_reclaim", "No bot plays in your place.")
    seats = [seat for seat in played if in_time(match, seat)]
    if not seats:
        raise Impossible("bot_decides", "A bot makes the decision for which your time ran out.")
    back: list[AnyEvent] = [SeatReclaimed(seat) for seat in seats]
    back += _clocked(match, _changed(match, seats, bot=None), match.awaited, now)
    return Draft("SeatReclaimed", (*back, *_lapsed(match)))


def must_be_active(match: Match) -> None:
    """Refuse what can only be done while the game is on."""
    if match.status == "open":
        raise Impossible("match_not_started", "The match has not begun.")
    if match.status == "aborted":
        raise Impossible("match_aborted", "The match was aborted.")
    if match.status != "active":
        raise GameOver


def _after(match: Match, events: Sequence[Event[Any]], seat: Seat, now: int) -> list[AnyEvent]:
    """What a move means for the match: clocks, or the end."""
    awaiting = events[-1]
    assert isinstance(awaiting, Awaiting)
    if not awaiting.agenda:
        return [Ended("rules")]
    if ends_with_next(match):
        return [*([] if match.unrated else [Unrated("length")]), Ended("length")]
    return _clocked(match, match.chairs, awaiting.agenda[-1].seats, now, moved=seat)


def _resigned(match: Match, seats: Sequence[Seat], now: int) -> list[AnyEvent]:
    """These seats give up: the match ends, or bots play on for them."""
    events: list[AnyEvent] = [Resigned(seat) for seat in seats]
    chairs = _changed(match, seats, resigned=True)
    standing = [chair for chair in chairs if not chair.resigned]
    few = 1 if match.game.together(match.setup) else 2  # against others it takes another
    if len(standing) < few or not any(chair.player for chair in standing):
        return [*events, Ended("resignation")]
    return [*events, *_replaced(match, [s for s in seats if not match.chairs[s].bot], now)]


def _replaced(match: Match, seats: Sequence[Seat], now: int) -> list[AnyEvent]:
    """Bots play these seats from now on."""
    seated: list[AnyEvent] = [BotSeated(seat, match.substitute) for seat in seats]
    chairs = _changed(match, seats, bot=match.substitute)
    return [*seated, *_clocked(match, chairs, match.awaited, now), *_lapsed(match)]


def _lapsed(match: Match) -> list[AnyEvent]:
    """The players at the table have changed, so a request for an undo lapses."""
    return [UndoLapsed()] if match.undo_request else []


def _changed(match: Match, seats: Iterable[Seat], **changes: Any) -> list[Chair]:
    """The chairs as they will be when these have changed."""
    chosen = set(seats)
    return [
        msgspec.structs.replace(chair, **changes) if seat in chosen else chair
        for seat, chair in enumerate(match.chairs)
    ]


def _clocked(
    match: Match,
    chairs: Sequence[Chair],
    awaited: Iterable[Seat],
    now: int,
    moved: Seat | None = None,
) -> list[AnyEvent]:
    """The event that sets the clocks for those who are awaited now, if the match has clocks."""
    clocks = tick(match, now, thinking(chairs, awaited), moved)
    return [Clocked(clocks)] if clocks else []
