"""The lines of play of a match: the current one, those that were undone, and who undid them."""

from __future__ import annotations

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
    line: list[int] = []  # the versions it left; empty once a redo took them up
    parent: int | None = None  # the undo whose line contains `to`; None for the current line
    redone: int | None = None  # the version that redid this line


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
    """The lines so far, the undos that can be redone, and the pending request."""

    def __init__(self) -> None:
        self.lines = Lines([], [])
        self.undone: list[UndoRecord] = []
        self.request: UndoVote | None = None
        self.consents: list[UndoVote] = []

    def play_on(self, version: int) -> None:
        """Append a version to the current line. It ends any chance to redo."""
        self.lines.played.append(version)
        self.undone.clear()
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
                    self._undo(self._add_record(record, to, redo=False))
                case Redone(to=to):
                    self._redo(self._add_record(record, to, redo=True))
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

    def _undo(self, undoing: UndoRecord) -> None:
        played = self.lines.played
        self.lines.played = [version for version in played if version <= undoing.to]
        undoing.line = played[len(self.lines.played) :]
        self.undone.append(undoing)

    def _redo(self, undoing: UndoRecord) -> None:
        left = self.undone.pop()
        self.lines.played += left.line
        left.line, left.redone = [], undoing.version


def _find_parents(lines: Lines) -> None:
    """Set the parent of each line that was undone."""
    holders = {version: one.version for one in lines.undos for version in one.line}
    for undoing in lines.undos:
        if undoing.line:
            undoing.parent = holders.get(undoing.to)
