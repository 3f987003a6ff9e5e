"""The time limit of a job; if all else fails, its process exits."""

from __future__ import annotations

import faulthandler
import os

from rq.timeouts import UnixSignalDeathPenalty

GRACE_S = 1
"""How long a job may take to end after its time is up."""
DEV_NULL = os.open(os.devnull, os.O_WRONLY)


class HardLimit(UnixSignalDeathPenalty):
    """Raises an exception in a job whose time is up.

    If the job catches it, or is in native code, the process exits a moment later. The supervisor
    starts another process, and the work is handed out again.
    """

    def setup_death_penalty(self) -> None:
        """Start both timers: one raises the exception, the other ends the process."""
        super().setup_death_penalty()  # type: ignore[no-untyped-call]
        faulthandler.dump_traceback_later(self._timeout + GRACE_S, exit=True, file=DEV_NULL)

    def cancel_death_penalty(self) -> None:
        """Stop both timers."""
        faulthandler.cancel_dump_traceback_later()
        super().cancel_death_penalty()  # type: ignore[no-untyped-call]
