"""A web process computes what is the same for all callers before its first request."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from redis import Redis

from tests.service.api import first_requests

VARIABLES = ("REDIS_URL", "EVENTS_REDIS_URL", "QUEUE_REDIS_URL")


@pytest.mark.slow
def test_the_first_requests_find_all_worked_out(redis_client: Redis, redis_url: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", first_requests.__name__],
        env={**os.environ, **dict.fromkeys(VARIABLES, redis_url)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    late = json.loads(ran.stdout.splitlines()[-1])
    assert late == [], late
