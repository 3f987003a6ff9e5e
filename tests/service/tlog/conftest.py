"""A service with a log for each test."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from tests.service.tlog.harness import LogHarness


@pytest.fixture
def harness(redis_client: Redis, redis_url: str, tmp_path: Path) -> LogHarness:
    return LogHarness(redis_url, tmp_path / "tlog")
