"""Each test starts without painters."""

from __future__ import annotations

import gc
import os
import signal

import pytest

from tests.service.drawing.pictures.scenes import painters
from tests.support.patience import eventually


@pytest.fixture(autouse=True)
def nobody_draws() -> None:
    """Painters end with their owner; those that other tests hold restart on demand."""
    gc.collect()
    for pid in painters():
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not painters())
