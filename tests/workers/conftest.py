"""An office with its own Redis."""

from __future__ import annotations

import pytest
from redis import Redis

from service.matches.container import open_annals
from service.runtime.settings import read_settings
from tests.workers.office import Office
from workers.jobs import match_jobs


@pytest.fixture
def office(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Office:
    settings = read_settings({"REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"})
    office = Office(open_annals(settings), redis_client)
    monkeypatch.setattr(match_jobs, "_annals", lambda: office.annals)
    return office
