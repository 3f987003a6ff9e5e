"""A match as folded from its entries: its seats, its game, its lines of play, its clocks."""

from __future__ import annotations

from bisect import bisect_right
from copy import copy
from functools import cache
from operator import attrgetter
from typing import Any, Literal

import msgspec

from domain.engine.codecs.binary_codec import Readers, pick, readers
from domain.engine.codecs.json_codec import event_types
from domain.engine.game import Game, Json, awaited, fold
from domain.engine.play import Event, Seat
from domain.engine.scoring import Scoring

Status = Literal["open", "active", "ended", "scored", "aborted"]
UndoPolicy = Literal["free", "consent", "off"]
EarlyEnd = Literal["length", "resignation"]
"""How a match can end before the rules of its game end it."""
WhyEnded = Literal[EarlyEnd, "rules"]
"""How a match came to its end."""
WhyAborted = Literal["abandoned", "bot_failed", "closed", "nobody_joined", "operator"]
"""Why a match came to nothing."""
WhyClosed = Literal["abuse", "fault", "request"]
"""Why whoever runs the service closed a match. No words of theirs: entries are never changed."""
WhyUnrated = Literal[
    "position", "seed", "free_undo", "hotseat", "private", "undo", "length", "early_resignation",
    "repeated", "bot_failed", "fork", "together",
]  # fmt: skip
"""Why a result does not count for the ratings; docs/match.md explains each."""
SYSTEM = "system"
SNAPSHOT_EVERY = 128
"""Points of a line of play from one snapshot of the state to the next."""


class Chair(msgspec.Struct, frozen=True, gc=False):
    """Who sits on a seat: the player who holds it, the level of the bot that plays it, if any.

    Names are not of the match: players can change theirs.
    """

    player: str | None = None
    invited: str | None = None  # the id of the only player who may take this seat
    bot: str | None = None
    resigned: bool = False
    commitment: str | None = None  # SHA-256 of the nonce that its player adds to the dice, if any

    @property
    def free(self) -> bool:
        """Nobody has taken it."""
        return self.player is None and self.bot is None

    @property
    def human(self) -> bool:
        """A person decides for it now."""
        return self.player is not None and self.bot is None and not self.resigned


class ClockRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """How time is limited, in seconds: for each move, or in a bank that grows with each move."""

    per_move_s: int | None = None
    bank_s: int | None = None
    increment_s: int = 0


class SeriesPlace(msgspec.Struct, frozen=True):
    """Where a match stands in a series: the n-th, from 1, and the penalties of each seat so far."""

    id: str
    number: int
    penalties: tuple[int, ...]
    resigned: tuple[Seat, ...] = ()  # seats that did so before this match: they can no longer win


class SeriesScore(msgspec.Struct, frozen=True):
    """A series after one of its matches; once it is over the lowest totals have won."""

    id: str
    number: int
    penalties: tuple[int, ...]  # by seat, what it was charged in this match
    totals: tuple[int, ...]
    over: bool
    winners: tuple[Seat, ...]
    resigned: tuple[Seat, ...] = ()  # seats that did so by now: they can no longer win


class ForkedFrom(msgspec.Struct, frozen=True):
    """The match that a fork was made of, and the version of it at which it begins."""

    match: str
    version: int


class UndoRequest(msgspec.Struct, frozen=True):
    """A request to undo or redo to a version, and the players who have not answered yet."""

    player: str
    to: int
    redo: bool
    asked: tuple[str, ...]
    expires: int  # ms since the epoch


class Clocks(msgspec.Struct, frozen=True, gc=False):
    """Milliseconds left and milliseconds thought by seat, as at `since`; who is thinking now."""

    banks: tuple[int, ...]
    thought: tuple[int, ...]
    running: tuple[Seat, ...]
    since: int  # when it was so, as ms since the epoch
    deadline: int | None  # when the first who thinks runs out of time, as ms since the epoch


class Point(msgspec.Struct, frozen=True, gc=False):
    """One step of a line of play: what a version did to the game, and the clocks after it.

    It keeps the events of its entry as they are stored: they take a fifth of the room, and only
    whoever goes back or forth needs them.
    """

    game: Game[Any]
    version: int
    player: str
    move: bytes  # as it is stored; empty at the start of the game
    packed: bytes
    clocks: Clocks | None

    @property
    def events(self) -> list[Event[Any]]:
        """What happened in the game."""
        return pick(_readers(self.game), self.packed)


@cache
def _readers(game: Game[Any]) -> Readers:
    return readers(*event_types(game))


START = bytes(32)
"""What stands in the place of a head before the first entry."""


class Match:
    """One table of a game. Its events write to it; decisions only read it."""

    # What it was created with
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
    unrated: WhyUnrated | None
    seed_hash: str
    seed_index: int | None
    series: SeriesPlace | None
    forked_from: ForkedFrom | None

    def __init__(self, game: Game[Any], seed: bytes, salt_key: bytes = b"") -> None:
        self.game = game
        self.salt_key = salt_key or seed  # what the salts of its texts follow from
        self.seed = seed  # known to the service alone until the match has ended
        self.handed_in: dict[str, bytes] = {}  # nonces by their hashes, so known until the start
        self.opening: int | None = None  # until when nonces can be opened, as ms since the epoch
        self.nonces: tuple[str | None, ...] = ()  # those in the dice, by seat; from the start on
        self.dice_key = b""
        self.draws = 0  # entries in which dice fell; those on lines that were undone count
        self.version = 0
        self.head = START  # of its chain (domain/audit/texts.py)
        self.created_at = 0
        self.updated_at = 0
        self.expires: int | None = None
        self.status: Status = "open"
        self.chairs: list[Chair] = []
        self.left_to_chance: frozenset[Seat] = frozenset()  # seats whose bot cannot choose
        self.state: Any = None
        self.line: list[Point] = []
        self.snapshots: dict[int, Any] = {}  # the state after so many points of the line
        self.undone: list[list[Point]] = []
        self.undo_request: UndoRequest | None = None
        self.clocks: Clocks | None = None
        self.end_reason: WhyEnded | WhyAborted | None = None
        self.scoring: Scoring | None = None
        self.series_score: SeriesScore | None = None
        self.next_match: str | None = None
        self.rated = False

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that have to decide now."""
        return awaited(self.state) if self.status == "active" else ()

    @property
    def over(self) -> bool:
        """The game has ended, so nothing is secret any longer."""
        return self.status in ("ended", "scored")

    @property
    def revealed(self) -> bool:
        """What was hidden is not any longer: the game has ended, or it came to nothing, which
        reveals the seed that all of it follows from.
        """
        return self.over or self.status == "aborted"

    @property
    def has_people(self) -> bool:
        """People hold seats, though bots may play there for them now."""
        return any(chair.player for chair in self.chairs)

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """The seats that this player holds."""
        if player is None:
            return ()
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.player == player)

    def humans(self) -> set[str]:
        """The players who decide for a seat of this match themselves."""
        return {chair.player for chair in self.chairs if chair.player and chair.human}

    def fork(self) -> Match:
        """The same match again, to write more events to; this one stays as it is."""
        other = copy(self)
        other.chairs, other.line, other.undone = self.chairs[:], self.line[:], self.undone[:]
        other.snapshots = self.snapshots.copy()
        other.state = None if self.state is None else self.state.copy()
        return other

    def blank(self) -> Any:
        """The table before the first event of the game."""
        if self.position is not None:
            return self.game.read_position(self.setup, self.position, len(self.chairs))
        return self.game.blank(self.setup, len(self.chairs))

    def play_on(self, point: Point) -> None:
        """Note one more point of the line of play, which the state holds already."""
        self.line.append(point)
        if len(self.line) % SNAPSHOT_EVERY == 0:
            self.snapshots[len(self.line)] = self.state.copy()

    def rewind(self, to: int) -> None:
        """Undo: leave the line of play after version `to`; what is left can be redone."""
        kept = bisect_right(self.line, to, key=attrgetter("version"))
        self.undone.append(self.line[kept:])
        self.line = self.line[:kept]
        self.state = self.state_after(kept)

    def restore(self) -> None:
        """Redo: take up the line that was undone last."""
        self.line = [*self.line, *self.undone.pop()]
        self.state = self.state_after(len(self.line))

    def state_after(self, points: int) -> Any:
        """The state after so many points of the line of play, folded from the snapshot before.

        Snapshots that lie beyond the end of the line are those of what can be redone: whoever plays
        on instead passes each of these numbers again, and replaces its snapshot.
        """
        begin = points - points % SNAPSHOT_EVERY
        state = self.snapshots[begin].copy() if begin else self.blank()
        for point in self.line[begin:points]:
            fold(state, point.events)
        return state
