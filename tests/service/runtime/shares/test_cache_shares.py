"""The caches of small things take what the settings name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from bench.load.matches import play_in_memory
from domain.games import GAMES
from projections.core.summary import Summary, fold_entry
from service.accounts.players import Identity, Player
from service.accounts.tokens import SCOPES, Token
from service.http.rate_limit import RateLimit
from service.runtime.config.fields import SETTINGS
from service.runtime.shares.cache_shares import (
    DEFAULT_CACHE_MB,
    EXPLORER_PERCENT,
    IDENTITIES,
    MAX_RATE_LIMITS,
    NAMES,
    PACES,
    PAYERS,
    RATE_LIMITS,
    STEPS,
    SUMMARIES,
    CacheShare,
)
from service.runtime.shares.fair_queue import Payer
from service.runtime.shares.pace import Pace
from service.runtime.shares.recent_cache import RecentCache
from service.runtime.shares.step_queue import StepQueue
from tests.games.test_cache_sizes import measure

ENTRIES, MOVES = 200, 2
WHOLE = 100
NAME = "A player with a long name, in 中文"


def player_of(number: int) -> str:
    return f"u{number:016x}"


def network_of(number: int) -> str:
    return f"2001:db8:{number:x}:{number:x}::/64"


def identities() -> object:
    cache = RecentCache[str, Any](ENTRIES)
    for number in range(ENTRIES):
        player = player_of(number)
        token = Token(f"{number:016x}", player, SCOPES, 10**12 + number, NAME + str(number))
        identity = Identity(Player(player, f"{NAME} {number}"), token)
        cache.put(f"{number:064x}", (identity, 1.5 * number))
    return cache._cache


def names() -> object:
    cache = RecentCache[str, Any](ENTRIES)
    for number in range(ENTRIES):
        cache.put(player_of(number), (f"{NAME} {number}", 1.5 * number))
    return cache._cache


def minutes() -> object:
    limit = RateLimit("default", 1_000_000)
    for number in range(ENTRIES):
        limit.count(network_of(number))
    return limit._minutes


def paces() -> object:
    pace = Pace(60)
    for number in range(ENTRIES):
        pace.charge(network_of(number), 0.1)
    return pace._uses


def steps() -> object:
    queue = StepQueue()
    for number in range(ENTRIES):
        queue.share_of(network_of(number)).charge(0.1 * number)
    return queue._shares


def payers() -> object:
    cache = RecentCache[str, Payer](ENTRIES)
    for number in range(ENTRIES):
        cache.put(f"{number:012}", Payer(network_of(number), player_of(number)))
    return cache._cache


def summaries() -> object:
    """Those of matches of all games, each a number of times with strings of its own."""
    cache: dict[str, Summary] = {}
    for number in range(ENTRIES):
        summary, game = None, [*GAMES.values()][number % len(GAMES)]
        name = f"{number:012}"
        for _, entry, _ in islice(play_in_memory(name, game), MOVES):
            summary = fold_entry(summary, name, entry)
        assert summary
        cache[name] = summary
    return cache


@pytest.mark.parametrize(
    ("share", "filled"),
    [
        (IDENTITIES, identities),
        (NAMES, names),
        (RATE_LIMITS, minutes),
        (PACES, paces),
        (STEPS, steps),
        (PAYERS, payers),
        (SUMMARIES, summaries),
    ],
    ids=["identities", "names", "minutes", "paces", "steps", "payers", "summaries"],
)
def test_an_entry_takes_no_more_than_it_counts(
    share: CacheShare, filled: Callable[[], object]
) -> None:
    each = measure(filled(), set()) / ENTRIES
    assert share.entry_bytes / 2 < each < share.entry_bytes


def test_the_shares_of_a_process_are_a_whole_at_most() -> None:
    web = [IDENTITIES, NAMES, PACES, STEPS, *[RATE_LIMITS] * MAX_RATE_LIMITS]
    assert sum(one.percent for one in web) + EXPLORER_PERCENT <= WHOLE
    assert SUMMARIES.percent + PAYERS.percent <= WHOLE


def test_without_settings_caches_have_the_size_of_the_default() -> None:
    assert SETTINGS["cache_mb"].default == DEFAULT_CACHE_MB
