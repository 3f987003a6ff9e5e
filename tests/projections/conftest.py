"""An event store for each test."""

from __future__ import annotations

import pytest
from redis import Redis

from service.store.event_store import EventStore


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)
