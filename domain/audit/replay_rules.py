"""Whether entries follow from the rules and the dice: what was recorded is played once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from domain.audit.errors import Unproven
from domain.audit.replay_decisions import decided, has_to_be_decided
from domain.audit.texts import Content, content_of
from domain.engine import game as engine
from domain.engine.dice import Dice
from domain.engine.errors import Refused
from domain.engine.game import Game
from domain.match.decisions import lobby
from domain.match.dice import KeyedDice, dice_key
from domain.match.events import DiceFell, Started
from domain.match.log import (
    Entry,
    begun,
    handed_in_with,
    understanding,
    write_down,
)
from domain.match.state import Match


class Wrong(NamedTuple):
    """An entry that is not as it should be, and why: what is said of it, as in `version 3 ...`."""

    version: int
    why: str


def follows_from(match: Match, record: Entry, content: Content) -> Wrong | None:
    """What is wrong with an entry after the match before it: its events are not what the rules and
    the dice say. None if all is well, or if it was played by other rules than those of today.
    """
    if record.rules != match.game.rules:
        return None
    try:
        sound = _follows(match, record, content)
    except Refused as refusal:
        return Wrong(record.version, f"was not allowed: {engine.why([match.game], refusal)}")
    except Unproven as why:
        return Wrong(record.version, f"was not allowed: {why}")
    except Exception as error:  # no rule meets what cannot be, so there is no telling what it does
        said = " ".join(str(error).split()).rstrip(".")
        return Wrong(record.version, f"cannot be played: {type(error).__name__}: {said}.")
    if sound:
        return None
    return Wrong(record.version, "does not follow from the rules and the dice.")


class Played(NamedTuple):
    """An entry that was played once more."""

    version: int
    wrong: Wrong | None
    draws: list[tuple[int, int]]


def again(games: Mapping[str, Game[Any]], entries: Iterable[Entry]) -> Iterator[Played]:
    """The entries of a match, oldest first, played once more; Damaged if one makes no sense."""
    match: Match | None = None
    for record in entries:
        with understanding(record):
            match = match or begun(games, record)
            content = content_of(match.game, record)
        wrong = follows_from(match, record, content)
        yield Played(record.version, wrong, [] if wrong else draws_of(match, record, content))
        with understanding(record):
            write_down(match, record, content.events)


def draws_of(match: Match, record: Entry, content: Content) -> list[tuple[int, int]]:
    """What chance decided in an entry that follows on this match: sides and number of each draw."""
    fell = [event for event in content.events if isinstance(event, DiceFell)]
    if not fell or record.rules != match.game.rules:
        return []
    begins = _start_in(content)
    key = dice_key(match.seed, begins[0].nonces) if begins else match.dice_key
    dice = _Written(KeyedDice(key, fell[0].draw))
    if begins:
        laid = _table_of(match, content)
        engine.begin(laid.game, laid.setup, len(laid.chairs), dice)
    elif content.move is not None:
        engine.decide(match.game, match.state, content.move, dice)
    return dice.written


class _Written:
    """Dice that write down how they fell."""

    def __init__(self, dice: Dice) -> None:
        self.written: list[tuple[int, int]] = []
        self._dice = dice

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        number = self._dice.below(n)
        self.written.append((n, number))
        return number


def _follows(match: Match, record: Entry, content: Content) -> bool:
    """Whether an entry is what comes of the match before it."""
    if begins := _start_in(content):
        return match.status == "open" and _begins(
            _table_of(match, content), record, content, begins[0]
        )
    return decided(match, record, content)


def _start_in(content: Content) -> list[Started]:
    return [event for event in content.events if isinstance(event, Started)]


def _table_of(match: Match, content: Content) -> Match:
    """The match just before the game begins in an entry, in which it may have been opened."""
    match = match.fork()
    for event in takewhile(lambda event: not isinstance(event, Started), content.events):
        event.apply(match)
    return match


def _begins(match: Match, record: Entry, content: Content, started: Started) -> bool:
    """Whether a game begins as its rules, its seed and the nonces of its seats say, which are
    those that the seats had committed to and handed in.
    """
    told = [event for event in content.events if has_to_be_decided(event)]
    nonces = lobby.nonces_of(match.chairs, match.handed_in | handed_in_with(record))
    return started.nonces == nonces and lobby.first_events(match, nonces) == told
