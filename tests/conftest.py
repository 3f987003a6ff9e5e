"""Long tests are left out unless `-m` asks for something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from workers.host.redis_server import embedded_redis


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.markexpr or not (long := [i for i in items if i.get_closest_marker("long")]):
        return
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis for the whole run; it need not survive a power cut."""
    with embedded_redis(tmp_path_factory.mktemp("redis"), fsync="no") as url:
        yield url


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[Redis]:
    """The Redis of this run, empty."""
    with Redis.from_url(redis_url) as client:
        client.flushall()
        yield client
