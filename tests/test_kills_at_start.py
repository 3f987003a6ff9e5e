"""`kill -9` of the supervisor: the next start works without help."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from service.runtime.redis_urls import own_redis_url
from tests.support.patience import eventually
from tests.support.warm_start import Process, start_command, start_program
from tests.support.whole_service import ONE_WEB_PROCESS, fresh_addresses, running_service
from workers.host.redis.server import state_of
from workers.host.stale_processes import RUN_FILE, find_processes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux ends children with their parent"
    ),
]


@pytest.mark.parametrize(
    ("start", "kills", "most_s"),
    [
        pytest.param(start_command, 4, 1, id="warm"),
        pytest.param(start_program, 30, 3, id="cold", marks=pytest.mark.long),
    ],
)
def test_after_any_kill_the_next_start_finds_nothing_in_its_way(
    tmp_path: Path, start: Callable[..., Process], kills: int, most_s: float
) -> None:
    random, addresses = Random(8), fresh_addresses()
    environ = {**os.environ, **addresses, **ONE_WEB_PROCESS, "ANNALS_DATA": str(tmp_path)}
    environ.pop("REDIS_URL", None)
    for _ in range(kills):
        with start(["run"], environ, subprocess.DEVNULL, subprocess.DEVNULL) as process:
            try:
                eventually((tmp_path / RUN_FILE).exists)
                time.sleep(random.uniform(0, most_s))
            finally:
                process.kill()
    with running_service(tmp_path, **addresses) as service:
        assert service.call("GET", "/v1/matches")[0] == 200
        service.sign_up("Ada")
    assert list(find_processes(tmp_path)) == []
    assert state_of(own_redis_url(tmp_path)) == "silent"
