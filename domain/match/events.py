"""Events of a match around its game. Each event applies itself to the match."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.scoring import Scoring
from domain.match.dice import dice_key
from domain.match.outcome import RatingChange
from domain.match.social_events import SOCIAL_EVENTS
from domain.match.state import (
    AbortReason,
    Chair,
    ClockRule,
    Clocks,
    CloseReason,
    EndReason,
    ForkedFrom,
    Match,
    MatchEvent,
    SeriesPlace,
    SeriesScore,
    UndoPolicy,
    UnratedReason,
)
from domain.match.undoing.request import RequestedMoves, UndoRequest


class Created(MatchEvent, frozen=True):
    """A player opened a table. `setup` is the data of the game that the match uses."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("position",)  # it shows all hands

    match: str
    game: str
    rules: int
    host: str
    chairs: tuple[Chair, ...]
    options: Json
    setup: Json
    undo: UndoPolicy
    clock: ClockRule | None
    on_timeout: Literal["bot", "resign"]
    substitute: str
    visibility: Literal["public", "private"]
    seed_hash: str
    unrated: UnratedReason | None
    position: Json | None
    series: SeriesPlace | None
    expires: int
    forked_from: ForkedFrom | None = None
    seed_index: int | None = None
    idle_ms: int | msgspec.UnsetType = msgspec.UNSET  # without its only player, until it ends

    def apply(self, match: Match) -> None:
        """Open the table."""
        match.id, match.rules, match.host = self.match, self.rules, self.host
        match.chairs = list(self.chairs)
        match.options, match.position = self.options, self.position
        match.setup = msgspec.convert(self.setup, match.game.setup_type)
        match.undo_policy, match.clock_rule = self.undo, self.clock
        match.on_timeout, match.substitute = self.on_timeout, self.substitute
        match.visibility, match.unrated, match.expires = self.visibility, self.unrated, self.expires
        match.seed_hash, match.seed_index = self.seed_hash, self.seed_index
        match.series, match.forked_from, match.declined = self.series, self.forked_from, {}
        match.idle_ms = None if self.idle_ms is msgspec.UNSET else self.idle_ms


class LessonBegun(MatchEvent, frozen=True):
    """The match is a lesson of its game."""

    lesson: str  # the key of the lesson

    def apply(self, match: Match) -> None:
        """Let the match follow the lesson."""
        match.lesson = self.lesson


class SeatTaken(MatchEvent, frozen=True):
    """A player took a seat."""

    seat: Seat
    player: str
    commitment: str | None = None

    def apply(self, match: Match) -> None:
        """Give the seat to the player."""
        self._seat(match, self.seat, player=self.player, commitment=self.commitment)


class SeatLeft(MatchEvent, frozen=True):
    """A player left their seat before the start; `host` is the new host if they were the host."""

    seat: Seat
    host: str | None = None

    def apply(self, match: Match) -> None:
        """Free the seat. An invitation stays valid."""
        self._seat(match, self.seat, player=None, commitment=None)
        match.nonces_due_at = None
        match.host = self.host or match.host


class InvitationDeclined(MatchEvent, frozen=True):
    """A player declined the invitation to a seat, which is open to all now."""

    seat: Seat
    player: str

    def apply(self, match: Match) -> None:
        """Open the seat, and remember who declined."""
        self._seat(match, self.seat, invited=None)
        match.declined = {**match.declined, self.seat: self.player}


class BotSeated(MatchEvent, frozen=True):
    """A bot plays this seat from now on; if the seat has a player, for them."""

    seat: Seat
    level: str

    def apply(self, match: Match) -> None:
        """Set the bot of the seat."""
        self._seat(match, self.seat, bot=self.level)


class SeatReclaimed(MatchEvent, frozen=True):
    """A player took their seat back from a bot."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Remove the bot."""
        self._seat(match, self.seat, bot=None)


class Started(MatchEvent, frozen=True):
    """The game started. Its dice follow from the seed and these nonces of the seats."""

    nonces: tuple[str | None, ...]

    def apply(self, match: Match) -> None:
        """Set up the empty table."""
        match.status, match.expires = "active", None
        match.nonces, match.nonces_by_hash, match.nonces_due_at = self.nonces, {}, None
        match.dice_key = dice_key(match.seed, self.nonces)
        match.state = match.blank_state()


class NoncesAwaited(MatchEvent, frozen=True):
    """All seats are taken. Until then, players can open the nonces they committed to."""

    until: int

    def apply(self, match: Match) -> None:
        """Let the start wait for the nonces."""
        match.nonces_due_at = self.until


class NonceOpened(MatchEvent, frozen=True):
    """A player opened the nonce that they had committed to; the start makes it public."""

    player: str

    def apply(self, match: Match) -> None:
        """Nothing changes: the entry holds the nonce in its `secret`."""


class DiceFell(MatchEvent, frozen=True):
    """Chance decided something in this entry, with the numbers of this draw."""

    draw: int

    def apply(self, match: Match) -> None:
        """Count the draw. An undo does not give it back."""
        match.draws = self.draw + 1


class BotFailed(MatchEvent, frozen=True):
    """A bot failed repeatedly; this level plays the seat from now on, random moves if null."""

    seat: Seat
    instead: str | None

    def apply(self, match: Match) -> None:
        """Replace the bot."""
        if self.instead is None:
            match.random_seats |= {self.seat}
        else:
            self._seat(match, self.seat, bot=self.instead)


class UndoRequested(MatchEvent, frozen=True):
    """A player asked the others to go back to a version, or forward again."""

    player: str
    to: int
    redo: bool
    asked: tuple[str, ...]
    expires: int
    moves: RequestedMoves | msgspec.UnsetType = msgspec.UNSET

    def apply(self, match: Match) -> None:
        """Wait for the answers of the others."""
        match.undo_request = UndoRequest(
            self.player, self.to, self.redo, self.asked, self.expires, self.moves
        )


class UndoAnswered(MatchEvent, frozen=True):
    """A player agreed or refused; one refusal rejects the request."""

    player: str
    agree: bool

    def apply(self, match: Match) -> None:
        """Remove the player from those who still have to answer, or end the request."""
        assert match.undo_request
        asked = tuple(player for player in match.undo_request.asked if player != self.player)
        left = msgspec.structs.replace(match.undo_request, asked=asked)
        match.undo_request = left if self.agree and asked else None


class UndoLapsed(MatchEvent, frozen=True):
    """The request for an undo expired, or the players at the table have changed."""

    def apply(self, match: Match) -> None:
        """Remove the request."""
        match.undo_request = None


class Undone(MatchEvent, frozen=True):
    """Play continues from version `to`; the log keeps what came after it."""

    to: int
    awaiting: tuple[Seat, ...]

    def apply(self, match: Match) -> None:
        """Restore the state of that version."""
        match.rewind(self.to)
        match.undo_request, match.waiting, match.absent = None, {}, frozenset()


class Redone(MatchEvent, frozen=True):
    """A line that was undone continues, up to version `to`, instead of the current one."""

    to: int
    awaiting: tuple[Seat, ...]

    def apply(self, match: Match) -> None:
        """Restore the state of that version."""
        match.restore(self.to)
        match.undo_request, match.waiting, match.absent = None, {}, frozenset()


class Unrated(MatchEvent, frozen=True):
    """The result does not count for the ratings."""

    reason: UnratedReason

    def apply(self, match: Match) -> None:
        """Record the reason."""
        match.unrated = self.reason


class Clocked(MatchEvent, frozen=True):
    """The time that each seat has left, and which seats are thinking."""

    clocks: Clocks

    def apply(self, match: Match) -> None:
        """Set the clocks."""
        match.clocks = self.clocks


class TimeReturned(MatchEvent, frozen=True):
    """The service could not be reached for `ms` milliseconds: all deadlines are later by them."""

    ms: int

    def apply(self, match: Match) -> None:
        """Move the deadlines."""
        match.postpone(self.ms)


class Kept(MatchEvent, frozen=True):
    """A player keeps a match that would have ended by itself."""

    player: str

    def apply(self, match: Match) -> None:
        """Nothing changes: the entry is an action of the player, which starts their time anew."""


class Resigned(MatchEvent, frozen=True):
    """A seat resigned; it ranks last."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Mark the seat. Its player decides nothing from now on."""
        self._seat(match, self.seat, resigned=True)


class TimedOut(MatchEvent, frozen=True):
    """A seat ran out of time."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Remember the seat; other events of the same entry hold the consequences."""
        match.timed_out |= {self.seat}


class Ended(MatchEvent, frozen=True):
    """The game is over."""

    reason: EndReason

    def apply(self, match: Match) -> None:
        """Close the game. Scoring follows."""
        match.status, match.end_reason = "ended", self.reason
        match.undo_request = match.proposal = match.pause = match.clocks = None


class Scored(MatchEvent, frozen=True):
    """The final score with its breakdown, and the seed of the dice."""

    scoring: Scoring
    seed: str
    series: SeriesScore | None

    def apply(self, match: Match) -> None:
        """Set the result."""
        match.status, match.scoring, match.series_score = "scored", self.scoring, self.series


class Rated(MatchEvent, frozen=True):
    """The result changed the ratings."""

    changes: tuple[RatingChange, ...]

    def apply(self, match: Match) -> None:
        """Mark the match as rated."""
        match.rated = True


class Continued(MatchEvent, frozen=True):
    """The next match was opened: of the series, or the one in which the players play again."""

    match: str

    def apply(self, match: Match) -> None:
        """Link to the next match."""
        match.next_match, match.rematch_by = self.match, None


class Aborted(MatchEvent, frozen=True):
    """The match was cancelled; its seed is public. `note` refines the reason."""

    reason: AbortReason
    seed: str
    note: CloseReason | None = None

    def apply(self, match: Match) -> None:
        """Close the match."""
        match.status, match.expires, match.end_reason = "aborted", None, self.reason
        match.undo_request = match.proposal = match.pause = None
        match.clocks = match.nonces_due_at = None


MATCH_EVENTS: tuple[type[MatchEvent], ...] = (
    Created, SeatTaken, SeatLeft, BotSeated, SeatReclaimed, Started, UndoRequested, UndoAnswered,
    UndoLapsed, Undone, Redone, Unrated, Clocked, Resigned, TimedOut, Ended, Scored, Rated,
    Continued, Aborted, BotFailed, DiceFell, NoncesAwaited, NonceOpened, TimeReturned, Kept,
    InvitationDeclined, LessonBegun, *SOCIAL_EVENTS,
)  # fmt: skip
