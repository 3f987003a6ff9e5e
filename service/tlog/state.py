"""The state of the log, saved as a whole before any of it is signed or published.

It includes the latest leaves. So after a crash the next process repeats the rest of the step with
the same leaves, and reads no entry twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from domain.audit.log_entries import State as MatchState
from domain.audit.tree import EMPTY_ROOT
from service.runtime.atomic_write import PRIVATE_MODE, write_durably
from service.tlog.errors import LogInconsistent

FILE_NAME = "state"
THIS_MACHINE = ("127.0.0.1", "localhost", "0.0.0.0", "::1", "::")  # noqa: S104 - nothing listens
"""Hosts that name no machine but the own one."""


class FeedPosition(Struct, frozen=True, array_like=True):
    """How far a feed was read, with the entry there, so that a replaced feed is detected."""

    position: int
    match: str
    version: int
    head: str


class PendingHead(Struct, frozen=True, array_like=True):
    """The head of a running match that is not in the log yet."""

    version: int
    head: str
    state: MatchState


class LogState(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of the log."""

    origin: str
    size: int = 0
    root: str = EMPTY_ROOT.hex()
    leaves: tuple[str, ...] = ()
    """The latest leaves, included in the size."""
    positions: Mapping[int, FeedPosition] = {}
    pending_heads: Mapping[str, PendingHead] = {}
    window_start: int = 0
    """When the current window for heads of running matches began (ms since the epoch)."""
    rescan: bool = False
    """Whether the feeds are read again from their start, for entries that the log lacks."""

    @property
    def size_before(self) -> int:
        """The size without the latest leaves."""
        return self.size - len(self.leaves)

    def may_take(self, origin: str) -> bool:
        """Return whether the log can still have this origin instead: it has no leaf yet, and its
        origin names only this machine.
        """
        return not self.size and names_this_machine(self.origin) and self.origin != origin

    def from_start(self) -> LogState:
        """Return the state of the same log that reads the feeds again from their start; it keeps
        all leaves.
        """
        return replace(self, positions={}, pending_heads={}, rescan=True)


def names_this_machine(origin: str) -> bool:
    """Return whether an origin is the address at which only this machine reaches the service."""
    return urlsplit(f"//{origin}").hostname in THIS_MACHINE


def save(folder: Path, state: LogState) -> None:
    """Save the state durably."""
    content = json.encode(state)
    write_durably(folder / FILE_NAME, _checksum(content) + b"\n" + content, PRIVATE_MODE)


def load(folder: Path) -> LogState | None:
    """Return the saved state, or None if there is none. Raises LogInconsistent if it is corrupt."""
    try:
        total, _, content = (folder / FILE_NAME).read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    try:
        if total == _checksum(content):
            return json.decode(content, type=LogState)
    except MsgspecError:
        pass
    raise LogInconsistent(
        f"{folder / FILE_NAME} is corrupt: restore the folder from its newest copy, or start"
        " another log with `annals tlog restart`."
    )


def _checksum(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()
