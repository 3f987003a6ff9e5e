"""`kill -9` of the supervisor: the next start works without help."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from service.runtime.redis_urls import own_redis_url
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import ROOT, fresh_addresses, running_service
from workers.host.redis.server import state_of
from workers.host.stale_processes import RUN_FILE, find_processes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux ends children with their parent"
    ),
]


@contextmanager
def start(environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """`annals run`, killed at the end if it still runs."""
    words = [sys.executable, "-m", "workers.cli", "run"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, cwd=ROOT, env=environ, stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("kills", [4, pytest.param(30, marks=pytest.mark.long)])
def test_after_any_kill_the_next_start_finds_nothing_in_its_way(tmp_path: Path, kills: int) -> None:
    random, addresses = Random(8), fresh_addresses()
    environ = {**os.environ, **addresses, "ANNALS_DATA": str(tmp_path)}
    environ.pop("REDIS_URL", None)
    for _ in range(kills):
        with start(environ) as process:
            eventually((tmp_path / RUN_FILE).exists)
            time.sleep(random.uniform(0, 3))
            os.kill(process.pid, signal.SIGKILL)
            process.wait(PATIENCE_S)
    with running_service(tmp_path, **addresses) as service:
        assert service.call("GET", "/v1/matches")[0] == 200
        service.sign_up("Ada")
    assert list(find_processes(tmp_path)) == []
    assert state_of(own_redis_url(tmp_path)) == "silent"
