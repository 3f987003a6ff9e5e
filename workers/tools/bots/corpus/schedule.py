"""Which game is played next: slow games less often, so that they do not take all the time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from math import sqrt
from statistics import mean

import msgspec

from workers.tools.bots.corpus.player import Played

PAGE = 64
"""So many numbers of a game in a row of which there is no match: then there are no more."""


class Standing(msgspec.Struct, frozen=True):
    """How far a game is: how many of its matches are over, which were begun and are not, and which
    come next.
    """

    over: int
    begun: tuple[int, ...]
    missing: tuple[int, ...]  # numbers below the next one that were never begun
    next: int

    @property
    def new(self) -> Iterator[int]:
        """The numbers of the matches that are to be begun, endless."""
        return chain(self.missing, count(self.next))


def standing_of(over: Sequence[bool | None]) -> Standing:
    """How far a game is of whose matches, by number, it is known whether they are over; None is for
    one that was never begun.
    """
    numbers = range(len(over))
    begun = tuple(number for number in numbers if over[number] is False)
    missing = tuple(number for number in numbers if over[number] is None)
    return Standing(over.count(True), begun, missing, len(over))


class Schedule:
    """Which match comes next: first those that were begun; then a game that takes four times as
    long comes half as often.
    """

    def __init__(self, standings: Mapping[str, Standing]) -> None:
        self._left = [(game, one) for game, known in standings.items() for one in known.begun]
        self._new = {game: known.new for game, known in standings.items()}
        self._begun = Counter({game: known.over for game, known in standings.items()})
        self.played: defaultdict[str, list[Played]] = defaultdict(list)

    def next(self) -> tuple[str, int]:
        """A game, and the number of a match of it."""
        game, number = self._left.pop() if self._left else self._next_new()
        self._begun[game] += 1
        return game, number

    def note(self, played: Played) -> None:
        """A match is over."""
        self.played[played.game].append(played)

    def seconds(self, game: str) -> float:
        """How long a match of a game takes, as far as known."""
        return mean(one.seconds for one in self.played[game]) if self.played[game] else 1.0

    def _next_new(self) -> tuple[str, int]:
        game = min(self._new, key=self._weight)
        return game, next(self._new[game])

    def _weight(self, game: str) -> float:
        return self._begun[game] * sqrt(self.seconds(game))
