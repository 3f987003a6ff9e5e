"""Who has how many points, and who has won."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.engine.play import Seat


class Line(msgspec.Struct, frozen=True):
    """What one seat has: its points, where they come from, and its place (1 is a winner)."""

    seat: Seat
    rank: int
    points: int
    breakdown: dict[str, int]


class Rival(msgspec.Struct, frozen=True):
    """What somebody without a seat has, for whom the rules decide; its name is `rival_<key>`."""

    key: str
    points: int
    breakdown: dict[str, int]


class Scoring(msgspec.Struct, frozen=True, omit_defaults=True):
    """The score of all seats, in the order of the seats; the reason says how the game ended.

    Seats that play together have all won or not, as `won` tells; it is None where they play
    against each other. Nobody of a table that has not won has the first place.
    """

    reason: str
    lines: tuple[Line, ...]
    won: bool | None = None
    rivals: tuple[Rival, ...] = ()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who is first; several seats if they share the victory."""
        return tuple(line.seat for line in self.lines if line.rank == 1)

    def share(self, seat: Seat) -> float:
        """What part of the victory is this seat's: all of it for each who won together."""
        if seat not in self.winners:
            return 0.0
        return 1.0 if self.won else 1 / len(self.winners)


def ranks(standings: Sequence[tuple[int, ...]]) -> list[int]:
    """The place of each standing, from 1; a larger standing is better, equal ones share a place."""
    return [1 + sum(other > standing for other in standings) for standing in standings]
