"""The symmetry of seats: only their order of turns matters, and what differs in the first turns is
on the table. No map has a symmetry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.engine.symmetry import Rename, Rotation, seat_rotations

_SEATS = ("active", "controller", "owner", "seat", "connected")
_GROUPS = ("awaiting", "winners")
_BY_SEAT = ("players", "scores")
_PIECES = ("extra", "offices", "special")


def _fields(turned: Rotation) -> Mapping[str, Rename]:
    def turn_piece(value: str | None) -> str | None:
        """A piece such as `1m`."""
        return value and f"{turned.seat(int(value[0]))}{value[1:]}"

    def turn_pieces(value: Sequence[str | None]) -> list[str | None]:
        return [turn_piece(each) for each in value]

    def turn_routes(value: Mapping[str, Sequence[str | None]]) -> Mapping[str, list[str | None]]:
        return {route: turn_pieces(posts) for route, posts in value.items()}

    def turn_held(value: Sequence[int]) -> list[int]:
        """Lifted pieces as numbers: 1 + 2 * seat + piece."""
        return [1 + 2 * turned.seat((code - 1) // 2) + (code - 1) % 2 for code in value]

    def turn_seats(value: list[Any]) -> list[Any]:
        """What lies in front of the seats of a position, or the seats of a step."""
        is_question = all(isinstance(one, int) for one in value)
        return turned.group(value) if is_question else list(turned.by_seat(value))

    return {
        **dict.fromkeys(_SEATS, turned.seat),
        **dict.fromkeys(_GROUPS, turned.group),
        **dict.fromkeys(_BY_SEAT, turned.by_seat),
        **dict.fromkeys(_PIECES, turn_pieces),
        "held": turn_held,
        "routes": turn_routes,
        "seats": turn_seats,
    }


symmetries = seat_rotations(_fields)
