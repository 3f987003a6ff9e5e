"""Where the chances of a match went: gained by luck, by own decisions, by those of others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import sub
from typing import NamedTuple

from domain.analysis.chances import Chances
from domain.engine.play import Seat

MOST_TURNS = 5
A_TURN = 0.1
"""A turning point takes at least this much of the win from some seats to others."""
ROUNDING = 1e-12
"""Chances that differ by no more than this are the same."""
A_LEAD = 0.02
"""Whoever takes the lead is likelier to win by at least this much."""


class Swing(NamedTuple):
    """How the chances changed with one entry."""

    version: int
    before: Chances
    after: Chances

    @property
    def size(self) -> float:
        """How much of the win went from some seats to others, or from all and to all."""
        changes = [after - before for after, before in zip(self.after, self.before, strict=True)]
        if min(changes) < 0 < max(changes):
            return sum(map(abs, changes)) / 2
        return max(map(abs, changes))


class Ledger:
    """An account for each seat, in chance to win: at each moment `start + luck + own + others` is
    what it has now.
    """

    def __init__(self, seats: int) -> None:
        self.start: Chances = ()
        self.now: Chances = ()
        self.luck = [0.0] * seats
        self.own = [0.0] * seats
        self.others = [0.0] * seats
        self.swings: list[Swing] = []

    def enter(
        self, version: int, after: Chances, deciders: Collection[Seat], mean: Chances | None = None
    ) -> Chances:
        """Note the chances after an entry, in which these seats decided; and if something was drawn
        in it, the mean of what could have been drawn. Returns the luck by seat.
        """
        expected = mean or after
        if not self.now:
            self.start = self.now = expected
        luck = tuple(map(_without_rounding, map(sub, after, expected)))
        for seat, gained in enumerate(map(sub, expected, self.now)):
            account = self.own if seat in deciders else self.others
            account[seat] += gained
            self.luck[seat] += luck[seat]
        self.swings.append(Swing(version, self.now, after))
        self.now = after
        return luck


def _without_rounding(gained: float) -> float:
    """What was gained, or nothing if only rounding makes it more."""
    return gained if abs(gained) > ROUNDING else 0.0


def turning_points(swings: Iterable[Swing]) -> tuple[int, ...]:
    """The versions with the largest swings, oldest first: a few, and only large ones."""
    large = [swing for swing in swings if swing.size >= A_TURN]
    largest = sorted(large, key=lambda swing: -swing.size)[:MOST_TURNS]
    return tuple(sorted(swing.version for swing in largest))


def lead_changes(swings: Sequence[Swing]) -> tuple[int, ...]:
    """The versions with which another seat than before became the likeliest winner."""
    leader: Seat | None = None
    versions = []
    for swing in swings:
        ahead = _ahead(swing.after, leader)
        if ahead != leader and leader is not None:
            versions.append(swing.version)
        leader = ahead
    return tuple(versions)


def _ahead(told: Chances, leader: Seat | None) -> Seat | None:
    """Who leads now: whoever did, unless another is clearly ahead."""
    first, *others = sorted(range(len(told)), key=told.__getitem__, reverse=True)
    if not others:
        return leader  # who plays alone has nobody to be ahead of
    rival = told[others[0]] if leader is None else told[leader]
    return first if told[first] >= rival + A_LEAD else leader
