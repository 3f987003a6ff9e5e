"""The folder in which processes share what they count."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from service.runtime.metrics_folder import forget_ended


def test_what_was_counted_by_processes_that_have_ended_is_forgotten(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    for pid in (os.getpid(), ended.pid):
        for kind in ("counter", "histogram", "gauge_livesum"):
            (tmp_path / f"{kind}_{pid}.db").touch()
    forget_ended(tmp_path)
    left = {file.stem.rpartition("_")[2] for file in tmp_path.iterdir()}
    assert left == {str(os.getpid())}
    forget_ended(tmp_path / "missing")
