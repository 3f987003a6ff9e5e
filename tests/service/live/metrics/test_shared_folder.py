"""The folder in which processes share their metrics."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from service.runtime.metrics_folder import delete_dead_files


def test_metrics_of_ended_processes_are_deleted(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    for pid in (os.getpid(), ended.pid):
        for kind in ("counter", "histogram", "gauge_livesum"):
            (tmp_path / f"{kind}_{pid}.db").touch()
    delete_dead_files(tmp_path)
    left = {file.stem.rpartition("_")[2] for file in tmp_path.iterdir()}
    assert left == {str(os.getpid())}
    delete_dead_files(tmp_path / "missing")
