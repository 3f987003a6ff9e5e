"""How the log stands: written down as a whole, before anything of it is signed or shown.

The leaves that came last are part of it. So whatever a killed process had not yet done with them is
done again in the same way by the next one, and what leads to them is never read twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from domain.audit.log_entries import State as MatchState
from domain.audit.tree import EMPTY
from service.runtime.atomic_write import FOR_US, write_durably
from service.tlog.errors import Contradiction

NAME = "state"


class Place(Struct, frozen=True, array_like=True):
    """How far a feed was read: a place in it, and the entry there with its head, so that another
    feed in its stead is noticed.
    """

    position: int
    match: str
    version: int
    head: str


class Moved(Struct, frozen=True, array_like=True):
    """How far a match has come whose head is not in the log yet."""

    version: int
    head: str
    state: MatchState


class Standing(Struct, frozen=True):
    """How the log stands."""

    origin: str
    size: int = 0
    root: str = EMPTY.hex()
    leaves: tuple[str, ...] = ()
    """The last ones, which made it this large."""
    places: Mapping[int, Place] = {}
    moved: Mapping[str, Moved] = {}
    window: int = 0
    """Since when matches are noted that move (ms since the epoch)."""
    rescan: bool = False
    """Whether the feeds are read from their beginnings, for what is not in the log yet."""

    @property
    def before(self) -> int:
        """The size without the last leaves."""
        return self.size - len(self.leaves)


def save(folder: Path, standing: Standing) -> None:
    """Write down how the log stands from now on."""
    content = json.encode(standing)
    write_durably(folder / NAME, _sum(content) + b"\n" + content, FOR_US)


def load(folder: Path) -> Standing | None:
    """How the log stands; None if there is none yet; Contradiction if that cannot be read."""
    try:
        total, _, content = (folder / NAME).read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    try:
        if total == _sum(content):
            return json.decode(content, type=Standing)
    except MsgspecError:
        pass
    raise Contradiction(
        f"{folder / NAME} is damaged: put the folder back from its newest copy, or begin another"
        " log with `annals tlog restart`."
    )


def _sum(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()
