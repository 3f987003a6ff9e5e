"""What became of the last scheduled backups, and when the next is due: files beside the data."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import msgspec

from service.runtime.atomic_write import PRIVATE_MODE, write_durably
from service.runtime.errors import StoreUnavailable

NUMBERS = re.compile(r"\d+")
STATE_FILE = "backup-state.json"
REQUEST_FILE = "backup-requested"
"""An empty file: an operator wants a backup now."""
HOUR_MS = 3_600_000
RETRY_MS = HOUR_MS
"""How long after a failure the next attempt comes, at most."""


class BackupState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last verified backup, and why the last attempt failed; times in ms since the epoch."""

    name: str = ""
    at: int = 0
    bytes: int = 0
    matches: int = 0
    failure: str = ""
    """Why the last attempt failed; empty if it did not."""
    failed_at: int = 0
    faulty: bool = False
    """Whether it failed because the store has faults, so that trying again soon helps nothing."""
    begun_at: int = 0
    """When the attempt began that has not ended; it is under way, or its process was killed."""
    alerted: str = ""
    """The failure that the address for alerts has received last; empty after a recovery."""
    accepted: tuple[str, ...] = ()
    """The faults of the store with which a backup counts as good."""

    @property
    def changed_at(self) -> int:
        """When the last attempt began or ended."""
        return self.begun_at or (self.failed_at if self.failure else self.at)

    def due_at(self, hours: float) -> int:
        """Return when the next backup is due: `hours` after the last one, and sooner after a
        failure (but not because of faults in the store) or a kill.
        """
        period = int(hours * HOUR_MS)
        if self.begun_at or (self.failure and not self.faulty):
            period = min(RETRY_MS, period)
        return self.changed_at + period

    @property
    def is_news(self) -> bool:
        """Whether the address for alerts does not know this failure, or recovery, yet. Failures of
        the place that differ only in numbers, such as times and sizes, are of one kind.
        """
        if self.faulty:  # the numbers are versions of matches
            return self.failure != self.alerted
        return NUMBERS.sub("", self.failure) != NUMBERS.sub("", self.alerted)

    def describe_failure(self) -> str:
        """Return a sentence about the last attempt; empty if it did not fail."""
        last = f"The last good one is {self.name}." if self.name else "No good one is known."
        return f"The backup failed: {self.failure} {last}" if self.failure else ""


_STATE = msgspec.json.Decoder(BackupState)


def read_state(data: Path) -> BackupState:
    """Return the state of the backups of this data folder; a new one if there is none.

    If the file cannot be read, that is the failure.
    """
    with suppress(FileNotFoundError, msgspec.MsgspecError):
        try:
            return _STATE.decode((data / STATE_FILE).read_bytes())
        except PermissionError as error:
            return BackupState(failure=f"{error.filename}: {error.strerror}.")
    return BackupState()


def write_state(data: Path, state: BackupState) -> None:
    """Record what became of a backup."""
    write_durably(data / STATE_FILE, msgspec.json.encode(state), PRIVATE_MODE)


def request_backup(data: Path) -> None:
    """Ask the process that makes backups to begin one, within seconds. Raises StoreUnavailable if
    nothing can be written beside the data, such as on a full disk.
    """
    try:
        (data / REQUEST_FILE).touch(PRIVATE_MODE)
    except OSError as error:
        raise StoreUnavailable(f"The backup can't be requested: {error.strerror}.") from error


def is_requested(data: Path) -> bool:
    """Return whether a backup was asked for that has not begun."""
    return (data / REQUEST_FILE).exists()


def withdraw_request(data: Path) -> None:
    """Withdraw the request for a backup."""
    (data / REQUEST_FILE).unlink(missing_ok=True)
