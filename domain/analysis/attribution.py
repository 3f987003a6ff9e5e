"""Attribution of changes in chance: to luck, to own decisions, or to those of others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import sub
from typing import NamedTuple

from domain.analysis.chances import Chances
from domain.engine.play import Seat

ROUNDING_ERROR = 1e-12
"""Chances that differ by at most this are equal."""
MIN_LEAD = 0.02
"""Minimum lead in chance of a new leader."""


class Swing(NamedTuple):
    """The change of chances in one entry, and the seats that decided in it."""

    version: int
    before: Chances
    after: Chances
    deciders: Collection[Seat] = ()


class Attribution:
    """Accounts of the chances by seat. The current chance is `start + luck + own + others`."""

    def __init__(self, seats: int) -> None:
        self.start: Chances = ()
        self.now: Chances = ()
        self.luck = [0.0] * seats
        self.own = [0.0] * seats
        self.others = [0.0] * seats
        self.swings: list[Swing] = []

    def add(
        self, version: int, after: Chances, deciders: Collection[Seat], mean: Chances | None = None
    ) -> Chances:
        """Add the chances after an entry in which these seats decided. Returns the luck by seat.

        If the entry has a draw, `mean` is the mean chance over all possible draws.
        """
        expected = mean or after
        if not self.now:
            self.start = self.now = expected
        luck = tuple(map(_without_rounding, map(sub, after, expected)))
        for seat, gained in enumerate(map(sub, expected, self.now)):
            account = self.own if seat in deciders else self.others
            account[seat] += gained
            self.luck[seat] += luck[seat]
        self.swings.append(Swing(version, self.now, after, deciders))
        self.now = after
        return luck


def _without_rounding(gained: float) -> float:
    """The gain, or 0 if it is only a rounding error."""
    return gained if abs(gained) > ROUNDING_ERROR else 0.0


def lead_changes(swings: Sequence[Swing]) -> tuple[int, ...]:
    """The versions in which another seat became the most likely winner."""
    leader: Seat | None = None
    versions = []
    for swing in swings:
        ahead = _leader(swing.after, leader)
        if ahead != leader and leader is not None:
            versions.append(swing.version)
        leader = ahead
    return tuple(versions)


def _leader(chances: Chances, leader: Seat | None) -> Seat | None:
    """The seat that leads now: the previous leader, unless another is clearly ahead."""
    first, *others = sorted(range(len(chances)), key=chances.__getitem__, reverse=True)
    if not others:
        return leader  # a single seat leads no other
    rival = chances[others[0]] if leader is None else chances[leader]
    return first if chances[first] >= rival + MIN_LEAD else leader
