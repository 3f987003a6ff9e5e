"""Events between the players: time that they give, proposals, pauses, and playing again."""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat
from domain.match.state import Gift, Match, MatchEvent, Pause, Proposal, ProposalKind


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


SOCIAL_EVENTS: tuple[type[MatchEvent], ...] = (
    RematchOffered, RematchOpened, TimeGiven, Proposed, ProposalAnswered, ProposalLapsed,
    Paused, Resumed,
)  # fmt: skip
