"""The caches of a web process share the memory that the settings name."""

from __future__ import annotations

from flask import Flask

from projections.explorer.queries import ChosenMove, FeatureStatistics, PositionStatistics, Sample
from projections.explorer.storage import Count
from service.analytics.explorer import MIN_BYTES, TimedCache, features_bytes, position_bytes
from service.http.rate_limit import RateLimit
from service.runtime.shares.cache_shares import MAX_RATE_LIMITS, RATE_LIMITS
from tests.games.test_cache_sizes import measure

MOVES = 50


def test_a_web_process_has_no_more_rate_limits_than_share_the_memory(app: Flask) -> None:
    context = app.extensions["annals"]
    assert context.hint_limit, "it is made when it is first needed"
    limits = [
        one
        for some in (context, context.limits)
        for one in vars(some).values()
        if isinstance(one, RateLimit)
    ]
    assert len(limits) == MAX_RATE_LIMITS
    most = RATE_LIMITS.max_entries(context.annals.settings.cache_mb)
    assert {one._max_callers for one in limits} == {most}


def counts(names: str, number: int) -> dict[str, Count]:
    return {f"{name} {number}": Count(number + 1_000, number / 7) for name in names}


def position(number: int) -> PositionStatistics:
    """A result as it is read: each of its strings and numbers is another one."""
    moves = [
        ChosenMove(
            f"{number} {move} " + "x" * 60, 1_000 + move, counts("ab", move), counts("cd", move)
        )
        for move in range(MOVES)
    ]
    samples = [Sample(f"{number:012}", 1_000 + n, f"{n} " + "x" * 60, n / 7) for n in range(MOVES)]
    return PositionStatistics(moves, samples, [])


def features(number: int) -> FeatureStatistics:
    named = {(f"kind {number}", f"name {n}"): Count(1_000 + n, n / 7) for n in range(MOVES)}
    return FeatureStatistics({}, named)


def test_a_result_of_the_explorer_takes_about_as_much_as_it_counts() -> None:
    for found, counted in (
        (position(1), position_bytes(position(1))),
        (features(1), features_bytes(features(1))),
    ):
        assert counted / 2 < measure(found, set()) < counted


def test_results_of_the_explorer_take_no_more_than_their_share() -> None:
    size = MIN_BYTES + position_bytes(position(0))
    cache = TimedCache[int, PositionStatistics](60.0, 3 * size, position_bytes)
    for number in range(9):
        cache.get(number, lambda: position(1))
        assert cache.bytes == size * min(3, number + 1)
    cache.get(8, lambda: 1 / 0)  # type: ignore[arg-type,return-value]


def test_a_result_that_is_too_old_takes_no_memory() -> None:
    cache = TimedCache[int, PositionStatistics](0.0, 1_000_000, position_bytes)
    cache.get(1, lambda: position(1))
    assert cache.bytes == 0
