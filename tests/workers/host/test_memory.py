"""A process that takes too much memory ends after its current work, and is forked again."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import closing
from functools import partial
from mmap import PAGESIZE, mmap
from pathlib import Path
from typing import Any

import pytest

from service.accounts.operators import Operators
from service.analytics.statistics.columns import MATCH_BYTES
from service.analytics.statistics.query_runner import ANSWERS_PER_MATCH
from service.http.compression import MAX_CACHED_BYTES
from service.runtime.config.server_fields import SIZES
from service.runtime.process_memory import memory_above_mb, own_memory_mb
from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import read_settings
from service.store.archive.reader import CACHE_BYTES
from service.store.redis_client import connect
from tests.games.test_cache_sizes import MAX_TOGETHER_MB
from tests.support.patience import eventually
from tests.support.warm_start import WarmProcess
from tests.support.whole_service import LEAN, started_service
from tests.workers.host.children import outgrown_worker
from workers.host import supervisor as supervising
from workers.host.supervisor import (
    MAX_ENDING_S,
    PROGRAM_RANK,
    REDIS_RANK,
    STEADY_S,
    Child,
    Program,
    Supervisor,
)

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts shared memory")
MAX_MB, BLOCK_MB = 300, 20
LARGER_PID, LARGE_PID, SMALL_PID = 3, 2, 1
NOW_S = 1_000.0
LONG_AGO_S, JUST_NOW_S = NOW_S - STEADY_S - 1, NOW_S - STEADY_S
BOTS = {"game": "qin", "seats": [{"bot": "li_mu"}, {"bot": "li_mu"}]}
MATCHES, REPLACEMENTS = 3, 2
ANSWER_BYTES = 300
"""What a cached answer of statistics takes."""
COPIED_MB = 40
SMALL_MB = 8
OTHERS_MB = (MAX_CACHED_BYTES + CACHE_BYTES) / 1_000_000 + SMALL_MB
"""What else docs/hosting.md counts: pages copied from the parent, and caches that have one size
everywhere, many of them a small one.
"""


@on_linux
def test_memory_that_a_process_writes_is_its_own() -> None:
    with mmap(-1, BLOCK_MB * 1_000_000) as block:  # memory that this process has never had
        before = own_memory_mb(os.getpid())
        for page in range(0, len(block), PAGESIZE):
            block[page] = 1
        after = own_memory_mb(os.getpid())
        assert after - before == pytest.approx(BLOCK_MB, abs=2)
        assert memory_above_mb(os.getpid(), after - 5) == pytest.approx(after, abs=2)
        for much in (after + 5, after * 1_000):
            assert memory_above_mb(os.getpid(), much) == 0


def test_a_process_that_has_ended_takes_no_memory() -> None:
    assert own_memory_mb(1 << 30) == 0


class Recorder(Supervisor):
    """A supervisor of processes that do not exist; it notes which of them it asks to end."""

    def __init__(self, *children: Child) -> None:
        super().__init__([], Any, logging.getLogger("nothing"), max_mb=MAX_MB)
        self.children = {child.program.name: child for child in children}
        self.asked: list[str] = []

    def signal(self, children: Any) -> None:
        self.asked += [child.program.name for child in children]


def child_of(name: str, pid: int, rank: int = PROGRAM_RANK, started: float = LONG_AGO_S) -> Child:
    return Child(Program(name, print, rank), pid, started)


def test_only_a_process_above_the_limit_is_asked_to_end_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = {SMALL_PID: 0, LARGE_PID: MAX_MB + 1, LARGER_PID: MAX_MB + 2}
    killed: list[int] = []
    monkeypatch.setattr(supervising, "memory_above_mb", lambda pid, _: used[pid])
    monkeypatch.setattr(supervising, "kill_group", killed.append)
    supervisor = Recorder(
        child_of("small", SMALL_PID),
        child_of("large", LARGE_PID),
        child_of("larger", LARGER_PID),
        child_of("new", LARGE_PID, started=JUST_NOW_S),
        child_of("redis", LARGE_PID, REDIS_RANK),
        child_of("not running", 0),
    )
    for _ in range(2):
        supervisor.end_outgrown(NOW_S)
    assert supervisor.asked == ["large"], "the others go on serving meanwhile"
    supervisor.end_outgrown(NOW_S + MAX_ENDING_S + 1)
    assert killed == [LARGE_PID]
    supervisor.children["large"].pid = 0
    supervisor.end_outgrown(NOW_S)
    assert supervisor.asked == ["large", "larger"]


@pytest.mark.slow
def test_a_worker_that_is_replaced_again_and_again_loses_no_move(tmp_path: Path) -> None:
    start = partial(WarmProcess, main=outgrown_worker.main)
    with started_service(start, tmp_path, {**LEAN, "ANNALS_PROCESS_MB": str(MAX_MB)}) as service:
        service.sign_up("Ada")
        with closing(connect(own_redis_url(service.data))) as redis:
            Operators(redis).add(service.call("GET", "/v1/me")[1]["id"])
        workers = {*service.processes()["worker"]}
        paths = []
        while len(workers) <= REPLACEMENTS or len(paths) < MATCHES:
            paths.append(f"/v1/matches/{service.call('POST', '/v1/matches', BOTS)[1]['id']}")
            eventually(lambda: service.call("GET", paths[-1])[1]["status"] == "scored")
            workers |= {*service.processes()["worker"]}
        health = service.call("GET", "/v1/admin/health")[1]
        verified = service.command("verify", "--all")
    assert verified.returncode == 0, verified.stdout
    found = {one["name"]: one for one in health["processes"]}
    assert found["worker"]["restarts"] >= REPLACEMENTS
    assert found["worker"]["last_restart"]["reason"] == f"takes {MAX_MB + 1} MB (ANNALS_PROCESS_MB)"
    assert (found["web"]["restarts"], found["web"]["last_restart"]) == (0, None)
    lines = [*service.said.splitlines(), *map(str.strip, service.notes)]
    assert f"worker takes {MAX_MB + 1} MB (ANNALS_PROCESS_MB): it has to end." in lines
    exits = [line for line in lines if line.startswith("worker ended")]
    assert {*exits} == {"worker ended (exit status 0) and is restarted"}


def test_each_size_has_room_for_all_its_caches() -> None:
    for size in SIZES:
        settings = read_settings({"ANNALS_SIZE": size})
        caches = settings.match_mb + settings.picture_mb + settings.history_mb + OTHERS_MB
        statistics = settings.statistics_mb * (1 + ANSWERS_PER_MATCH * ANSWER_BYTES / MATCH_BYTES)
        used = caches + settings.cache_mb + statistics + MAX_TOGETHER_MB + COPIED_MB
        assert used < settings.process_mb, size
