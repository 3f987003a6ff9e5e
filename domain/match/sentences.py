"""Sentences about a match: events at the table, and events of its game."""

from __future__ import annotations

from typing import Any

from domain.engine.game import describe_event
from domain.engine.play import Awaiting, Event
from domain.engine.resources.texts import Texts, merge, read
from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    Sentence,
    describe,
    describe_fields,
    each,
    person,
    sentence,
    silent,
    verbatim,
    word,
)
from domain.match.events import (
    Clocked,
    Created,
    DiceFell,
    Ended,
    NonceOpened,
    NoncesAwaited,
    Rated,
    Scored,
    Started,
    TimeReturned,
)
from domain.match.log import AnyEvent
from domain.match.state import Match


def _player(match: Match, player: str) -> Part:
    """A player as one of their seats, or by their id if they hold none."""
    seats = match.seats_of(player)
    return SeatName(seats[0]) if seats else player


def _level(match: Match, level: str) -> Part:
    """The name of a bot level, or its key if the game no longer has it."""
    known = any(one.key == level for one in match.game.levels)
    return Sentence(f"level_{level}") if known else level


def _end_sentence(match: Match, event: Ended) -> Part:
    """Why the match is over; silent if by the rules of the game, which has an event for that."""
    by_rules = event.reason == "rules"
    return silent(match, event) if by_rules else describe_fields(event, match, SAYINGS)


SAYINGS: Sayings = {
    "Ended": _end_sentence,
    "BotSeated.seat": verbatim,  # the level names the bot
    "asked": each(_player),
    "awaiting": each(person),
    "commitment": silent,
    "host": _player,
    "instead": _level,
    "level": _level,
    "note": word("note"),
    "player": _player,
    "reason": word("why"),
}
TEXTS = read(__package__)
NAME_ONLY_EVENTS = (Created, Rated, Scored, Started, TimeReturned)
"""Events whose data are not for a sentence: it only names them."""
UNREPORTED_EVENTS = (Awaiting, Clocked, DiceFell, NonceOpened, NoncesAwaited)
"""Bookkeeping events, which have no sentence."""


def sentence_of(match: Match, event: AnyEvent, view: Any) -> Sentence | None:
    """The sentence about an event for a viewer with this view; None for bookkeeping events."""
    if isinstance(event, UNREPORTED_EVENTS):
        return None
    if isinstance(event, NAME_ONLY_EVENTS):
        return Sentence(type(event).__name__)
    if isinstance(event, Event):
        return describe_event(match.game, event, view)
    spoken = describe(event, match, SAYINGS)
    return spoken if isinstance(spoken, Sentence) else None


def outcome(match: Match) -> Sentence | None:
    """Whether a cooperative table has won, and how the game ended; None before scoring, and for
    other games.
    """
    scoring = match.scoring
    if scoring is None or scoring.won is None:
        return None
    by_rules = scoring.reason in match.game.end_reasons
    reason = Sentence(f"{'end' if by_rules else 'why'}_{scoring.reason}")
    return sentence("table_won" if scoring.won else "table_lost", reason=reason)


def texts_of(match: Match, language: str) -> Texts:
    """All texts about a match in a language, or else in English."""
    game = match.game.resources.texts
    return merge(TEXTS.get(language, TEXTS["en"]), game.get(language, game["en"]))
