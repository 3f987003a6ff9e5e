"""Replays recorded entries and checks that they follow from the rules and the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from domain.audit.errors import Unproven
from domain.audit.replay_decisions import matches_decision, needs_decision
from domain.audit.texts import Content, content_of
from domain.engine import game as engine
from domain.engine.contract.refusals import refusal_reason
from domain.engine.dice import Dice
from domain.engine.errors import Refusal
from domain.engine.game import Game
from domain.match.decisions import lobby
from domain.match.dice import KeyedDice, dice_key
from domain.match.events import DiceFell, Started, TimeReturned
from domain.match.log import (
    Entry,
    apply_events,
    new_match,
    nonces_of_entry,
    reading,
)
from domain.match.state import Match


class Mismatch(NamedTuple):
    """A wrong entry, and why; the reason continues a sentence that starts with `version 3`."""

    version: int
    reason: str


def find_mismatch(match: Match, record: Entry, content: Content) -> Mismatch | None:
    """The first difference between an entry and what the rules and the dice give after `match`.

    None if there is none, or if another version of the rules produced the entry.
    """
    if record.rules != match.game.rules:
        return None
    try:
        sound = _is_valid(match, record, content)
    except Refusal as refusal:
        return Mismatch(record.version, f"was not allowed: {refusal_reason([match.game], refusal)}")
    except Unproven as why:
        return Mismatch(record.version, f"was not allowed: {why}")
    except Exception as error:  # rules assume possible states
        detail = " ".join(str(error).split()).rstrip(".")
        return Mismatch(record.version, f"cannot be played: {type(error).__name__}: {detail}.")
    if sound:
        return None
    return Mismatch(record.version, "does not follow from the rules and the dice.")


class ReplayedEntry(NamedTuple):
    """A replayed entry."""

    version: int
    mismatch: Mismatch | None
    draws: list[tuple[int, int]]


def replay(games: Mapping[str, Game[Any]], entries: Iterable[Entry]) -> Iterator[ReplayedEntry]:
    """Replay the entries of a match, oldest first. Raises CorruptEntry if one makes no sense."""
    match: Match | None = None
    for record in entries:
        with reading(record):
            match = match or new_match(games, record)
            content = content_of(match.game, record)
        wrong = find_mismatch(match, record, content)
        yield ReplayedEntry(
            record.version, wrong, [] if wrong else draws_of(match, record, content)
        )
        with reading(record):
            apply_events(match, record, content.events)


def draws_of(match: Match, record: Entry, content: Content) -> list[tuple[int, int]]:
    """The numbers that the dice gave in an entry that follows `match`: sides and number of each."""
    draws = [event for event in content.events if isinstance(event, DiceFell)]
    if not draws or record.rules != match.game.rules:
        return []
    begins = _start_in(content)
    key = dice_key(match.seed, begins[0].nonces) if begins else match.dice_key
    dice = _RecordingDice(KeyedDice(key, draws[0].draw))
    if begins:
        table = _table_of(match, content)
        engine.begin(table.game, table.setup, len(table.chairs), dice)
    elif content.move is not None:
        engine.decide(match.game, match.state, content.move, dice)
    return dice.numbers


class _RecordingDice:
    """Dice that record their numbers."""

    def __init__(self, dice: Dice) -> None:
        self.numbers: list[tuple[int, int]] = []
        self._dice = dice

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        number = self._dice.below(n)
        self.numbers.append((n, number))
        return number


def _is_valid(match: Match, record: Entry, content: Content) -> bool:
    """Whether an entry follows from the match before it."""
    match, content = _return_time(match, record, content)
    if begins := _start_in(content):
        return match.status == "open" and _is_valid_start(
            _table_of(match, content), record, content, begins[0]
        )
    return matches_decision(match, record, content)


def _return_time(match: Match, record: Entry, content: Content) -> tuple[Match, Content]:
    """The match with the time that an outage took, if the entry returns it, and the rest of the
    entry. Raises Unproven if the time has not passed.
    """
    if not content.events or not isinstance(returned := content.events[0], TimeReturned):
        return match, content
    if not 0 < returned.ms <= record.at - match.updated_at:
        raise Unproven("it returns more time than has passed.")
    after = match.copy()
    returned.apply(after)
    return after, content._replace(events=content.events[1:])


def _start_in(content: Content) -> list[Started]:
    return [event for event in content.events if isinstance(event, Started)]


def _table_of(match: Match, content: Content) -> Match:
    """The match just before the game starts in this entry, which may also open the match."""
    match = match.copy()
    for event in takewhile(lambda event: not isinstance(event, Started), content.events):
        event.apply(match)
    return match


def _is_valid_start(match: Match, record: Entry, content: Content, started: Started) -> bool:
    """Whether a game starts as its rules, its seed and the nonces of its seats require. The nonces
    must be those that the seats committed to and opened.
    """
    checked = [event for event in content.events if needs_decision(event)]
    nonces = lobby.nonces_of(match.chairs, match.nonces_by_hash | nonces_of_entry(record))
    return started.nonces == nonces and lobby.first_events(match, nonces) == checked
