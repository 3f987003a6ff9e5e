"""What is alike: the seats, but for whose turn comes after whose; what the first turns differ in
lies on the table. No map has a symmetry: no two cities of one can trade places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.engine.symmetry import Rename, Turned, around_the_table

_SEATS = ("active", "controller", "owner", "seat", "connected")
_GROUPS = ("awaiting", "winners")
_BY_SEAT = ("players", "scores")
_PIECES = ("extra", "offices", "special")


def _fields(turned: Turned) -> Mapping[str, Rename]:
    def sign(value: str | None) -> str | None:
        """A piece such as `1m`."""
        return value and f"{turned.seat(int(value[0]))}{value[1:]}"

    def signs(value: Sequence[str | None]) -> list[str | None]:
        return [sign(each) for each in value]

    def routes(value: Mapping[str, Sequence[str | None]]) -> Mapping[str, list[str | None]]:
        return {route: signs(posts) for route, posts in value.items()}

    def held(value: Sequence[int]) -> list[int]:
        """Lifted pieces as numbers: 1 + 2 * seat + piece."""
        return [1 + 2 * turned.seat((code - 1) // 2) + (code - 1) % 2 for code in value]

    def seats(value: list[Any]) -> list[Any]:
        """In a position what lies in front of them, in a step who is asked."""
        asked = all(isinstance(one, int) for one in value)
        return turned.group(value) if asked else list(turned.by_seat(value))

    return {
        **dict.fromkeys(_SEATS, turned.seat),
        **dict.fromkeys(_GROUPS, turned.group),
        **dict.fromkeys(_BY_SEAT, turned.by_seat),
        **dict.fromkeys(_PIECES, signs),
        "held": held,
        "routes": routes,
        "seats": seats,
    }


symmetries = around_the_table(_fields)
