"""Clocks: which seats are thinking, and when their time is up. docs/clocks.md has the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.engine.play import Seat
from domain.match.errors import InvalidCommand
from domain.match.state import Chair, ClockRule, Clocks, Match, Point

UNDO_GRACE_MS = 10_000
"""Minimum left to the other seats after an undo, unless they had less at that version."""

MIN_RETURN_MS = 60_000
"""Minimum for a seat after a bot has decided for it on time-out, but not more than at the start."""


def running_seats(chairs: Sequence[Chair], deciding: Iterable[Seat]) -> tuple[Seat, ...]:
    """The deciding seats whose clocks run: those of persons. Bots use no time."""
    return tuple(seat for seat in deciding if chairs[seat].human)


def tick(match: Match, now: int, running: tuple[Seat, ...], moved: Seat | None) -> Clocks | None:
    """The clocks after an entry at `now` (ms): `running` seats go on thinking, and `moved` has
    decided.
    """
    if match.clock_rule is None:
        return None
    clocks = match.clocks or _full_clocks(match, now)
    banks, thought = _spend(clocks, now)
    if moved is not None:
        banks[moved] += _gain_ms(match, moved, banks[moved])
    if per_move := match.clock_rule.per_move_s:
        for seat in running:
            if seat == moved or seat not in clocks.running:
                banks[seat] = 1000 * per_move
    return _set_running(banks, thought, running, now)


def has_time_left(match: Match, seat: Seat) -> bool:
    """Whether a seat has time left; a bot's decision after a time-out gives some back."""
    return match.clocks is None or match.clocks.banks[seat] > 0


def seats_out_of_time(match: Match, now: int) -> tuple[Seat, ...]:
    """The seats whose time is up at `now`."""
    if match.clocks is None:
        return ()
    banks, _ = _spend(match.clocks, now)
    return tuple(seat for seat in match.clocks.running if banks[seat] <= 0)


def clocks_after_undo(
    match: Match, now: int, to: Point, running: tuple[Seat, ...], asking: Iterable[Seat]
) -> Clocks | None:
    """The clocks after going back, or forward, to a point: those of then, less the time that each
    seat has thought since, and with what it has been given since. Only seats that did not ask get
    the grace, so an undo never gains time.
    """
    then = to.clocks
    if match.clocks is None or then is None:
        return None
    _, thought = _spend(match.clocks, now)
    banks = [
        bank - more for bank, more in zip(then.banks, _thought_since(then, thought), strict=True)
    ]
    for gift in match.gifts:
        if gift.version > to.version:
            banks[gift.seat] += gift.ms
    for seat in set(range(len(banks))).difference(asking):
        banks[seat] = max(banks[seat], min(then.banks[seat], UNDO_GRACE_MS))
    return _set_running(banks, thought, running, now)


def set_running(clocks: Clocks, running: tuple[Seat, ...], now: int) -> Clocks:
    """The clocks if from `now` on these seats think, with the time that they have left."""
    banks, thought = _spend(clocks, now)
    return _set_running(banks, thought, running, now)


def clocks_with_gift(clocks: Clocks, seats: Iterable[Seat], ms: int, now: int) -> Clocks:
    """The clocks after each of these seats got `ms` more."""
    banks, thought = _spend(clocks, now)
    for seat in seats:
        banks[seat] += ms
    return _set_running(banks, thought, clocks.running, now)


def check_clock(rule: ClockRule | None) -> None:
    """Raise InvalidCommand unless the clock is per move, or a bank with or without an increment."""
    if rule is None:
        return
    limits = [seconds for seconds in (rule.per_move_s, rule.bank_s) if seconds is not None]
    grows = rule.increment_s > 0 and rule.bank_s is not None
    if len(limits) != 1 or limits[0] < 1 or not (grows or rule.increment_s == 0):
        raise InvalidCommand(
            "bad_clock", "A clock has per_move_s, or bank_s with an increment_s, in whole seconds."
        )


def _thought_since(then: Clocks, thought: Sequence[int]) -> list[int]:
    """The time that each seat has thought since then."""
    return [after - before for before, after in zip(then.thought, thought, strict=True)]


def _full_clocks(match: Match, now: int) -> Clocks:
    seats = len(match.chairs)
    return Clocks((_start_ms(match),) * seats, (0,) * seats, (), now, None)


def _gain_ms(match: Match, seat: Seat, left: int) -> int:
    """What a decision adds: the increment, or time to return to if a bot decided."""
    assert match.clock_rule
    if match.chairs[seat].human:
        return 1000 * match.clock_rule.increment_s
    return max(0, min(MIN_RETURN_MS, _start_ms(match)) - left)


def _start_ms(match: Match) -> int:
    assert match.clock_rule
    return 1000 * start_s(match.clock_rule)


def start_s(rule: ClockRule) -> int:
    """The time of each seat at the start, or for each decision, in seconds."""
    return rule.per_move_s or rule.bank_s or 0


def _spend(clocks: Clocks, now: int) -> tuple[list[int], list[int]]:
    """Banks and thinking times up to `now`."""
    banks, thought = list(clocks.banks), list(clocks.thought)
    for seat in clocks.running:  # if the system clock was set back, no seat pays for it
        banks[seat] -= max(0, now - clocks.since)
        thought[seat] += max(0, now - clocks.since)
    return banks, thought


def _set_running(
    banks: Sequence[int], thought: Sequence[int], running: tuple[Seat, ...], now: int
) -> Clocks:
    deadline = min((now + max(0, banks[seat]) for seat in running), default=None)
    return Clocks(tuple(banks), tuple(thought), running, now, deadline)
