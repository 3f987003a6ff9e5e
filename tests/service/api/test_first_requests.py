"""A web process computes what is the same for all callers before its first request."""

from __future__ import annotations

import json
import os

import pytest
from redis import Redis

from tests.service.api import first_requests
from tests.support.warm_start import start_module

VARIABLES = ("REDIS_URL", "EVENTS_REDIS_URL", "QUEUE_REDIS_URL")


@pytest.mark.slow
def test_the_first_requests_find_all_worked_out(redis_client: Redis, redis_url: str) -> None:
    environ = {**os.environ, **dict.fromkeys(VARIABLES, redis_url)}
    with start_module(first_requests.__name__, environ) as process:
        assert process.stdout
        said = process.stdout.read().decode()
    assert process.returncode == 0, said[-4000:]
    late = json.loads(said.splitlines()[-1])
    assert late == [], late
