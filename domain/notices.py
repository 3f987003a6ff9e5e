"""Notices: which entry of a match is told to the world, and as what, without knowing its game.

A turn begins when a person at a seat has to decide who had not to decide just before. So whoever
moves several times in a row has one turn, an undo or redo begins none (it is a notice of its own,
which says whose turn it is), and nobody is told the same turn twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, get_args

from msgspec import Struct

from domain.engine.play import Seat
from domain.match import events as said
from domain.match.state import ClockRule

NoticeType = Literal[
    "match.created", "match.started", "move.made", "turn.started", "undo.requested",
    "undo.answered", "undo.done", "clock.warning", "match.ended", "match.scored", "match.aborted",
]  # fmt: skip
NOTICE_TYPES: tuple[NoticeType, ...] = get_args(NoticeType)

NUMBERS = 256
"""Of the notices of a version: fewer, so that version and number together make one number."""
WARNINGS = 128
"""The number of the first warning of a version; what its entry says itself has lower ones."""
Share = Literal["half", "tenth"]
SHARES: Mapping[Share, int] = {"half": 2, "tenth": 10}
"""What is left of the time when a player is warned, and by what the time is divided for it."""

_TOLD: Mapping[type[object], NoticeType] = {
    said.Created: "match.created",
    said.Started: "match.started",
    said.UndoRequested: "undo.requested",
    said.UndoAnswered: "undo.answered",
    said.UndoLapsed: "undo.answered",
    said.Undone: "undo.done",
    said.Redone: "undo.done",
    said.Ended: "match.ended",
    said.Scored: "match.scored",
    said.Aborted: "match.aborted",
}


class Notice(Struct, frozen=True):
    """One thing to tell of a version of a match: the `number` is the same for everybody."""

    version: int
    number: int
    type: NoticeType
    seat: Seat | None = None  # who moved, whose turn it is, or whose time runs out

    @property
    def place(self) -> int:
        """Where it stands among all notices of its match."""
        return NUMBERS * self.version + self.number

    @property
    def share(self) -> Share | None:
        """How much time is left, if it is a warning."""
        if self.type != "clock.warning":
            return None
        return tuple(SHARES)[self.number % len(SHARES)]


class Alarm(Struct, frozen=True):
    """A notice for the time when a seat still has to decide; ms since the epoch."""

    notice: Notice
    at: int


def notices(
    version: int,
    events: Iterable[object],
    mover: Seat | None,
    before: Collection[Seat],
    after: Collection[Seat],
) -> Iterator[Notice]:
    """What an entry is told as, in order, if `mover` made a move with it and these seats of persons
    had to decide before and after.
    """
    told = [(kind, None) for event in events if (kind := _TOLD.get(type(event)))]
    found: list[tuple[NoticeType, Seat | None]] = [*_moved(mover), *told]
    if ("undo.done", None) not in found:
        found += [("turn.started", seat) for seat in sorted(after) if seat not in before]
    for number, (kind, seat) in enumerate(found):
        yield Notice(version, number, kind, seat)


def warnings(
    version: int, rule: ClockRule, since: int, deadlines: Mapping[Seat, int]
) -> Iterator[Alarm]:
    """When those who think from `since` on are warned, if nobody acts before: once when half of the
    time is left and once at a tenth, of the time for a move or of the whole bank.
    """
    whole = 1000 * (rule.per_move_s or rule.bank_s or 0)
    for seat, deadline in deadlines.items():
        for place, part in enumerate(SHARES.values()):
            at = deadline - whole // part
            if at > since:
                number = WARNINGS + len(SHARES) * seat + place
                yield Alarm(Notice(version, number, "clock.warning", seat), at)


def _moved(mover: Seat | None) -> Iterator[tuple[NoticeType, Seat | None]]:
    if mover is not None:
        yield "move.made", mover
