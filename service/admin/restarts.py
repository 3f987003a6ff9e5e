"""How often the processes of a run have ended and were started again, and why.

The supervisor writes it to a file in the data folder, because it has no connection.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from service.runtime.atomic_write import PRIVATE_MODE, write_durably

FILE = "annals.restarts"
"""The file in the data folder."""


class Restarts(msgspec.Struct, frozen=True):
    """How often a process was started again; the last time and reason (ms since the epoch)."""

    count: int
    at: int
    reason: str


class RestartRecord(msgspec.Struct):
    """The restarts of a run, by the name of the process."""

    run: str
    processes: dict[str, Restarts]

    def add(self, name: str, at: int, reason: str) -> None:
        """Count a restart."""
        before = self.processes.get(name)
        self.processes[name] = Restarts(before.count + 1 if before else 1, at, reason)

    def write(self, data: Path) -> None:
        """Store the record; on a full disk it stays as it was."""
        with suppress(OSError):
            write_durably(data / FILE, msgspec.json.encode(self), PRIVATE_MODE)


def read_restarts(data: Path, run: str) -> RestartRecord:
    """Return the record of this run; an empty one if there is none."""
    with suppress(OSError, msgspec.MsgspecError):
        found = msgspec.json.decode((data / FILE).read_bytes(), type=RestartRecord)
        if found.run == run:
            return found
    return RestartRecord(run, {})
