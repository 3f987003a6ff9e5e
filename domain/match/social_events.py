"""Events between the players of a match: time that they give, and playing again."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.match.state import Gift, Match, MatchEvent


class TimeGiven(MatchEvent, frozen=True):
    """A player gave a seat `ms` more milliseconds to think."""

    player: str
    seat: Seat
    ms: int

    def apply(self, match: Match) -> None:
        """Remember it for an undo; the clocks of the same entry contain it."""
        match.gifts = (*match.gifts, Gift(match.version + 1, self.seat, self.ms))


class RematchOffered(MatchEvent, frozen=True):
    """A player offers to play again; the table for it opens next."""

    player: str

    def apply(self, match: Match) -> None:
        """Let the service open the table."""
        match.rematch_by = self.player
        match.rematches += 1


class RematchOpened(MatchEvent, frozen=True):
    """The table is for playing the match `previous` again, on seats turned by one."""

    previous: str
    played: int  # number of matches before this one, from the first that was played again
    won: tuple[int, ...]  # how many of them each seat has won

    def apply(self, match: Match) -> None:
        """Link to the match, and carry its totals on."""
        match.rematch_of = self.previous
        match.played_before, match.won_before = self.played, self.won
