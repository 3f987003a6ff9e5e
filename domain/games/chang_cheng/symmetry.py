"""What is alike: the seats, but for whose turn comes after whose. No face of the boards looks the
same from both ends, nor does any set of them: the layouts of no two boards are mirror images.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.symmetry import Rename, Rotation, seat_rotations

_SEATS = ("active", "first", "seat")
_GROUPS = ("awaiting", "kept_for", "seats", "seen_by", "winners", "won_by")
_BY_SEAT = ("cards_in_hand", "extra", "hand_sizes", "hands", "points", "scores", "unbuilt")


def _fields(turned: Rotation) -> Mapping[str, Rename]:
    def map_known(value: Mapping[str, Any]) -> Mapping[str, Any]:
        """By region, the seats that know its threat, or all."""
        return {region: by if by == "all" else turned.group(by) for region, by in value.items()}

    def map_reserved(value: Mapping[str, Any]) -> Mapping[str, Any]:
        """By seat, the cells that it has reserved."""
        return {str(turned.seat(int(seat))): cells for seat, cells in value.items()}

    return {
        **dict.fromkeys(_SEATS, turned.seat),
        **dict.fromkeys(_GROUPS, turned.group),
        **dict.fromkeys(_BY_SEAT, turned.by_seat),
        "reserved": map_reserved,
        "seen": map_known,
    }


symmetries = seat_rotations(_fields)
