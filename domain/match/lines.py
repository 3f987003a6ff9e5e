"""The lines of play of a match: the current one, those that were undone, and who undid them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

import msgspec

from domain.engine.game import Game
from domain.engine.play import Event
from domain.match.events import Redone, UndoAnswered, UndoLapsed, Undone, UndoRequested
from domain.match.log import AnyEvent, Entry, read_events, reading


class UndoVote(msgspec.Struct, frozen=True):
    """A player's request for an undo, or their consent to it, as a version and a time (ms since the
    epoch).
    """

    player: str
    version: int
    at: int


class UndoRecord(msgspec.Struct, kw_only=True):
    """An undo or redo, and the line of play that it left."""

    version: int
    at: int  # ms since the epoch
    player: str  # who asked for it
    to: int  # play continued from this version
    redo: bool
    asked: UndoVote | None  # if others had to agree
    agreed: tuple[UndoVote, ...]
    line: list[int] = []  # the versions it left, without those that redos took up
    branches_from: int | None = None  # the version before these; None without any
    parent: int | None = None  # the undo whose line has that version; None for the current line
    redone: int | None = None  # the version that redid the last of this line


class Lines(msgspec.Struct):
    """The tree of lines: each version of the game is in the current line, or in exactly one that
    was undone.
    """

    played: list[int]
    undos: list[UndoRecord]


def lines_of(game: Game[Any], entries: Iterable[Entry]) -> Lines:
    """The lines of a match from its entries, oldest first. Raises CorruptEntry if one makes no
    sense.
    """
    story = _LineBuilder()
    for record in entries:
        with reading(record):
            if record.kind == "Moved":  # most entries, and their events do not matter here
                story.play_on(record.version)
            else:
                story.apply(record, read_events(game, record.events))
    _find_parents(story.lines)
    return story.lines


class _LineBuilder:
    """The lines so far, where versions off the current one are, and the pending request."""

    def __init__(self) -> None:
        self.lines = Lines([], [])
        self.left: dict[int, UndoRecord] = {}  # by version, the undo that left it
        self.request: UndoVote | None = None
        self.consents: list[UndoVote] = []

    def play_on(self, version: int) -> None:
        """Append a version to the current line. It ends a request."""
        self.lines.played.append(version)
        self._set_request(None)

    def apply(self, record: Entry, events: Iterable[AnyEvent]) -> None:
        """Apply an entry that is not a plain move."""
        played = False
        for event in events:
            played = played or isinstance(event, Event)
            match event:
                case UndoRequested(player=player):
                    self._set_request(UndoVote(player, record.version, record.at))
                case UndoAnswered(player=player, agree=True):
                    self.consents.append(UndoVote(player, record.version, record.at))
                case UndoAnswered() | UndoLapsed():
                    self._set_request(None)
                case Undone(to=to):
                    self._leave(to, self._add_record(record, to, redo=False))
                case Redone(to=to):
                    self._redo(to, self._add_record(record, to, redo=True))
                case _:  # changes no line
                    pass
        if played:
            self.play_on(record.version)

    def _set_request(self, request: UndoVote | None) -> None:
        self.request, self.consents = request, []

    def _add_record(self, record: Entry, to: int, redo: bool) -> UndoRecord:
        undoing = UndoRecord(
            version=record.version,
            at=record.at,
            player=self.request.player if self.request else record.actor,
            to=to,
            redo=redo,
            asked=self.request,
            agreed=tuple(self.consents),
        )
        self.lines.undos.append(undoing)
        self._set_request(None)
        return undoing

    def _leave(self, to: int, undoing: UndoRecord) -> None:
        """Let an undo or redo leave what the current line has after a version."""
        kept = bisect_right(self.lines.played, to)
        undoing.line = self.lines.played[kept:]
        undoing.branches_from = to if undoing.line else None
        del self.lines.played[kept:]
        self.left |= dict.fromkeys(undoing.line, undoing)

    def _redo(self, to: int, undoing: UndoRecord) -> None:
        """Let a redo take up the line of a version, and those that it leaves, up to it."""
        path: list[int] = []
        version: int | None = to
        while version is not None and (record := self.left.get(version)):
            taken = bisect_right(record.line, version)
            path[:0] = record.line[:taken]
            del record.line[:taken]
            follows, version = version, record.branches_from
            record.branches_from = follows if record.line else None
            record.redone = None if record.line else undoing.version
        for one in path:
            del self.left[one]
        self._leave(version or 0, undoing)
        self.lines.played += path


def _find_parents(lines: Lines) -> None:
    """Set the parent of each line that was undone."""
    holders = {version: one.version for one in lines.undos for version in one.line}
    for undoing in lines.undos:
        if undoing.branches_from is not None:
            undoing.parent = holders.get(undoing.branches_from)
