"""The processes of a web server are looked after, one by one."""

from __future__ import annotations

from threading import Thread

import pytest
from uvicorn import Config
from uvicorn.supervisors import multiprocess

from tests.support.patience import eventually
from workers.host.web import Processes

HOUR_S = 3600


def test_nobody_waits_for_an_answer_of_one_that_ended_while_it_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multiprocess, "SIGNALS", {})  # those of the tests stay theirs
    web = Processes(Config("workers.host.web:load", workers=1, log_config=None), [])
    web.init_processes()
    for _ in ("the first", "what is started instead"):
        [one] = web.processes
        one.process.kill()
        one.process.join()
        asking = Thread(target=one.ping, args=(HOUR_S,), daemon=True)
        asking.start()
        eventually(lambda asking=asking: not asking.is_alive())
        web.keep_subprocess_alive()
        assert web.processes != [one]
    web.terminate_all()
    web.join_all()
