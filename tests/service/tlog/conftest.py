"""A service with a log for each test."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from tests.service.tlog.desk import Desk


@pytest.fixture
def desk(redis_client: Redis, redis_url: str, tmp_path: Path) -> Desk:
    return Desk(redis_url, tmp_path / "tlog")
