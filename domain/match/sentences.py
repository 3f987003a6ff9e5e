"""What is said of a match: what happened at the table, and in its game as the game tells it."""

from __future__ import annotations

from typing import Any

from domain.engine.game import tell
from domain.engine.play import Awaiting, Event
from domain.engine.sentences import (
    Part,
    Sayings,
    Sentence,
    Texts,
    Who,
    as_it_is,
    each,
    person,
    read,
    sentence,
    told,
    unsaid,
    word,
)
from domain.match.events import (
    Clocked,
    Created,
    DiceFell,
    NonceOpened,
    NoncesAwaited,
    Rated,
    Scored,
    Started,
)
from domain.match.log import AnyEvent
from domain.match.state import Match


def _player(match: Match, player: str) -> Part:
    """A player by a seat that they hold; by their id if they have none any more."""
    seats = match.seats_of(player)
    return Who(seats[0]) if seats else player


def _level(match: Match, level: str) -> Part:
    """A level of the bots of the game; by its key if there is none such any more."""
    known = any(one.key == level for one in match.game.levels)
    return Sentence(f"level_{level}") if known else level


SAYINGS: Sayings = {
    "BotSeated.seat": as_it_is,  # what bots are called is the level
    "asked": each(_player),
    "awaiting": each(person),
    "commitment": unsaid,
    "host": _player,
    "instead": _level,
    "level": _level,
    "note": word("note"),
    "player": _player,
    "reason": word("why"),
}
TEXTS = read(__package__)
SHORT = (Created, Rated, Scored, Started)
"""Events of which so much is to be known that a sentence only names them."""
SILENT = (Awaiting, Clocked, DiceFell, NonceOpened, NoncesAwaited)
"""Bookkeeping, of which nothing is said."""


def sentence_of(match: Match, event: AnyEvent, view: Any) -> Sentence | None:
    """What is said of an event as whoever has this view may know it; None of mere bookkeeping."""
    if isinstance(event, SILENT):
        return None
    if isinstance(event, SHORT):
        return Sentence(type(event).__name__)
    if isinstance(event, Event):
        return tell(match.game, event, view)
    return told(event, match, SAYINGS)


def outcome(match: Match) -> Sentence | None:
    """Whether all who play together have won, and how the game ended; None before it is scored, and
    of who play against each other.
    """
    scoring = match.scoring
    if scoring is None or scoring.won is None:
        return None
    by_rules = scoring.reason in match.game.ends
    reason = Sentence(f"{'end' if by_rules else 'why'}_{scoring.reason}")
    return sentence("table_won" if scoring.won else "table_lost", reason=reason)


def texts_of(match: Match, language: str) -> Texts:
    """The texts of a language for all that is said of a match; English where there are none."""
    game = match.game.texts
    return {**TEXTS.get(language, TEXTS["en"]), **game.get(language, game["en"])}
