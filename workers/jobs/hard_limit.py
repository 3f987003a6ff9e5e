"""The time a job has, which nothing in it can outlast: in the end its process ends."""

from __future__ import annotations

import faulthandler
import os

from rq.timeouts import UnixSignalDeathPenalty

GRACE_S = 1
"""How long a job that is told that its time is up may take to end."""
NOWHERE = os.open(os.devnull, os.O_WRONLY)


class HardLimit(UnixSignalDeathPenalty):
    """Raises an exception in a job whose time is up. If that is caught, or never comes since the
    job is in code that is not Python, the process exits a moment later: whoever keeps it running
    starts another, and the work is handed out again.
    """

    def setup_death_penalty(self) -> None:
        """Begin to count the seconds: one clock asks Python, the other nobody."""
        super().setup_death_penalty()  # type: ignore[no-untyped-call]
        faulthandler.dump_traceback_later(self._timeout + GRACE_S, exit=True, file=NOWHERE)

    def cancel_death_penalty(self) -> None:
        """The job is done."""
        faulthandler.cancel_dump_traceback_later()
        super().cancel_death_penalty()  # type: ignore[no-untyped-call]
