"""The container of the service: the objects that commands and queries need, built from the
settings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace
from redis import ConnectionPool

from domain.engine.game import Game
from domain.games import GAMES
from domain.match.decisions import absence, lobby
from domain.match.decisions.absence import DAY_MS
from service.accounts.house import HouseRecord
from service.accounts.names.reserved_names import ReservedNames, looks_of_bots
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
    house: HouseRecord
    now: Callable[[], int] = field(default=wall_clock)

    @property
    def public_url(self) -> str:
        """The address of this service from outside, without a trailing slash; empty if neither a
        setting nor an operator has named it.
        """
        return (self.settings.public_url or self.house.read().public_url).rstrip("/")

    @property
    def base_url(self) -> str:
        """The URL of this service for people and programs, without a trailing slash."""
        return self.public_url or self.settings.base_url

    @property
    def pause_ms(self) -> int:
        """How long a pause of a match lasts at most (ms); 0 if there are no pauses."""
        return int(self.settings.pause_days * DAY_MS)

    def with_waiting_times(self, plan: lobby.Plan) -> lobby.Plan:
        """Return the plan with how long a match without a clock waits for its only player until it
        ends by itself, and for one of several until the others may vote.
        """
        if plan.clock is not None:
            return replace(plan, patience_ms=None)
        guest = self.players.is_guest(plan.host)
        idle_days = self.settings.idle_guest_days if guest else self.settings.idle_days
        patience_ms = plan.patience_ms or self.settings.patience_days * DAY_MS or None
        return replace(
            plan,
            idle_ms=int(idle_days * DAY_MS) or None,
            patience_ms=patience_ms if absence.needs_patience(plan.chairs) else None,
        )

    def match_url(self, match: str) -> str | None:
        """Return the URL of the page of a match; None if the public address is not known."""
        return f"{self.public_url}/matches/{match}" if self.public_url else None

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
    house = HouseRecord(redis, remember_s)
    reserved = ReservedNames(looks_of_bots(games.values()), house)
    players = Players(redis, remember_s, rename_days, reserved, settings.cache_mb)
    matches = MatchCache(store, games, settings.match_mb * 1_000_000 // ENTRY_BYTES)
    seeds = Seeds(redis, replicas)
    history = MatchHistoryReader(matches)
    return Annals(settings, store, matches, history, players, seeds, games, house)
