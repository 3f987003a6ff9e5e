"""The service with a worker that takes too much memory soon after each start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from service.runtime.settings import read_settings
from workers.host import run, supervisor


def main(_words: Sequence[str]) -> None:
    """Run the service until a signal."""
    settings = read_settings(os.environ)

    def memory_above_mb(pid: int, limit_mb: float) -> float:
        """One MB too much for a worker, nothing for all others."""
        is_worker = "annals worker" in Path(f"/proc/{pid}/cmdline").read_text()
        return is_worker * (limit_mb + 1)

    supervisor.memory_above_mb = memory_above_mb
    supervisor.STEADY_S, supervisor.MEMORY_INTERVAL_S = 0.3, 0.1
    run.run(settings)
