"""Notices: what subscribers hear about an entry of a match, for every game.

A turn starts when a person has to decide at a seat that did not have to decide just before. So
several moves in a row are one turn, and no turn is reported twice. An undo or redo starts no turn:
its notice says whose turn it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from domain.engine.play import Seat
from domain.match.state import ClockRule, Pause
from domain.notice_members import TimeShare
from domain.notice_types import NOTICE_TYPES, NoticeName

MAX_NOTICES_PER_VERSION = 256
"""Upper bound for notices per version, so that version and number combine into one number."""
FIRST_WARNING_NUMBER = 128
"""Number of the first warning of a version; notices of its entry have lower numbers."""
IDLE_WARNING_NUMBER = MAX_NOTICES_PER_VERSION - 1
"""Number of the warning that a match ends by itself."""
PAUSE_WARNING_NUMBER = MAX_NOTICES_PER_VERSION - 2
"""Number of the warning that a pause ends by itself."""
IDLE_WARNING_DIVISOR = 4
"""The share of the time without an action, or of a pause, that is left at this warning, as a
divisor.
"""
TIME_SHARE_DIVISORS: Mapping[TimeShare, int] = {"half": 2, "tenth": 10}
"""The shares of time left at which players are warned, and the divisor for each."""
NAME_BY_EVENT: Mapping[type[object], NoticeName] = {
    event: one.name for one in NOTICE_TYPES.values() for event in one.events
}


class Notice(Struct, frozen=True):
    """A notice about a version of a match. Its `number` is the same for all subscribers."""

    version: int
    number: int
    type: NoticeName
    seat: Seat | None = None  # which one, see `NoticeType.seat`
    at: int = 0  # when the version was recorded (ms since the epoch); 0 if unknown

    @property
    def position(self) -> int:
        """Its position among all notices of its match."""
        return MAX_NOTICES_PER_VERSION * self.version + self.number

    @property
    def is_warning(self) -> bool:
        """Whether it comes at a time instead of with an entry."""
        return self.number >= FIRST_WARNING_NUMBER

    @property
    def share(self) -> TimeShare | None:
        """The share of time left, for a warning; else None."""
        if self.type != "clock.warning":
            return None
        return tuple(TIME_SHARE_DIVISORS)[self.number % len(TIME_SHARE_DIVISORS)]


class DeadlineWarning(Struct, frozen=True):
    """A notice that is due at a time (ms since the epoch), if no entry comes before."""

    notice: Notice
    at: int


def notices(
    version: int,
    at: int,
    events: Iterable[object],
    mover: Seat | None,
    before: Collection[Seat],
    after: Collection[Seat],
) -> Iterator[Notice]:
    """The notices of an entry recorded at a time (ms), in order. `mover` made a move in it, if any;
    `before` and `after` are the seats of persons that had to decide before and after it.
    """
    found: list[tuple[NoticeName, Seat | None]] = [*_move_notice(mover)]
    caused = (NAME_BY_EVENT.get(type(event)) for event in events)
    found += [(name, None) for name in dict.fromkeys(caused) if name]
    if ("undo.done", None) not in found:
        found += [("turn.started", seat) for seat in sorted(after) if seat not in before]
    for number, (name, seat) in enumerate(found):
        yield Notice(version, number, name, seat, at)


def deadline_warnings(
    version: int, rule: ClockRule, since: int, deadlines: Mapping[Seat, int]
) -> Iterator[DeadlineWarning]:
    """The warnings for seats that think since `since`, if no entry comes before: at a half and at a
    tenth of the time for a move, or of the whole bank.
    """
    whole = 1000 * (rule.per_move_s or rule.bank_s or 0)
    for seat, deadline in deadlines.items():
        for place, part in enumerate(TIME_SHARE_DIVISORS.values()):
            at = deadline - whole // part
            if at > since:
                number = FIRST_WARNING_NUMBER + len(TIME_SHARE_DIVISORS) * seat + place
                notice = Notice(version, number, "clock.warning", seat, since)
                yield DeadlineWarning(notice, at)


def idle_warnings(
    version: int, since: int, ends_at: int | None, idle_ms: int | None
) -> Iterator[DeadlineWarning]:
    """The warning that a match whose last entry came at `since` ends by itself at `ends_at`, if it
    does: once a quarter of the time that its only player has is left.
    """
    if ends_at is not None and idle_ms is not None:
        at = idle_warning_time(ends_at, idle_ms)
        if at > since:
            notice = Notice(version, IDLE_WARNING_NUMBER, "match.idle", None, since)
            yield DeadlineWarning(notice, at)


def patience_warnings(
    version: int, since: int, ends: Mapping[Seat, int], patience_ms: int | None
) -> Iterator[DeadlineWarning]:
    """The warnings that a match whose last entry came at `since` has waited for a seat for half of
    its patience, which ends with each seat as `ends` says.
    """
    for seat, until in ends.items():
        at = patience_warning_time(until, patience_ms)
        if at > since:
            number = FIRST_WARNING_NUMBER + len(TIME_SHARE_DIVISORS) * seat
            notice = Notice(version, number, "patience.warning", seat, since)
            yield DeadlineWarning(notice, at)


def patience_warning_time(until: int, patience_ms: int | None) -> int:
    """When to warn a seat with which a patience of so many milliseconds ends `until` then (ms)."""
    return until - (patience_ms or 0) // 2


def pause_warnings(version: int, since: int, pause: Pause) -> Iterator[DeadlineWarning]:
    """The warning that a match whose last entry came at `since` resumes by itself."""
    at = pause_warning_time(pause)
    if at > since:
        notice = Notice(version, PAUSE_WARNING_NUMBER, "pause.ending", None, since)
        yield DeadlineWarning(notice, at)


def pause_warning_time(pause: Pause) -> int:
    """When to warn that a pause ends by itself (ms)."""
    return pause.until - (pause.until - pause.since) // IDLE_WARNING_DIVISOR


def idle_warning_time(ends_at: int, idle_ms: int) -> int:
    """When to warn of the end of a match whose player has `idle_ms` to act (ms)."""
    return ends_at - idle_ms // IDLE_WARNING_DIVISOR


def _move_notice(mover: Seat | None) -> Iterator[tuple[NoticeName, Seat | None]]:
    if mover is not None:
        yield "move.made", mover
