"""What workers count, and the folder in which they share it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from service.metrics.shared_folder import forget_ended
from workers.jobs import counted


@counted
def breaks(match_id: str, version: int) -> None:
    raise ValueError(match_id)


def test_a_job_that_fails_is_counted_as_such_and_fails_still() -> None:
    before = told("annals_job_failures_total"), told("annals_job_seconds_count")
    with pytest.raises(ValueError, match="m"):
        breaks("m", 1)
    after = told("annals_job_failures_total"), told("annals_job_seconds_count")
    assert after == (before[0] + 1, before[1] + 1)


def told(name: str) -> float:
    return REGISTRY.get_sample_value(name, {"kind": "breaks"}) or 0


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
