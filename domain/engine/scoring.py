"""The score of a game and its winners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from domain.engine.play import Seat


class ScoreLine(msgspec.Struct, frozen=True):
    """The score of one seat: its points, their sources, and its rank among the seats, from 1."""

    seat: Seat
    rank: int
    points: int
    breakdown: dict[str, int]


class Rival(msgspec.Struct, frozen=True):
    """The score of an opponent without a seat, for whom the rules decide; `rival_<key>` is its
    name.
    """

    key: str
    points: int
    breakdown: dict[str, int]


class Scoring(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of all seats, in seat order; `reason` says how the game ended.

    `won` says whether a cooperative table has won; it is None if the seats play against each other.
    In a table that has lost, seats with rank 1 are no winners.
    """

    reason: str
    lines: tuple[ScoreLine, ...]
    won: bool | None = None
    rivals: tuple[Rival, ...] = ()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats with rank 1, several if they share the victory; none if the table has lost."""
        if self.won is False:
            return ()
        return tuple(line.seat for line in self.lines if line.rank == 1)

    def share(self, seat: Seat) -> float:
        """The share of the victory of this seat: 1 for each seat of a cooperative table that has
        won.
        """
        if seat not in self.winners:
            return 0.0
        return 1.0 if self.won else 1 / len(self.winners)


def read_breakdown(line: ScoreLine) -> Mapping[str, int]:
    """All parts of a score."""
    return line.breakdown


@dataclass(frozen=True)
class ScoreParts:
    """What the points of a seat consist of, and the keys of texts that explain who won."""

    of: Callable[[ScoreLine], Mapping[str, int]] = read_breakdown  # their sum is the points
    only: str = ""  # names the only part that counts, `category`; without it, all parts add up
    counted: str = "some_points"  # says a number of what the game counts, by `count`
    heading: str = "heading_points"  # heads these numbers
    tie_break: str = ""  # what ranks seats with the same points; without it they share the place


def ranks(standings: Sequence[tuple[int, ...]]) -> list[int]:
    """The rank of each standing, from 1. Larger standings are better; equal ones share a rank."""
    return [1 + sum(other > standing for other in standings) for standing in standings]
