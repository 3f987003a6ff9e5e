"""A match as folded from its entries: its seats, its game, its lines of play, and its clocks; and
the base of the events that write to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from copy import copy
from functools import cache
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from domain.engine.codecs.binary_codec import Decoders, decode_known, decoders
from domain.engine.codecs.json_codec import event_types
from domain.engine.game import Game, Json, fold, seats_to_move
from domain.engine.play import Event, Record, Seat
from domain.engine.scoring import Scoring
from domain.engine.starting.lessons import Checkpoint
from domain.match.undoing.play_tree import LeftPoints, Snapshots
from domain.match.undoing.request import UndoRequest
from domain.match.undoing.seat_records import Gift, Tenure

Status = Literal["open", "active", "ended", "scored", "aborted"]
UndoPolicy = Literal["free", "consent", "off"]
EarlyEndReason = Literal["length", "resignation"]
"""How a match can end before the rules of its game end it."""
EndReason = Literal[EarlyEndReason, "rules"]
"""How a match ended."""
AbortReason = Literal[
    "abandoned", "absence", "agreement", "bot_failed", "closed", "declined", "idle",
    "nobody_joined", "operator",
]  # fmt: skip
"""Why a match was cancelled."""
CloseReason = Literal["abuse", "fault", "request"]
"""Why the operator closed a match. A closed list without free text, because entries are immutable.
"""
ProposalKind = Literal["bot", "end", "pause", "replacement"]
"""What a player can propose to the others; docs/match.md and docs/clocks.md explain each kind."""
UnratedReason = Literal[
    "position", "seed", "free_undo", "hotseat", "private", "undo", "length", "early_resignation",
    "repeated", "bot_failed", "fork", "together", "outage", "one_address",
]  # fmt: skip
"""Why a result does not count for the ratings; docs/match.md explains each reason."""
SYSTEM = "system"


class Chair(msgspec.Struct, frozen=True, gc=False):
    """The occupant of a seat: its player, and the level of the bot that plays it, if any.

    Names are not part of a match, because players can change theirs.
    """

    player: str | None = None
    invited: str | None = None  # the id of the only player who may take this seat
    bot: str | None = None
    resigned: bool = False
    commitment: str | None = None  # SHA-256 of the nonce that its player adds to the dice, if any

    @property
    def free(self) -> bool:
        """Whether the seat has neither a player nor a bot."""
        return self.player is None and self.bot is None

    @property
    def human(self) -> bool:
        """Whether a person decides for the seat now."""
        return self.player is not None and self.bot is None and not self.resigned


class ClockRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time limit in seconds: per move, or a bank with an increment per move."""

    per_move_s: int | None = None
    bank_s: int | None = None
    increment_s: int = 0


class SeriesPlace(msgspec.Struct, frozen=True):
    """The position of a match in its series: its number, from 1, and earlier penalties by seat."""

    id: str
    number: int
    penalties: tuple[int, ...]
    resigned: tuple[Seat, ...] = ()  # seats that resigned in earlier matches and can no longer win


def find_previous(rematch_of: str | None, series: SeriesPlace | None) -> str | None:
    """The id of the match before one that plays another one again, or in a series; None without
    one.
    """
    if rematch_of is not None or series is None or series.number == 1:
        return rematch_of
    return series.id if series.number == 2 else f"{series.id}-{series.number - 1}"


class SeriesScore(msgspec.Struct, frozen=True):
    """The score of a series after one of its matches; once it is over the lowest totals win."""

    id: str
    number: int
    penalties: tuple[int, ...]  # by seat, for this match
    totals: tuple[int, ...]
    over: bool
    winners: tuple[Seat, ...]
    resigned: tuple[Seat, ...] = ()  # seats that resigned so far and can no longer win


class ForkedFrom(msgspec.Struct, frozen=True):
    """The source of a fork: a match, and the version at which the fork starts."""

    match: str
    version: int


class Proposal(msgspec.Struct, frozen=True):
    """What a player proposes to the others, and the players who have not answered yet."""

    kind: ProposalKind
    player: str
    asked: tuple[str, ...]
    expires: int  # ms since the epoch


class Pause(msgspec.Struct, frozen=True):
    """A time in which no clock runs and no move is made, in ms since the epoch."""

    player: str  # who proposed it
    since: int
    until: int  # when it ends at the latest


class Clocks(msgspec.Struct, frozen=True, gc=False):
    """Milliseconds left and thought by seat, at the time `since`; the seats thinking now."""

    banks: tuple[int, ...]
    thought: tuple[int, ...]
    running: tuple[Seat, ...]
    since: int  # time of these values, in ms since the epoch
    deadline: int | None  # when the first of them runs out of time, in ms since the epoch


class Point(msgspec.Struct, frozen=True, gc=False):
    """A version of the game on a line of play: its move and events, and the clocks after it.

    It keeps the events packed, which takes a fifth of the memory: only undo and redo need them.
    """

    game: Game[Any]
    version: int
    player: str
    move: bytes  # packed; empty at the start of the game
    packed_events: bytes
    clocks: Clocks | None

    @property
    def events(self) -> list[Event[Any]]:
        """The events of the game."""
        return decode_known(_event_decoders(self.game), self.packed_events)


@cache
def _event_decoders(game: Game[Any]) -> Decoders:
    return decoders(*event_types(game))


GENESIS_HEAD = bytes(32)
"""The head before the first entry."""


class Match:
    """One table of a game. Its events write to it; decisions only read it."""

    # Set by the event `Created`
    id: str
    rules: int
    host: str
    options: Json
    setup: Any
    position: Json | None
    visibility: Literal["public", "private"]
    undo_policy: UndoPolicy
    clock_rule: ClockRule | None
    on_timeout: Literal["bot", "resign"]
    substitute: str
    unrated: UnratedReason | None
    seed_hash: str
    seed_index: int | None
    series: SeriesPlace | None
    forked_from: ForkedFrom | None
    declined: Mapping[Seat, str]  # by seat, the player who declined the invitation; none at first

    lesson: str | None = None  # the key of the lesson that it is, if any
    min_reliability: int | None = None  # percent, of those who take a free seat
    patience_ms: int | None = None  # until the others may vote; None with a clock
    waiting: Mapping[Seat, int] = {}  # since when (ms) each person decides; only with a patience
    absent: frozenset[Seat] = frozenset()  # for which the others have waited that long
    replaceable: frozenset[Seat] = frozenset()  # absent, and open to a new player
    tenures: tuple[Tenure, ...] = ()  # of players who were replaced, oldest first
    rematch_of: str | None = None  # the match that its players play again, if any
    played_before: int = 0  # matches from the first one on that were played again
    won_before: tuple[int, ...] = ()  # by seat, how many of them its player or bot won
    rematch_by: str | None = None  # who offers to play it again, until that table is open
    rematches = 0  # number of offers to play it again
    gifts: tuple[Gift, ...] = ()  # of time
    proposal: Proposal | None = None
    pause: Pause | None = None
    pauses = 0  # number of pauses so far
    proposed: Mapping[tuple[ProposalKind, str], int] = {}  # the version of the last one, by player
    lesson_checkpoint: Checkpoint | None = None  # how far the lesson was followed on its line

    def __init__(self, game: Game[Any], seed: bytes, salt_key: bytes = b"") -> None:
        self.game = game
        self.salt_key = salt_key or seed  # key of the salts of its texts
        self.seed = seed  # secret until the match has ended
        self.nonces_by_hash: dict[str, bytes] = {}  # by hash; before the start
        self.nonces_due_at: int | None = None  # deadline to open nonces, in ms since the epoch
        self.nonces: tuple[str | None, ...] = ()  # in the dice, by seat; after the start
        self.dice_key = b""
        self.draws = 0  # number of entries with dice, undone lines included
        self.version = 0
        self.head = GENESIS_HEAD  # after the last entry (domain/audit/texts.py)
        self.created_at = self.updated_at = 0
        self.expires: int | None = None
        self.idle_ms: int | None = None  # without an action of its only player, until it ends
        self.idle_at: int | None = None  # when that time is up, in ms since the epoch
        self.status: Status = "open"
        self.chairs: list[Chair] = []
        self.random_seats: frozenset[Seat] = frozenset()  # seats whose bot fails
        self.timed_out: frozenset[Seat] = frozenset()  # seats that ran out of time at least once
        self.state: Any = None
        self.line: list[Point] = []
        self.snapshots = Snapshots()
        self.left = LeftPoints[Point]()  # the lines that were undone
        self.undo_request: UndoRequest | None = None
        self.clocks: Clocks | None = None
        self.interrupted: frozenset[Seat] = frozenset()  # that have not moved since an outage
        self.end_reason: EndReason | AbortReason | None = None
        self.scoring: Scoring | None = None
        self.series_score: SeriesScore | None = None
        self.next_match: str | None = None  # opened last after this one
        self.rated = False

    @property
    def seats_to_move(self) -> tuple[Seat, ...]:
        """The seats that have to decide now."""
        return seats_to_move(self.state) if self.status == "active" else ()

    @property
    def over(self) -> bool:
        """Whether the game has ended, so that nothing is hidden any longer."""
        return self.status in ("ended", "scored")

    @property
    def revealed(self) -> bool:
        """Whether hidden information is public: the game has ended, or the match was cancelled,
        which publishes the seed that everything follows from.
        """
        return self.over or self.status == "aborted"

    @property
    def previous_match(self) -> str | None:
        """The match before this one: of its series, or the one that its players play again."""
        return find_previous(self.rematch_of, self.series)

    @property
    def next_in_series(self) -> str | None:
        """The next match of its series; None if no match follows in it."""
        goes_on = self.series_score is not None and not self.series_score.over
        return self.next_match if goes_on else None

    @property
    def has_people(self) -> bool:
        """Whether players hold seats, even if bots play for them now."""
        return any(chair.player for chair in self.chairs)

    @property
    def ends_at(self) -> int | None:
        """When the match ends by itself unless its only player acts: ms since the epoch. None if it
        waits for as long as it takes: with a clock, or for another person, who has not resigned.
        """
        waits = self.idle_at is not None and self.status == "active" and self.clock_rule is None
        chairs = [chair for chair in self.chairs if chair.player and not chair.resigned and waits]
        return self.idle_at if len({chair.player for chair in chairs}) == 1 else None

    @property
    def keep_from(self) -> int | None:
        """From when the only player can keep the match: in the second half of their time, so that
        the log does not fill. Ms since the epoch; None if there is nothing to keep.
        """
        return None if self.ends_at is None else self.ends_at - (self.idle_ms or 0) // 2

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """The seats that this player holds."""
        if player is None:
            return ()
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.player == player)

    def deciding_players(self) -> set[str]:
        """The players who decide for a seat themselves."""
        return {chair.player for chair in self.chairs if chair.player and chair.human}

    @property
    def absent_players(self) -> set[str]:
        """The players of the absent seats."""
        return {self.chairs[seat].player or "" for seat in self.absent}

    def copy(self) -> Match:
        """A copy to which you can apply more events without changing this match."""
        other = copy(self)
        other.chairs, other.line, other.left = self.chairs[:], self.line[:], self.left.copy()
        other.snapshots = self.snapshots.copy()
        other.state = None if self.state is None else self.state.copy()
        return other

    def blank_state(self) -> Any:
        """The state before the first event of the game."""
        if self.position is not None:
            return self.game.read_position(self.setup, self.position, len(self.chairs))
        return self.game.blank_state(self.setup, len(self.chairs))

    def postpone(self, ms: int) -> None:
        """Let all deadlines be later by `ms` milliseconds, and what has begun have begun later."""
        self.expires, self.idle_at = _later(self.expires, ms), _later(self.idle_at, ms)
        self.nonces_due_at = _later(self.nonces_due_at, ms)
        undo, proposal, pause = self.undo_request, self.proposal, self.pause
        self.undo_request = undo and replace(undo, expires=undo.expires + ms)
        self.proposal = proposal and replace(proposal, expires=proposal.expires + ms)
        self.pause = pause and replace(pause, since=pause.since + ms, until=pause.until + ms)
        self.waiting = {seat: since + ms for seat, since in self.waiting.items()}
        if clocks := self.clocks:
            deadline = _later(clocks.deadline, ms)
            self.clocks = replace(clocks, since=clocks.since + ms, deadline=deadline)
            self.interrupted = self.interrupted.union(clocks.running)

    def append_point(self, point: Point) -> None:
        """Append a point to the line of play. The state already includes it."""
        self.line.append(point)
        self.snapshots.keep(self.line, self.state)

    def rewind(self, to: int) -> None:
        """Undo: cut the line after version `to`. A redo can restore what is cut."""
        self.lesson_checkpoint = None
        kept = self.points_until(to)
        self.left.leave(self.line, kept)
        self.line = self.line[:kept]
        self.state = self.state_after(kept)

    def restore(self, to: int) -> None:
        """Redo: continue the line that has version `to`, up to it, and leave the current one where
        that line leaves it.
        """
        branch, path = self.left.path_to(to)
        assert path
        self.left.take(path)
        if (kept := self.points_until(branch)) < len(self.line):
            self.lesson_checkpoint = None
            self.left.leave(self.line, kept)
        whole = [*self.line[:kept], *path]
        begin, state = self.snapshots.before(whole, len(whole))
        self.line, self.state = whole[:begin], self.blank_state() if state is None else state
        for point in whole[begin:]:
            fold(self.state, point.events)
            self.append_point(point)

    def points_until(self, version: int) -> int:
        """The number of points of the line up to a version."""
        return bisect_right(self.line, version, key=attrgetter("version"))

    def state_after(self, points: int) -> Any:
        """The state after this number of points of the line, folded from the snapshot before it."""
        begin, state = self.snapshots.before(self.line, points)
        state = self.blank_state() if state is None else state
        for point in self.line[begin:points]:
            fold(state, point.events)
        return state


def _later(at: int | None, ms: int) -> int | None:
    return None if at is None else at + ms


class MatchEvent(Record, frozen=True):
    """An event of a match."""

    def apply(self, match: Match) -> None:
        """Write the result to the match, without running rules."""
        raise NotImplementedError

    def _seat(self, match: Match, seat: Seat, **changes: Any) -> None:
        match.chairs[seat] = replace(match.chairs[seat], **changes)
