"""Each process of a web server is watched separately."""

from __future__ import annotations

from threading import Thread

import pytest
from uvicorn import Config
from uvicorn.supervisors import multiprocess

from tests.support.patience import eventually
from workers.host.web import Processes

HOUR_S = 3600


def test_a_process_that_ends_at_startup_blocks_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(multiprocess, "SIGNALS", {})  # pytest keeps its signals
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
