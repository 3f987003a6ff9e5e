"""Giving others more time to think. docs/clocks.md has the rules."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.match.clock import clocks_with_gift, start_s
from domain.match.decisions.playing import require_active
from domain.match.errors import Forbidden, Impossible, InvalidCommand
from domain.match.events import Clocked
from domain.match.log import Draft
from domain.match.social_events import TimeGiven
from domain.match.state import ClockRule, Match

MAX_GIFTS = 100
"""How often a match takes gifts of time, so that they do not fill its log."""
MAX_GIFT_S = 86_400
HOUR_S, DAY_S = 3_600, 86_400
USUAL_GIFTS_S = ((DAY_S, DAY_S), (HOUR_S, 300), (0, 15))
"""What a player gives who names no amount, in seconds, if seats start with at least this time."""


def give_time(match: Match, player: str, seat: Seat | None, seconds: int | None, now: int) -> Draft:
    """Give a seat of another person that is thinking more time, or all such seats: `seconds`, or
    what is usual for this clock.

    Raises Refusal.
    """
    require_active(match)
    if player not in match.deciding_players():
        raise Forbidden("not_seated", "You play no seat in this match.")
    if seat is not None and seat >= len(match.chairs):
        raise InvalidCommand("no_such_seat", f"The table has no seat {seat}.")
    if match.clocks is None or match.clock_rule is None:
        raise Impossible("no_time_to_give", "This match has no clock.")
    thinking = [one for one in match.clocks.running if match.chairs[one].player != player]
    seats = [one for one in thinking if seat in (None, one)]
    if not seats:
        raise Impossible("no_time_to_give", _list_thinking(thinking))
    most = max_gift_s(match.clock_rule)
    if seconds is not None and seconds > most:
        raise Impossible("no_time_to_give", f"In this match you give at most {most} s at once.")
    if len(match.gifts) + len(seats) > MAX_GIFTS:
        raise Impossible("no_time_to_give", f"A match takes {MAX_GIFTS} gifts of time.")
    ms = 1000 * (seconds or usual_gift_s(match.clock_rule))
    clocks = clocks_with_gift(match.clocks, seats, ms, now)
    return Draft("TimeGiven", (*(TimeGiven(player, one, ms) for one in seats), Clocked(clocks)))


def usual_gift_s(rule: ClockRule) -> int:
    """How many seconds a player gives who names no amount."""
    usual = next(gift for least, gift in USUAL_GIFTS_S if start_s(rule) >= least)
    return min(usual, start_s(rule))


def max_gift_s(rule: ClockRule) -> int:
    """How many seconds a player gives at most: what a seat starts with, or has for each decision,
    so that two players cannot let a third one wait for long.
    """
    return min(MAX_GIFT_S, start_s(rule))


def _list_thinking(seats: list[Seat]) -> str:
    if not seats:
        return "No other person is thinking now."
    return f"Only these seats of others are thinking now: {', '.join(map(str, seats))}."
