"""Clocks: who is thinking, what it costs, when time is up. docs/clocks.md says it in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.engine.play import Seat
from domain.match.state import Chair, Clocks, Match

GRACE_MS = 10_000
"""What an undo that somebody else asked for leaves one at least, unless one had less then."""

RETURN_MS = 60_000
"""What one whose time ran out has after the bot's decision; no more than at the start."""


def thinking(chairs: Sequence[Chair], awaited: Iterable[Seat]) -> tuple[Seat, ...]:
    """Those of the awaited seats at which a person decides: bots use up no time."""
    return tuple(seat for seat in awaited if chairs[seat].human)


def tick(match: Match, now: int, running: tuple[Seat, ...], moved: Seat | None) -> Clocks | None:
    """The clocks after something happened at `now` (ms): these seats think on, one moved."""
    if match.clock_rule is None:
        return None
    clocks = match.clocks or _full(match, now)
    banks, thought = _spent(clocks, now)
    if moved is not None:
        banks[moved] += _earned(match, moved, banks[moved])
    if per_move := match.clock_rule.per_move_s:
        for seat in running:
            if seat == moved or seat not in clocks.running:
                banks[seat] = 1000 * per_move
    return _running(banks, thought, running, now)


def in_time(match: Match, seat: Seat) -> bool:
    """Whether a seat has time left, or a bot has made the decision for which it had none."""
    return match.clocks is None or match.clocks.banks[seat] > 0


def flagged(match: Match, now: int) -> tuple[Seat, ...]:
    """The seats whose time is up at `now`."""
    if match.clocks is None:
        return ()
    banks, _ = _spent(match.clocks, now)
    return tuple(seat for seat in match.clocks.running if banks[seat] <= 0)


def after_undo(
    match: Match, now: int, then: Clocks | None, running: tuple[Seat, ...], asking: Iterable[Seat]
) -> Clocks | None:
    """The clocks after going to a point of the annals: as they were `then`, less what was thought
    since. Only those who did not ask for it have a grace, so that nobody wins time by an undo.
    """
    if match.clocks is None or then is None:
        return None
    _, thought = _spent(match.clocks, now)
    banks = [bank - more for bank, more in zip(then.banks, _since(then, thought), strict=True)]
    for seat in set(range(len(banks))).difference(asking):
        banks[seat] = max(banks[seat], min(then.banks[seat], GRACE_MS))
    return _running(banks, thought, running, now)


def _since(then: Clocks, thought: Sequence[int]) -> list[int]:
    """How long each seat has thought since then."""
    return [after - before for before, after in zip(then.thought, thought, strict=True)]


def _full(match: Match, now: int) -> Clocks:
    seats = len(match.chairs)
    return Clocks((_start(match),) * seats, (0,) * seats, (), now, None)


def _earned(match: Match, seat: Seat, left: int) -> int:
    """What a decision adds: the increment, or time to come back to if a bot made it."""
    assert match.clock_rule
    if match.chairs[seat].human:
        return 1000 * match.clock_rule.increment_s
    return max(0, min(RETURN_MS, _start(match)) - left)


def _start(match: Match) -> int:
    """What each seat starts with."""
    assert match.clock_rule
    return 1000 * (match.clock_rule.per_move_s or match.clock_rule.bank_s or 0)


def _spent(clocks: Clocks, now: int) -> tuple[list[int], list[int]]:
    """Banks and time thought, with what has run since they were written down."""
    banks, thought = list(clocks.banks), list(clocks.thought)
    for seat in clocks.running:  # a time of day that was set back costs nobody anything
        banks[seat] -= max(0, now - clocks.since)
        thought[seat] += max(0, now - clocks.since)
    return banks, thought


def _running(
    banks: Sequence[int], thought: Sequence[int], running: tuple[Seat, ...], now: int
) -> Clocks:
    deadline = min((now + max(0, banks[seat]) for seat in running), default=None)
    return Clocks(tuple(banks), tuple(thought), running, now, deadline)
