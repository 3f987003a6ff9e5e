"""The lines of play of a match: the one that is played, those that were undone, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.engine.game import Game
from domain.engine.play import Event
from domain.match.events import Redone, UndoAnswered, UndoLapsed, Undone, UndoRequested
from domain.match.log import AnyEvent, Entry, read_events, understanding


class Word(msgspec.Struct, frozen=True):
    """What a player said to an undo, that they want it or agree to it: at which version, and when
    (ms since the epoch).
    """

    player: str
    version: int
    at: int


class Undoing(msgspec.Struct, kw_only=True):
    """An undo or a redo that was carried out, and the line of play that was left by it."""

    version: int
    at: int  # ms since the epoch
    player: str  # who wanted it
    to: int  # the version from which play went on
    redo: bool
    asked: Word | None  # if others had to agree
    agreed: tuple[Word, ...]
    line: list[int] = []  # the versions it left; none once they are taken up again
    parent: int | None = None  # the undo whose line holds `to`; None for the line that is played
    redone: int | None = None  # the version that took this line up again


class Lines(msgspec.Struct):
    """The tree of lines: each version of the game is in the one that is played, or in exactly one
    that was undone.
    """

    played: list[int]
    undos: list[Undoing]


def lines_of(game: Game[Any], entries: Iterable[Entry]) -> Lines:
    """The lines of a match from its entries, oldest first; Damaged if one makes no sense."""
    story = _Story()
    for record in entries:
        with understanding(record):
            if record.kind == "Moved":  # most are, and nothing of them matters here
                story.play_on(record.version)
            else:
                story.follow(record, read_events(game, record.events))
    _find_parents(story.lines)
    return story.lines


class _Story:
    """The lines so far, what can be redone, and what is asked for."""

    def __init__(self) -> None:
        self.lines = Lines([], [])
        self.undone: list[Undoing] = []
        self.asked: Word | None = None
        self.agreed: list[Word] = []

    def play_on(self, version: int) -> None:
        """One more version of the line; whoever plays on takes up nothing again."""
        self.lines.played.append(version)
        self.undone.clear()
        self._ask(None)

    def follow(self, record: Entry, events: Iterable[AnyEvent]) -> None:
        """Whatever else happened."""
        played = False
        for event in events:
            played = played or isinstance(event, Event)
            match event:
                case UndoRequested(player=player):
                    self._ask(Word(player, record.version, record.at))
                case UndoAnswered(player=player, agree=True):
                    self.agreed.append(Word(player, record.version, record.at))
                case UndoAnswered() | UndoLapsed():
                    self._ask(None)
                case Undone(to=to):
                    self._leave(self._undoing(record, to, redo=False))
                case Redone(to=to):
                    self._take_up(self._undoing(record, to, redo=True))
                case _:  # changes no line
                    pass
        if played:
            self.play_on(record.version)

    def _ask(self, asked: Word | None) -> None:
        self.asked, self.agreed = asked, []

    def _undoing(self, record: Entry, to: int, redo: bool) -> Undoing:
        undoing = Undoing(
            version=record.version,
            at=record.at,
            player=self.asked.player if self.asked else record.actor,
            to=to,
            redo=redo,
            asked=self.asked,
            agreed=tuple(self.agreed),
        )
        self.lines.undos.append(undoing)
        self._ask(None)
        return undoing

    def _leave(self, undoing: Undoing) -> None:
        played = self.lines.played
        self.lines.played = [version for version in played if version <= undoing.to]
        undoing.line = played[len(self.lines.played) :]
        self.undone.append(undoing)

    def _take_up(self, undoing: Undoing) -> None:
        left = self.undone.pop()
        self.lines.played += left.line
        left.line, left.redone = [], undoing.version


def _find_parents(lines: Lines) -> None:
    """Say of each line that was undone which one it leaves."""
    holders = {version: one.version for one in lines.undos for version in one.line}
    for undoing in lines.undos:
        if undoing.line:
            undoing.parent = holders.get(undoing.to)
