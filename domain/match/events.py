"""What can happen to a match around its game; each event writes itself down in the match."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from domain.engine.game import Json
from domain.engine.play import Record, Seat
from domain.engine.scoring import Scoring
from domain.match.dice import dice_key
from domain.match.state import (
    Chair,
    ClockRule,
    Clocks,
    ForkedFrom,
    Match,
    SeriesPlace,
    SeriesScore,
    UndoPolicy,
    UndoRequest,
    WhyAborted,
    WhyClosed,
    WhyEnded,
    WhyUnrated,
)


class MatchEvent(Record, frozen=True):
    """What happened to a match."""

    def apply(self, match: Match) -> None:
        """Write this down in the match, running no rule."""
        raise NotImplementedError

    def _seat(self, match: Match, seat: Seat, **changes: Any) -> None:
        match.chairs[seat] = msgspec.structs.replace(match.chairs[seat], **changes)


class Created(MatchEvent, frozen=True):
    """A table was opened. `setup` is all data of the game that the match will ever go by."""

    hidden: ClassVar[tuple[str, ...]] = ("position",)  # it shows all hands

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
    unrated: WhyUnrated | None
    position: Json | None
    series: SeriesPlace | None
    expires: int
    forked_from: ForkedFrom | None = None
    seed_index: int | None = None

    def apply(self, match: Match) -> None:
        """The table stands open."""
        match.id, match.rules, match.host = self.match, self.rules, self.host
        match.chairs = list(self.chairs)
        match.options, match.position = self.options, self.position
        match.setup = msgspec.convert(self.setup, match.game.setup_type)
        match.undo_policy, match.clock_rule = self.undo, self.clock
        match.on_timeout, match.substitute = self.on_timeout, self.substitute
        match.visibility, match.unrated = self.visibility, self.unrated
        match.seed_hash, match.seed_index = self.seed_hash, self.seed_index
        match.series, match.expires = self.series, self.expires
        match.forked_from = self.forked_from


class SeatTaken(MatchEvent, frozen=True):
    """A player sat down."""

    seat: Seat
    player: str
    commitment: str | None = None

    def apply(self, match: Match) -> None:
        """The player holds the seat."""
        self._seat(match, self.seat, player=self.player, commitment=self.commitment)


class SeatLeft(MatchEvent, frozen=True):
    """A player stood up before the start; if they were the host, somebody else is now."""

    seat: Seat
    host: str | None = None

    def apply(self, match: Match) -> None:
        """The seat is free again, for the same people as before."""
        self._seat(match, self.seat, player=None, commitment=None)
        match.opening = None
        match.host = self.host or match.host


class BotSeated(MatchEvent, frozen=True):
    """A bot plays this seat from now on, for its holder if it has one."""

    seat: Seat
    level: str

    def apply(self, match: Match) -> None:
        """The bot plays it."""
        self._seat(match, self.seat, bot=self.level)


class SeatReclaimed(MatchEvent, frozen=True):
    """The holder of a seat plays it again, instead of the bot."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """The bot is gone."""
        self._seat(match, self.seat, bot=None)


class Started(MatchEvent, frozen=True):
    """The game began, with dice that follow from the seed and these nonces of the seats."""

    nonces: tuple[str | None, ...]

    def apply(self, match: Match) -> None:
        """The table is laid."""
        match.status, match.expires = "active", None
        match.nonces, match.handed_in, match.opening = self.nonces, {}, None
        match.dice_key = dice_key(match.seed, self.nonces)
        match.state = match.blank()


class NoncesAwaited(MatchEvent, frozen=True):
    """All seats are taken; nonces of which only the hash is known can be opened until then."""

    until: int

    def apply(self, match: Match) -> None:
        """The start waits for them."""
        match.opening = self.until


class NonceOpened(MatchEvent, frozen=True):
    """A player opened the nonce that they had committed to; it is shown at the start."""

    player: str

    def apply(self, match: Match) -> None:
        """The entry keeps it beside its events until then."""


class DiceFell(MatchEvent, frozen=True):
    """Chance decided something in this entry, by the numbers of this draw."""

    draw: int

    def apply(self, match: Match) -> None:
        """These numbers are used up, whatever is undone."""
        match.draws = self.draw + 1


class BotFailed(MatchEvent, frozen=True):
    """A bot failed again and again; this level, or else chance, plays instead from now on."""

    seat: Seat
    instead: str | None

    def apply(self, match: Match) -> None:
        """The other one plays it."""
        if self.instead is None:
            match.left_to_chance |= {self.seat}
        else:
            self._seat(match, self.seat, bot=self.instead)


class UndoRequested(MatchEvent, frozen=True):
    """A player asked the others to go back to a version, or forward again."""

    player: str
    to: int
    redo: bool
    asked: tuple[str, ...]
    expires: int

    def apply(self, match: Match) -> None:
        """The others have to answer."""
        match.undo_request = UndoRequest(self.player, self.to, self.redo, self.asked, self.expires)


class UndoAnswered(MatchEvent, frozen=True):
    """A player agreed, or did not; one refusal settles it."""

    player: str
    agree: bool

    def apply(self, match: Match) -> None:
        """One answer fewer is owed."""
        assert match.undo_request
        asked = tuple(player for player in match.undo_request.asked if player != self.player)
        match.undo_request = (
            msgspec.structs.replace(match.undo_request, asked=asked)
            if self.agree and asked
            else None
        )


class UndoLapsed(MatchEvent, frozen=True):
    """Not everybody answered in time, or the players at the table have changed."""

    def apply(self, match: Match) -> None:
        """Nothing is asked."""
        match.undo_request = None


class Undone(MatchEvent, frozen=True):
    """Play goes on from version `to`; the annals keep what came after it."""

    to: int
    awaiting: tuple[Seat, ...]

    def apply(self, match: Match) -> None:
        """The game is as it was then."""
        match.rewind(self.to)
        match.undo_request = None


class Redone(MatchEvent, frozen=True):
    """The line that was undone last is taken up again, up to version `to`."""

    to: int
    awaiting: tuple[Seat, ...]

    def apply(self, match: Match) -> None:
        """The game is as it was before the undo."""
        match.restore()
        match.undo_request = None


class Unrated(MatchEvent, frozen=True):
    """The result will not count for the ratings."""

    reason: WhyUnrated

    def apply(self, match: Match) -> None:
        """The match is played for its own sake."""
        match.unrated = self.reason


class Clocked(MatchEvent, frozen=True):
    """How much time everybody has, and who is thinking."""

    clocks: Clocks

    def apply(self, match: Match) -> None:
        """The clocks are set."""
        match.clocks = self.clocks


class Resigned(MatchEvent, frozen=True):
    """A seat gave up; it comes last."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """Its holder decides nothing from now on."""
        self._seat(match, self.seat, resigned=True)


class TimedOut(MatchEvent, frozen=True):
    """A seat used up its time."""

    seat: Seat

    def apply(self, match: Match) -> None:
        """What follows from it is in the events beside this one."""


class Ended(MatchEvent, frozen=True):
    """The game is over."""

    reason: WhyEnded

    def apply(self, match: Match) -> None:
        """Only the scoring is left to do."""
        match.status, match.end_reason = "ended", self.reason
        match.undo_request, match.clocks = None, None


class Scored(MatchEvent, frozen=True):
    """The final score with its breakdown, and the seed of the dice."""

    scoring: Scoring
    seed: str
    series: SeriesScore | None

    def apply(self, match: Match) -> None:
        """The result stands."""
        match.status, match.scoring, match.series_score = "scored", self.scoring, self.series


class RatingChange(msgspec.Struct, frozen=True):
    """The rating of one competitor before and after a match (OpenSkill: mu and sigma)."""

    competitor: str  # the id of a player, or `bot:<level>`
    before: tuple[float, float]
    after: tuple[float, float]
    played: int  # matches in all, with this one; the change with the most is the latest
    won: int


class Rated(MatchEvent, frozen=True):
    """The ratings took note of the result."""

    changes: tuple[RatingChange, ...]

    def apply(self, match: Match) -> None:
        """Nothing is left to rate."""
        match.rated = True


class Continued(MatchEvent, frozen=True):
    """The next match of the series was opened."""

    match: str

    def apply(self, match: Match) -> None:
        """This match leads to that one."""
        match.next_match = self.match


class Aborted(MatchEvent, frozen=True):
    """The match came to nothing; its seed is revealed, and a note may say more of the reason."""

    reason: WhyAborted
    seed: str
    note: WhyClosed | None = None

    def apply(self, match: Match) -> None:
        """Nobody can join or move from now on."""
        match.status, match.expires, match.end_reason = "aborted", None, self.reason
        match.opening = None
        match.undo_request, match.clocks = None, None


MATCH_EVENTS: tuple[type[MatchEvent], ...] = (
    Created, SeatTaken, SeatLeft, BotSeated, SeatReclaimed, Started, UndoRequested, UndoAnswered,
    UndoLapsed, Undone, Redone, Unrated, Clocked, Resigned, TimedOut, Ended, Scored, Rated,
    Continued, Aborted, BotFailed, DiceFell, NoncesAwaited, NonceOpened,
)  # fmt: skip
