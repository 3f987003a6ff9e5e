"""The container of the service: the objects that commands and queries need, built from the
settings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from redis import ConnectionPool

from domain.engine.game import Game
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from service.accounts.players import Players
from service.matches.history_reader import MatchHistoryReader
from service.matches.match_cache import ENTRY_BYTES, MatchCache
from service.matches.seeds import Seeds
from service.runtime.errors import NotFound
from service.runtime.settings import Settings
from service.store.archive.reader import open_archive
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.store.replicas import Replicas


def wall_clock() -> int:
    """Return the time of day in ms since the epoch, UTC."""
    return time.time_ns() // 1_000_000  # noqa: TID251 - what is recorded has a time of day


@dataclass(frozen=True)
class Annals:
    """All objects that commands and queries need."""

    settings: Settings
    store: EventStore
    matches: MatchCache
    history: MatchHistoryReader
    players: Players
    seeds: Seeds
    games: Mapping[str, Game[Any]]
    now: Callable[[], int] = field(default=wall_clock)

    def game(self, key: str) -> Game[Any]:
        """Return the game with this key. Raises NotFound."""
        if key not in self.games:
            raise NotFound("There is no such game.")
        return self.games[key]


def open_annals(
    settings: Settings,
    games: Mapping[str, Game[Any]] = GAMES,
    pool: type[ConnectionPool] = ConnectionPool,
) -> Annals:
    """Return the service on the Redis that the settings name."""
    redis = connect(settings.events_url, pool)
    replicas = Replicas(redis) if settings.acknowledge == "replica" else None
    store = EventStore(redis, settings.partitions, open_archive(settings), replicas)
    remember_s, rename_days = settings.tokens_cache_seconds, settings.rename_days
    players = Players(redis, remember_s, rename_days, _bot_names(games))
    matches = MatchCache(store, games, settings.match_mb * 1_000_000 // ENTRY_BYTES)
    seeds = Seeds(redis, replicas)
    return Annals(settings, store, matches, MatchHistoryReader(matches), players, seeds, games)


def _bot_names(games: Mapping[str, Game[Any]]) -> Iterator[str]:
    for game in games.values():
        for language in LANGUAGES:
            yield from game.bot_names(language).values()
