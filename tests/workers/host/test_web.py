"""A web process says that it lives, and refuses no request while another replaces it."""

import os
import re
import signal
from threading import Event, Thread

from service.runtime.settings import read_settings
from tests.support.patience import eventually
from tests.workers.host.test_supervisor import NAMES, is_alive, running
from workers.host.reload import ask_to_reload


def test_a_reload_replaces_all_but_redis_and_refuses_no_request(tmp_path):
    """It takes the settings that the rehearsal has read: the file changes right after that."""
    with running(tmp_path) as service:
        before = dict(zip(NAMES, service.pids(), strict=True))
        stop, refused = Event(), []

        def ask():
            while not stop.is_set():
                try:
                    service.get("/count")
                except OSError as error:
                    refused.append(error)

        asking = [Thread(target=ask, daemon=True) for _ in range(3)]
        for thread in asking:
            thread.start()
        assert ask_to_reload(read_settings({"ANNALS_DATA": str(tmp_path)})) == service.process.pid
        eventually(lambda: service.pid("web") != before["web"] and not is_alive(before["web"]))
        stop.set()
        for thread in asking:
            thread.join()
        after = dict(zip(NAMES, service.pids(), strict=True))
        assert {name for name in NAMES if after[name] == before[name]} == {"redis"}
        assert refused == []
        assert not [name for name in NAMES if name != "redis" and is_alive(before[name])]
        assert int(service.get("/count")) > 1
        assert service.stop() == 0


def test_a_web_process_that_hangs_is_killed_and_restarted(tmp_path):
    with running(tmp_path, HANG_S="3") as service:
        old = service.pid("web")
        os.kill(old, signal.SIGSTOP)
        eventually(lambda: service.pid("web") != old)
        eventually(lambda: service.get("/count"))
        assert service.stop() == 0
    said = "".join(service.said)
    assert re.search(r"^web has not answered for \d+ s and is killed\.$", said, re.MULTILINE)
