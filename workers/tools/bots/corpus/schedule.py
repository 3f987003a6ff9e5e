"""Chooses the next game of a corpus: slow games come less often, so that they do not take all the
time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from math import sqrt
from statistics import mean

import msgspec

from workers.tools.bots.corpus.player import PlayedMatch

MAX_GAP = 64
"""After this many consecutive numbers without a match, there are no more."""


class GameProgress(msgspec.Struct, frozen=True):
    """The matches of a game: how many are over, which are unfinished, and which come next."""

    over: int
    unfinished: tuple[int, ...]
    missing: tuple[int, ...]  # smaller numbers without a match
    next: int

    @property
    def new_numbers(self) -> Iterator[int]:
        """The numbers of the matches to start, without end."""
        return chain(self.missing, count(self.next))


def build_progress(over: Sequence[bool | None]) -> GameProgress:
    """Return the standing of a game. `over` says by number whether a match is over, or None if it
    does not exist.
    """
    numbers = range(len(over))
    unfinished = tuple(number for number in numbers if over[number] is False)
    missing = tuple(number for number in numbers if over[number] is None)
    return GameProgress(over.count(True), unfinished, missing, len(over))


class Schedule:
    """Chooses the next match: first the unfinished ones; then a game that takes four times as long
    comes half as often.
    """

    def __init__(self, standings: Mapping[str, GameProgress]) -> None:
        self._unfinished = [
            (game, one) for game, known in standings.items() for one in known.unfinished
        ]
        self._new = {game: known.new_numbers for game, known in standings.items()}
        self._begun = Counter({game: known.over for game, known in standings.items()})
        self.played: defaultdict[str, list[PlayedMatch]] = defaultdict(list)

    def next(self) -> tuple[str, int]:
        """Return a game, and the number of a match of it."""
        game, number = self._unfinished.pop() if self._unfinished else self._next_new()
        self._begun[game] += 1
        return game, number

    def record(self, played: PlayedMatch) -> None:
        """Record a finished match."""
        self.played[played.game].append(played)

    def seconds(self, game: str) -> float:
        """Return the mean duration of a match of a game so far."""
        return mean(one.seconds for one in self.played[game]) if self.played[game] else 1.0

    def _next_new(self) -> tuple[str, int]:
        game = min(self._new, key=self._weight)
        return game, next(self._new[game])

    def _weight(self, game: str) -> float:
        return self._begun[game] * sqrt(self.seconds(game))
