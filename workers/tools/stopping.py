"""Long commands that are stopped print what they have done so far."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

STOPPING = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Whether a command was asked to stop."""

    requested = False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Let Ctrl-C or SIGTERM end only the block; the command then prints what it has."""
    stop = Stop()
    with sigterm_as_interrupt():
        try:
            yield stop
        except KeyboardInterrupt:
            stop.requested = True


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGTERM as at Ctrl-C, so that everything is cleaned up."""
    if current_thread() is not main_thread():
        yield
        return
    before = {one: signal.signal(one, signal.default_int_handler) for one in STOPPING}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
