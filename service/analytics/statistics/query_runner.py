"""Runs queries, one at a time per process, and caches recent results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import msgspec

from domain.engine.game import Game
from projections.statistics.queries import (
    MAX_GROUPS,
    MetricResult,
    StatisticsQuery,
    TooManyGroups,
    count_matches,
    evaluate,
)
from projections.statistics.reader import find_player_rows, read_months
from projections.statistics.table import Table
from service.analytics.statistics.columns import ANALYSES_CACHE_S, ColumnCache
from service.analytics.statistics.time_slices import QUERY_TIMEOUT_S, TimeSlices
from service.matches.container import Annals
from service.runtime.errors import StatisticsBusy, TooWide
from service.runtime.shares.fair_queue import Payer
from service.runtime.shares.fair_slots import FairSlots

MAX_WAITING = 32
MAX_PLAYER_MATCHES = 20_000
"""Maximum number of matches, the latest ones, that a query about a player reads."""
ANSWERS_PER_MATCH = 0.5
"""How many answers are cached at most, for each match that may be in memory."""

Charge = Callable[[], Payer]
"""Counts a query before it runs, or refuses it; returns whose share of the queue it takes."""


class QueryResult(msgspec.Struct, frozen=True):
    """The result of a query: the number of matches, whether these are all, and the number of
    entries that the projection still has to fold.
    """

    answers: Sequence[MetricResult]
    matches: int
    complete: bool
    behind: int


class _CachedResult(msgspec.Struct, frozen=True):
    version: Any  # of the data it was computed from
    at: float
    result: QueryResult


class Statistics:
    """Runs queries over folded facts of finished matches; limits how many are in memory."""

    def __init__(self, annals: Annals, max_matches: int) -> None:
        self._annals = annals
        self._tables = ColumnCache(annals, max_matches)
        self._max_answers = max_matches * ANSWERS_PER_MATCH
        self._slots = FairSlots(1, MAX_WAITING, StatisticsBusy)
        self._results: OrderedDict[Any, _CachedResult] = OrderedDict()

    def of_game(self, game: Game[Any], question: StatisticsQuery, charge: Charge) -> QueryResult:
        """Answer a query about a game. Raises TooWide, StatisticsBusy."""
        store = self._annals.store
        found = read_months(store.redis, store.partitions, game.key)

        def work(turns: TimeSlices) -> QueryResult:
            table, complete = self._tables.of_game(game, question, found, turns)
            return _evaluate(table, question, complete, turns)

        return self._answer((game.key, question), found.months, found.lag, work, charge)

    def of_player(
        self,
        player: str,
        opponent: str | None,
        game: str | None,
        question: StatisticsQuery,
        charge: Charge,
    ) -> QueryResult:
        """Answer a query about a player's matches, optionally against another player or
        `bot:<level>`. Raises TooWide, StatisticsBusy.
        """
        store = self._annals.store
        found = find_player_rows(store.redis, store.partitions, player, MAX_PLAYER_MATCHES)

        def work(turns: TimeSlices) -> QueryResult:
            locations = [one for one in found.locations if game in (None, one.game)]
            table = self._tables.of_places(
                locations, frozenset({player, opponent or player}), question, turns
            )
            return _evaluate(table, question, not found.has_more, turns)

        what = (player, opponent, game, question)
        return self._answer(what, found.last_changes, found.lag, work, charge)

    def _answer(
        self,
        key: Any,  # noqa: ANN401  anything hashable
        version: Any,  # noqa: ANN401  anything comparable
        behind: int,
        work: Callable[[TimeSlices], QueryResult],
        charge: Charge,
    ) -> QueryResult:
        """Return the cached result of this version, or compute it."""

        def compute() -> QueryResult:
            result = self._fresh_result(key, version) or work(TimeSlices())
            self._store(key, _CachedResult(version, monotonic(), result))
            return result

        result = self._fresh_result(key, version)
        if result is None:
            result = self._slots.run(charge(), QUERY_TIMEOUT_S, compute)
        return msgspec.structs.replace(result, behind=behind)

    def _fresh_result(self, key: Any, version: Any) -> QueryResult | None:  # noqa: ANN401  as above
        known = self._results.get(key)
        if known is None or known.version != version or monotonic() - known.at > ANALYSES_CACHE_S:
            return None
        return known.result

    def _store(self, key: Any, lately: _CachedResult) -> None:  # noqa: ANN401  as above
        self._results[key] = lately
        self._results.move_to_end(key)
        while self._is_overfull():
            self._results.popitem(last=False)

    def _is_overfull(self) -> bool:
        """Return whether the oldest result has expired, or the cache is full."""
        oldest = next(iter(self._results.values()), None)
        if oldest and monotonic() - oldest.at > ANALYSES_CACHE_S:
            return True
        answers = sum(1 + len(one.result.answers) for one in self._results.values())
        return answers > self._max_answers


def _evaluate(
    table: Table, question: StatisticsQuery, complete: bool, turns: TimeSlices
) -> QueryResult:
    """Compute the result from a table. Raises TooWide."""
    try:
        found = evaluate(table, question, turns)
    except TooManyGroups:
        raise TooWide(
            f"The answer has more than {MAX_GROUPS} groups. Add filters, use another dimension, or"
            " export the tables and count there."
        ) from None
    return QueryResult(found, count_matches(table, question, turns), complete, 0)
