"""The service opened for work: everything that commands and queries need, from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.game import Game
from domain.games import GAMES
from service.commands import Annals
from service.players import Players
from service.settings import Settings
from service.store import Store, connect
from service.tables import Tables


def open_annals(settings: Settings, games: Mapping[str, Game[Any]] = GAMES) -> Annals:
    """The service on the Redis that the settings name."""
    redis = connect(settings.events_url)
    store = Store(redis, settings.partitions)
    players = Players(redis, settings.tokens_cache_seconds)
    return Annals(settings, store, Tables(store, games), players, games)
