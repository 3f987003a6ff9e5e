"""What a match remembers of its seats, and no undo takes back: time that others gave them, and who
played them before.
"""

from __future__ import annotations

import msgspec

from domain.engine.play import Seat


class Gift(msgspec.Struct, frozen=True, gc=False):
    """Milliseconds that a seat got from another player, and the version of that entry."""

    version: int
    seat: Seat
    ms: int


class Tenure(msgspec.Struct, frozen=True, gc=False):
    """A player whom another one has replaced, their seat, and the version of that entry."""

    seat: Seat
    player: str
    until: int
