"""A host decides how much of its log each process keeps."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from service.runtime.settings import read_settings
from workers.host.run import build_supervisor

KEPT_MB = 6
FILES = 3
"""The current file and two older ones, of the same size."""


def test_a_log_grows_to_its_share_of_what_the_host_has_set(tmp_path: Path) -> None:
    settings = read_settings({"ANNALS_DATA": str(tmp_path), "ANNALS_LOG_MB": str(KEPT_MB)})
    signals: Any = None
    (tmp_path / "log").mkdir()
    with socket.socket() as listener, (tmp_path / "lock").open("w") as lock:
        supervisor = build_supervisor(settings, signals, listener, lock)
    web, older = (tmp_path / "log" / name for name in ("web-0.log", "web-0.log.1"))
    share = KEPT_MB * 1_000_000 // FILES
    web.write_bytes(b"-" * (share - 1))
    supervisor.look()
    assert not older.exists()
    with web.open("ab") as log:
        log.write(b"--")
    supervisor.look()
    assert older.stat().st_size == share + 1
    assert web.stat().st_size == 0
