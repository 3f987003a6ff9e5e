"""The seats that must decide in the summary of a match, and how long the others wait for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from domain.engine.play import Seat


class AwaitedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat that must decide, since when and until when (ms since the epoch)."""

    seat: Seat
    since: int
    deadline: int | None = None
    patience_until: int | None = None  # of a person, if the match has a patience
    absent: bool = False  # whether the others have waited for them that long

    def postpone(self, ms: int) -> AwaitedSeat:
        """The same with deadlines that are later by `ms` milliseconds."""
        return replace(
            self, deadline=later(self.deadline, ms), patience_until=later(self.patience_until, ms)
        )


def later(at: int | None, ms: int) -> int | None:
    """Return a time that is later by `ms` milliseconds; None for None."""
    return None if at is None else at + ms


def follow_patience(
    awaiting: Sequence[AwaitedSeat], people: Collection[Seat], until: int
) -> tuple[AwaitedSeat, ...]:
    """Return the seats after an entry: the patience with those whose time begins anew in it lasts
    until then, and there is none with bots.
    """
    return tuple(
        [
            replace(who, patience_until=who.patience_until or until)
            if who.seat in people
            else replace(who, patience_until=None, absent=False)
            for who in awaiting
        ]
    )


def renew_patience(
    awaiting: Sequence[AwaitedSeat], seats: Collection[Seat], *, absent: bool = False
) -> tuple[AwaitedSeat, ...]:
    """Return the seats if the patience with some of them begins anew in this entry."""
    return tuple(
        [
            replace(who, patience_until=None, absent=absent) if who.seat in seats else who
            for who in awaiting
        ]
    )


def mark_absent(awaiting: Sequence[AwaitedSeat], seat: Seat) -> tuple[AwaitedSeat, ...]:
    """Return the seats once the patience with one of them has ended."""
    return renew_patience(awaiting, (seat,), absent=True)


def patience_ends(awaiting: Sequence[AwaitedSeat]) -> Mapping[Seat, int]:
    """Return when the patience with each seat ends that is not absent (ms since the epoch)."""
    return {
        who.seat: who.patience_until
        for who in awaiting
        if who.patience_until is not None and not who.absent
    }
