"""The time limit of a job ends its process if the job ignores it; that of a test runs no clock."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import Any

import pytest
from rq import Queue

from domain.games import GAMES
from domain.match.state import Chair
from tests.support.patience import PATIENCE_S
from tests.support.warm_start import WarmProcess
from tests.workers.jobs import failing_worker
from tests.workers.jobs.test_bot_failures import break_levels
from tests.workers.office import ADA, Office
from workers.dispatch import job_queue
from workers.dispatch.due_work import Dispatcher
from workers.jobs.bot_move import MAX_ATTEMPTS

ENDS = {"kills": -signal.SIGKILL, "is_deaf": 1, "hangs_outside_python": 1}


@pytest.mark.parametrize("bot", ENDS)
def test_a_bot_that_kills_its_worker_is_replaced(
    office: Office, redis_url: str, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    """Given a bot that kills its worker or ignores the time limit, a simpler one replaces it after
    some attempts.
    """
    monkeypatch.setattr(job_queue, "EXTRA_TIMEOUT_S", 0.5)
    passed = 0.0
    dispatcher = Dispatcher(
        office.annals.settings, office.annals.store, office.queue, clock=lambda: passed
    )
    match_id = office.open(Chair(bot="wu_qi"), ADA, options={"first_player": "seat:0"})
    environ = {**os.environ, "REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"}
    for _ in range(MAX_ATTEMPTS):
        while not Queue("bots", connection=office.queue).job_ids:
            passed += 10
            dispatcher.scan(office.now)
        worker = WarmProcess([bot], environ, stdout=subprocess.DEVNULL, main=failing_worker.main)
        assert worker.wait(PATIENCE_S) == ENDS[bot]
        assert office.kinds(match_id) == ["Created"]
    passed += 100
    for _ in range(2):
        dispatcher.scan(office.now)
        passed += 100
    office.work()
    assert office.kinds(match_id)[:2] == ["Created", "BotFailed"]


def test_no_clock_runs_while_a_test_works(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a machine that pauses for some seconds would fail the tests."""
    fine, clocks = GAMES["qin"].levels[0].bot, []

    def look(view: Any) -> Any:
        clocks.append(signal.getitimer(signal.ITIMER_REAL)[0])
        return fine(view)

    break_levels(monkeypatch, "qin", look)
    office.open(Chair(bot="li_mu"), ADA, options={"first_player": "seat:0"})
    office.work()
    assert clocks == [0]
