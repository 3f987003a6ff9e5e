"""Answers questions: one at a time in this process, and what was answered lately at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any

import msgspec

from domain.engine.game import Game
from projections.statistics.queries import (
    MOST_GROUPS,
    Answer,
    Question,
    TooManyGroups,
    answers,
    matches_in,
)
from projections.statistics.reader import history, overview
from projections.statistics.table import Table
from service.analytics.statistics.columns import ANALYSES_S, Tables
from service.analytics.statistics.time_slices import Turns
from service.matches.container import Annals
from service.runtime.errors import StatisticsBusy, TooWide

WAIT_S = 0.01
MOST_WAITING = 32
MOST_OF_PLAYER = 20_000
"""Matches, the latest ones, that are looked at for a question about a player."""
KEPT = 50_000
"""So many of the answers given last are kept."""

Count = Callable[[], None]
"""Called before work: may refuse it."""


class Told(msgspec.Struct, frozen=True):
    """What is answered: from how many matches, whether these are all, and how many entries had not
    been folded yet.
    """

    answers: Sequence[Answer]
    matches: int
    complete: bool
    behind: int


class _Lately(msgspec.Struct, frozen=True):
    version: Any  # of all that it was made of
    at: float
    told: Told


class Statistics:
    """Asks what was folded of finished matches; keeps at most so many of them in memory."""

    def __init__(self, annals: Annals, most: int) -> None:
        self._annals = annals
        self._tables = Tables(annals, most)
        self._one = Lock()
        self._waiting = 0
        self._told: OrderedDict[Any, _Lately] = OrderedDict()

    def of_game(self, game: Game[Any], question: Question, count: Count) -> Told:
        """What is known of a game; TooWide, StatisticsBusy."""
        store = self._annals.store
        found = overview(store.redis, store.partitions, game.key)

        def work(turns: Turns) -> Told:
            table, complete = self._tables.of_game(game, question, found, turns)
            return _told(table, question, complete, turns)

        return self._answer((game.key, question), found.months, found.behind, work, count)

    def of_player(
        self, player: str, other: str | None, game: str | None, question: Question, count: Count
    ) -> Told:
        """What is known of a player's matches, or of those with another, or with `bot:<level>`;
        TooWide, StatisticsBusy.
        """
        store = self._annals.store
        found = history(store.redis, store.partitions, player, MOST_OF_PLAYER)

        def work(turns: Turns) -> Told:
            places = [one for one in found.places if game in (None, one.game)]
            table = self._tables.of_places(
                places, frozenset({player, other or player}), question, turns
            )
            return _told(table, question, not found.more, turns)

        what = (player, other, game, question)
        return self._answer(what, found.changed, found.behind, work, count)

    def _answer(
        self,
        what: Any,  # noqa: ANN401  whatever can be hashed
        version: Any,  # noqa: ANN401  and compared
        behind: int,
        work: Callable[[Turns], Told],
        count: Count,
    ) -> Told:
        """What was told of this version lately, or is worked out now."""
        told = self._lately(what, version)
        if told is None:
            count()
            turns = Turns()
            with self._alone(turns):
                told = self._lately(what, version) or work(turns)
            self._keep(what, _Lately(version, monotonic(), told))
        return msgspec.structs.replace(told, behind=behind)

    def _lately(self, what: Any, version: Any) -> Told | None:  # noqa: ANN401  as above
        known = self._told.get(what)
        if known is None or known.version != version or monotonic() - known.at > ANALYSES_S:
            return None
        return known.told

    def _keep(self, what: Any, lately: _Lately) -> None:  # noqa: ANN401  as above
        self._told[what] = lately
        self._told.move_to_end(what)
        while self._is_too_much():
            self._told.popitem(last=False)

    def _is_too_much(self) -> bool:
        """Whether the oldest answer is of no more use, or there are more than there is room for."""
        oldest = next(iter(self._told.values()), None)
        if oldest and monotonic() - oldest.at > ANALYSES_S:
            return True
        return sum(1 + len(one.told.answers) for one in self._told.values()) > KEPT

    @contextmanager
    def _alone(self, turns: Turns) -> Iterator[None]:
        if self._waiting >= MOST_WAITING:
            raise StatisticsBusy("As many questions wait as can.")
        self._waiting += 1
        try:
            while not self._one.acquire(blocking=False):
                turns(WAIT_S)
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._one.release()


def _told(table: Table, question: Question, complete: bool, turns: Turns) -> Told:
    """What a table says; TooWide."""
    try:
        found = answers(table, question, turns)
    except TooManyGroups:
        raise TooWide(
            f"This tells more than {MOST_GROUPS} groups apart. Ask for fewer by filters or by"
            " another dimension, or export the tables and count there."
        ) from None
    return Told(found, matches_in(table, question, turns), complete, 0)
