"""Events between the players: the reliability that a table asks for, time that they give,
proposals, pauses, the patience with those who stay away and new players in their place, playing
again, and moves that the service makes for them.
"""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat
from domain.match.state import Match, MatchEvent, Pause, Proposal, ProposalKind
from domain.match.undoing.seat_records import Gift, Tenure


class TimeGiven(MatchEvent, frozen=True):
    """A player gave a seat `ms` more milliseconds to think."""

    player: str
    seat: Seat
    ms: int

    def apply(self, match: Match) -> None:
        """Remember it for an undo; the clocks of the same entry contain it."""
        match.gifts = (*match.gifts, Gift(match.version + 1, self.seat, self.ms))


class Proposed(MatchEvent, frozen=True):
    """A player proposed something that the others have to agree to."""

    kind: ProposalKind
    player: str
    asked: tuple[str, ...]
    expires: int

    def apply(self, match: Match) -> None:
        """Wait for the answers of the others."""
        match.proposal = Proposal(self.kind, self.player, self.asked, self.expires)
        match.proposed = {**match.proposed, (self.kind, self.player): match.version + 1}


class ProposalAnswered(MatchEvent, frozen=True):
    """A player agreed to a proposal or declined it; their own is withdrawn."""

    player: str
    agree: bool

    def apply(self, match: Match) -> None:
        """Remove the player from those who still have to answer, or end the proposal."""
        assert match.proposal
        asked = tuple(player for player in match.proposal.asked if player != self.player)
        left = msgspec.structs.replace(match.proposal, asked=asked)
        match.proposal = left if self.agree and asked else None


class ProposalLapsed(MatchEvent, frozen=True):
    """A proposal expired, or the players at the table have changed."""

    def apply(self, match: Match) -> None:
        """Remove the proposal. Its player can make it again at once."""
        assert match.proposal
        own = match.proposal.kind, match.proposal.player
        match.proposed = {one: at for one, at in match.proposed.items() if one != own}
        match.proposal = None


class Paused(MatchEvent, frozen=True):
    """The players paused the match, as one of them had proposed: no clock runs."""

    player: str
    since: int
    until: int

    def apply(self, match: Match) -> None:
        """Let the match wait; the clocks of the same entry have stopped."""
        match.pause = Pause(self.player, self.since, self.until)
        match.pauses += 1
        match.proposal = None


class Resumed(MatchEvent, frozen=True):
    """A player resumed the match after `ms` milliseconds, or it resumed by itself."""

    player: str | None
    ms: int

    def apply(self, match: Match) -> None:
        """End the pause; the clocks of the same entry run."""
        match.pause = None


class ReliabilityRequired(MatchEvent, frozen=True):
    """The free seats of the table are for players with at least this reliability, in percent."""

    percent: int

    def apply(self, match: Match) -> None:
        """Remember it for those who want a seat."""
        match.min_reliability = self.percent


class PatienceSet(MatchEvent, frozen=True):
    """Once a player lets the others wait for `ms` milliseconds, those may vote how to go on."""

    ms: int

    def apply(self, match: Match) -> None:
        """Let the match measure how long it waits for each seat."""
        match.patience_ms = self.ms


class PatienceEnded(MatchEvent, frozen=True):
    """The patience with a seat has ended: the others may vote how to go on."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Mark the seat, whose time begins anew. All may propose what they have proposed before."""
        match.absent |= {self.seat}
        match.waiting = {seat: at for seat, at in match.waiting.items() if seat != self.seat}
        match.proposed = {}


class ReplacementSought(MatchEvent, frozen=True):
    """The others seek a new player for the seat of an absent one, who has it until then."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Open the seat to others, for as long as it is absent."""
        match.replaceable |= {self.seat}


class PlayerReplaced(MatchEvent, frozen=True):
    """A new player took the seat of an absent one; `host` is the new host if that was the host."""

    seat: Seat
    leaver: str
    player: str
    host: str | None = None

    def apply(self, match: Match) -> None:
        """Give the seat to the new player, whose time begins now."""
        match.tenures = (*match.tenures, Tenure(self.seat, self.leaver, match.version + 1))
        self._seat(match, self.seat, player=self.player, invited=None)
        match.host = self.host or match.host
        match.absent, match.timed_out = match.absent - {self.seat}, match.timed_out - {self.seat}
        match.waiting = {seat: at for seat, at in match.waiting.items() if seat != self.seat}


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


class ForcedMovePlayed(MatchEvent, frozen=True):
    """The service made the move of this entry for the player of the seat: there was no other."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Nothing changes: it says who made the move."""


SOCIAL_EVENTS: tuple[type[MatchEvent], ...] = (
    RematchOffered, RematchOpened, TimeGiven, Proposed, ProposalAnswered, ProposalLapsed,
    Paused, Resumed, ReliabilityRequired, PatienceSet, PatienceEnded, ForcedMovePlayed,
    ReplacementSought, PlayerReplaced,
)  # fmt: skip
