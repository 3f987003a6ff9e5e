"""Symmetries: only the seats may rotate. Neither board has a symmetry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.engine.symmetry import Rename, Rotation, seat_rotations

_SEATS = ("active", "attacker", "defender", "first", "loser", "seat", "winner")
_GROUPS = ("awaiting", "seats", "winners")
_BY_SEAT = (
    "catastrophes_left",
    "committed",
    "counted",
    "discarded",
    "hand_sizes",
    "hands",
    "points",
    "scores",
    "standings",
    "treasures_taken",
)


def _fields(turned: Rotation) -> Mapping[str, Rename]:
    def leaders(value: list[Any]) -> list[Any]:
        """In a position by seat; in a view one by one, grouped by seat."""
        if not all("seat" in leader for leader in value):
            return list(turned.by_seat(value))
        moved = [{**leader, "seat": turned.seat(leader["seat"])} for leader in value]
        return sorted(moved, key=lambda leader: int(leader["seat"]))

    return {
        **dict.fromkeys(_SEATS, turned.seat),
        **dict.fromkeys(_GROUPS, turned.group),
        **dict.fromkeys(_BY_SEAT, turned.by_seat),
        "leaders": leaders,
    }


symmetries = seat_rotations(_fields)
