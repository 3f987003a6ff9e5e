"""One painter for the tests of a file."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator

import pytest

from service.drawing.pictures.painter import Painter
from tests.service.drawing.pictures.scenes import painters
from tests.support.patience import eventually


@pytest.fixture(scope="module", autouse=True)
def painter() -> Iterator[Painter]:
    """The only one that may run: to start takes longer than a test. If a test ends it, it starts
    again on demand, as do those that other files hold.
    """
    gc.collect()
    for pid in painters():
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not painters())
    painter = Painter()
    yield painter
    painter.stop()
