"""An event store for each test."""

from __future__ import annotations

import pytest
from redis import Redis

from service.store.event_store import Store


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)
