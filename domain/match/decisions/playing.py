"""Moves, and what else continues or ends a game: resignation, time-outs, and bots that step in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.engine import game as engine
from domain.engine.errors import GameOver
from domain.engine.play import Awaiting, Event, Move, Seat
from domain.match.clock import has_time_left, running_seats, seats_out_of_time, tick
from domain.match.dice import KeyedDice
from domain.match.errors import Forbidden, Impossible, TooEarly
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
from domain.match.length import is_next_move_last
from domain.match.log import AnyEvent, Draft
from domain.match.social_events import ProposalLapsed
from domain.match.state import Chair, Match


def move(match: Match, choice: Move, now: int) -> Draft:
    """Make a move. Raises Refusal if it is illegal."""
    require_running(match)
    dice = KeyedDice(match.dice_key, match.draws)
    events = engine.decide(match.game, match.state, choice, dice)
    dice_events = [DiceFell(match.draws)] if dice.used else []
    return Draft(
        "Moved", (*events, *dice_events, *_consequences(match, events, choice.seat, now)), choice
    )


def preview(match: Match, choice: Move) -> list[Event[Any]]:
    """The events of a move until it reveals hidden information. Raises Refusal if it is illegal."""
    require_running(match)
    return engine.preview(match.game, match.state, choice)


def preview_view(match: Match, choice: Move) -> Any:
    """The view of the seat that moves after the events of the preview. Raises Refusal if the move
    is illegal.
    """
    events = preview(match, choice)  # refuses first: before the start there is no state
    after = engine.fold(match.state.copy(), events)
    return match.game.view(after, choice.seat)


def resign(match: Match, player: str, now: int) -> Draft:
    """Resign all seats of a player. They rank last; the others play on if they can."""
    require_active(match)
    seats = [seat for seat in match.seats_of(player) if not match.chairs[seat].resigned]
    if not seats:
        raise Forbidden("not_seated", "You have no seat to resign in this match.")
    return Draft("Resigned", tuple(_resign_events(match, seats, now)))


def time_out(match: Match, now: int) -> Draft:
    """Replace seats whose time is up by bots, or let them resign, as the match is configured."""
    require_active(match)
    late = seats_out_of_time(match, now)
    if not late:
        raise TooEarly("No seat has run out of time.")
    if match.on_timeout == "resign":
        out = [*_time_out(match, late), *_resign_events(match, late, now)]
        return Draft("TimedOut", tuple(out))
    return Draft("TimedOut", tuple(time_out_events(match, late, now)))


def time_out_events(match: Match, late: Sequence[Seat], now: int) -> list[AnyEvent]:
    """The events with which bots play on for seats whose time is up."""
    return [*_time_out(match, late), *_replace_by_bots(match, late, now)]


def reclaim(match: Match, player: str, now: int) -> Draft:
    """Give a player back the seats that bots play for them; after a time-out, once the bot has
    decided.
    """
    require_running(match)
    held = [seat for seat in match.seats_of(player) if not match.chairs[seat].resigned]
    played = [seat for seat in held if match.chairs[seat].bot]
    if not played:
        raise Impossible("nothing_to_reclaim", "No bot plays in your place.")
    seats = [seat for seat in played if has_time_left(match, seat)]
    if not seats:
        raise Impossible("bot_decides", "Your time ran out: a bot makes this decision first.")
    back: list[AnyEvent] = [SeatReclaimed(seat) for seat in seats]
    back += _clock_events(match, _change_chairs(match, seats, bot=None), match.seats_to_move, now)
    return Draft("SeatReclaimed", (*back, *lapse_events(match)))


def require_active(match: Match) -> None:
    """Raise Refusal unless the game is in progress."""
    if match.status == "open":
        raise Impossible("match_not_started", "The match has not started.")
    if match.status == "aborted":
        raise Impossible("match_aborted", "The match was aborted.")
    if match.status != "active":
        raise GameOver


def require_running(match: Match) -> None:
    """Raise Refusal unless the game is in progress and not paused."""
    require_active(match)
    if match.pause is not None:
        raise Impossible("match_paused", "The match is paused. Each of its players can resume it.")


def _time_out(match: Match, late: Sequence[Seat]) -> list[AnyEvent]:
    """The time of these seats is up; the match is unrated if an outage has interrupted one."""
    out: list[AnyEvent] = [TimedOut(seat) for seat in late]
    interrupted = match.unrated is None and match.interrupted.intersection(late)
    return [*out, Unrated("outage")] if interrupted else out


def _consequences(
    match: Match, events: Sequence[Event[Any]], seat: Seat, now: int
) -> list[AnyEvent]:
    """What a move causes in the match: new clocks, or the end."""
    awaiting = events[-1]
    assert isinstance(awaiting, Awaiting)
    if not awaiting.agenda:
        return [Ended("rules")]
    if is_next_move_last(match):
        return [*([] if match.unrated else [Unrated("length")]), Ended("length")]
    clocks = _clock_events(match, match.chairs, awaiting.agenda[-1].seats, now, moved=seat)
    return [*clocks, *_return_events(match, match.chairs[seat].player)]


def _resign_events(match: Match, seats: Sequence[Seat], now: int) -> list[AnyEvent]:
    """Resign these seats: the match ends, or bots play on for them."""
    events: list[AnyEvent] = [Resigned(seat) for seat in seats]
    chairs = _change_chairs(match, seats, resigned=True)
    standing = [chair for chair in chairs if not chair.resigned]
    min_seats = 1 if match.game.is_cooperative(match.setup) else 2  # 2 unless cooperative
    if len(standing) < min_seats or not any(chair.player for chair in standing):
        return [*events, Ended("resignation")]
    return [*events, *_replace_by_bots(match, [s for s in seats if not match.chairs[s].bot], now)]


def _replace_by_bots(match: Match, seats: Sequence[Seat], now: int) -> list[AnyEvent]:
    """Let bots play these seats from now on."""
    seated: list[AnyEvent] = [BotSeated(seat, match.substitute) for seat in seats]
    chairs = _change_chairs(match, seats, bot=match.substitute)
    return [*seated, *_clock_events(match, chairs, match.seats_to_move, now), *lapse_events(match)]


def lapse_events(match: Match) -> list[AnyEvent]:
    """Let a request for an undo and a proposal lapse, because the players at the table have
    changed.
    """
    undo: list[AnyEvent] = [UndoLapsed()] if match.undo_request else []
    return [*undo, ProposalLapsed()] if match.proposal else undo


def _return_events(match: Match, player: str | None) -> list[AnyEvent]:
    """Let a proposal lapse because an absent player moves: from now on it needs their consent."""
    returns = match.proposal is not None and player in match.absent_players
    return [ProposalLapsed()] if returns else []


def _change_chairs(match: Match, seats: Iterable[Seat], **changes: Any) -> list[Chair]:
    """The chairs, with these seats changed."""
    chosen = set(seats)
    return [
        msgspec.structs.replace(chair, **changes) if seat in chosen else chair
        for seat, chair in enumerate(match.chairs)
    ]


def _clock_events(
    match: Match,
    chairs: Sequence[Chair],
    awaited: Iterable[Seat],
    now: int,
    moved: Seat | None = None,
) -> list[AnyEvent]:
    """The event that sets the clocks for the deciding seats; none without clocks, or in a pause."""
    if match.pause is not None:
        return []
    clocks = tick(match, now, running_seats(chairs, awaited), moved)
    return [Clocked(clocks)] if clocks else []
