"""Signals as a queue: the supervisor waits for them, and no handler interrupts it."""

from __future__ import annotations

import os
import select
import signal
from collections import deque
from contextlib import suppress

SIGNALS = (
    signal.SIGCHLD, signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
"""The signals for which a supervisor waits."""


class SignalQueue:
    """The signals that this process has received, in their order."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        for end in (self._reading, self._writing):
            os.set_blocking(end, False)
        self._later: deque[int] = deque()
        signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        for number in SIGNALS:
            signal.signal(number, _note)
        unblock_signals()

    def close(self) -> None:
        """Close the queue in a child, which does not share it."""
        signal.set_wakeup_fd(-1)
        os.close(self._reading)
        os.close(self._writing)

    def asks_to_stop(self) -> bool:
        """Return whether a signal in the queue asks this process to stop; it stays there."""
        self._receive(0)
        return signal.SIGTERM in self._later or signal.SIGINT in self._later

    def next(self, seconds: float) -> int:
        """Return the number of the next signal; 0 if none comes in time."""
        if not self._later:
            self._receive(seconds)
        return self._later.popleft() if self._later else 0

    def await_child(self, seconds: float) -> None:
        """Return once a child may have ended, or after this time. Other signals stay in the
        queue.
        """
        if signal.SIGCHLD not in self._later:
            self._receive(seconds)
        with suppress(ValueError):
            self._later.remove(signal.SIGCHLD)

    def _receive(self, seconds: float) -> None:
        ready, _, _ = select.select([self._reading], [], [], max(0.0, seconds))
        if ready:
            with suppress(BlockingIOError):
                self._later.extend(os.read(self._reading, 1024))


def _note(_number: int, _frame: object) -> None:
    """Do nothing: Python writes the number of the signal into the queue."""


def _end(_number: int, _frame: object) -> None:
    raise SystemExit


def block_signals() -> None:
    """Let signals wait: while a process forks or replaces itself, none may get lost."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


def unblock_signals() -> None:
    """Receive the signals that have waited, and all others from now on."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def reset_signals() -> None:
    """Give a forked child the signal handlers of a program that has just started. Until it installs
    its own, SIGTERM ends it in order: it has begun no work yet.
    """
    signal.set_wakeup_fd(-1)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _end)
    unblock_signals()
