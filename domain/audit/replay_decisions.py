"""Decisions made once more: what has to come of a match if an entry says that it was asked for.

Who sits down and stands up is taken as it is told; so are the numbers of ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from domain.audit.errors import Unproven
from domain.audit.texts import Content
from domain.engine.play import Event
from domain.match.decisions import bot_failures, ending, playing, undo
from domain.match.errors import Forbidden
from domain.match.events import (
    Aborted,
    BotFailed,
    Continued,
    DiceFell,
    Ended,
    MatchEvent,
    Rated,
    Redone,
    Scored,
    UndoAnswered,
    Undone,
    UndoRequested,
    Unrated,
)
from domain.match.log import Draft, Entry
from domain.match.state import Match

E = TypeVar("E", bound=MatchEvent)
Again = Callable[[Match, Entry, Content], Draft]


def decided(match: Match, record: Entry, content: Content) -> bool:
    """Whether an entry that begins no game says what had to be decided; Refused if it was not
    allowed.
    """
    again = _AGAIN.get(record.kind)
    if again is not None:
        draft = again(match, record, content)
        return (draft.kind, draft.move, draft.events) == (
            record.kind, content.move, tuple(content.events),
        )  # fmt: skip
    if content.move is not None or any(map(has_to_be_decided, content.events)):
        return False
    return match.status == "open" or _came_to_nothing(match, content)


def has_to_be_decided(event: object) -> bool:
    """Whether there is no such event but by a decision that is made again here."""
    return isinstance(event, Event | DiceFell | Scored | Ended | Undone | Redone | Rated)


def _came_to_nothing(match: Match, content: Content) -> bool:
    """Whether a match in play was aborted, and nothing else happened."""
    if match.status != "active" or len(content.events) != 1:
        return False
    [event] = content.events
    return isinstance(event, Aborted) and event.seed == match.seed.hex()


def _moved(match: Match, record: Entry, content: Content) -> Draft:
    assert content.move is not None
    chair = match.chairs[content.move.seat]
    if record.actor != (f"bot:{chair.bot}" if chair.bot else chair.player):
        raise Forbidden("not_your_seat", f"{record.actor} does not decide for this seat.")
    return playing.move(match, content.move, record.at)


def _asked(match: Match, record: Entry, content: Content) -> Draft:
    """An undo or a redo, done at once or asked for."""
    for event in content.events:
        if isinstance(event, Redone) or (isinstance(event, UndoRequested) and event.redo):
            return undo.redo(match, record.actor, record.at)
        if isinstance(event, Undone | UndoRequested):
            return undo.undo(match, record.actor, event.to, record.at)
    raise _nothing(record)


def _answered(match: Match, record: Entry, content: Content) -> Draft:
    agree = _first(record, content, UndoAnswered).agree
    return undo.answer(match, record.actor, agree, record.at)


def _unrated(match: Match, record: Entry, content: Content) -> Draft:
    return ending.leave_unrated(match, _first(record, content, Unrated).reason)


def _rated(match: Match, record: Entry, content: Content) -> Draft:
    return ending.rate(match, _first(record, content, Rated).changes)


def _continued(match: Match, record: Entry, content: Content) -> Draft:
    return ending.continued(match, _first(record, content, Continued).match)


def _bot_failed(match: Match, record: Entry, content: Content) -> Draft:
    return bot_failures.replace_bot(match, _first(record, content, BotFailed).seat)


def _first(record: Entry, content: Content, kind: type[E]) -> E:
    for event in content.events:
        if isinstance(event, kind):
            return event
    raise _nothing(record)


def _nothing(record: Entry) -> Unproven:
    return Unproven(f"it is called {record.kind} and says nothing of it.")


_AGAIN: Mapping[str, Again] = {
    "Moved": _moved,
    "Scored": lambda match, record, content: ending.score(match),
    "Rated": _rated,
    "Unrated": _unrated,
    "Continued": _continued,
    "Resigned": lambda match, record, content: playing.resign(match, record.actor, record.at),
    "TimedOut": lambda match, record, content: playing.time_out(match, record.at),
    "SeatReclaimed": lambda match, record, content: playing.reclaim(match, record.actor, record.at),
    "Undone": _asked,
    "Redone": _asked,
    "UndoRequested": _asked,
    "UndoAnswered": _answered,
    "UndoLapsed": lambda match, record, content: undo.lapse(match, record.at),
    "BotFailed": _bot_failed,
}  # fmt: skip
