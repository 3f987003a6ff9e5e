"""Symmetries of Qin: the seats may rotate; on the lion board the two halves may also swap, turned
by 180 degrees with red and blue exchanged, because both colours have equally many tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from domain.engine.symmetry import (
    Rename,
    Rotation,
    Symmetry,
    compose,
    product,
    rename_fields,
    seat_rotations,
)
from domain.games.qin.board import KIND_OF, Rows
from domain.games.qin.state.setup import Setup

_SEATS = ("active", "first", "seat")
_GROUPS = ("awaiting", "seats", "winners")
_BY_SEAT = ("hand_sizes", "hands", "scores", "supply")
_RED_AS_BLUE = str.maketrans("RBrb", "BRbr")


def symmetries(setup: Setup, seats: int) -> Sequence[Symmetry]:
    """Rotated seats, and both halves of the board swapped if they look alike."""
    return _all(setup.rows, seats)


@lru_cache
def _all(rows: Rows, seats: int) -> Sequence[Symmetry]:
    around = _seats_moved_on(None, seats)
    turned = (_half_turn(rows, seats),) if _half_turned(rows) == list(rows) else ()
    in_order = Symmetry(tuple(range(seats)), _in_order, _in_order)
    ways = product((around[0], *turned), around)
    return tuple(compose(in_order, compose(one, in_order)) for one in ways)


def _rotate_seats(turned: Rotation) -> Mapping[str, Rename]:
    def owners(rows: Sequence[str]) -> list[str]:
        """Rows of owners with rotated seats."""
        moved = {ord(str(seat)): str(turned.seat(seat)) for seat in range(turned.seats)}
        return [row.translate(moved) for row in rows]

    return {
        **dict.fromkeys(_SEATS, turned.seat),
        **dict.fromkeys(_GROUPS, turned.group),
        **dict.fromkeys(_BY_SEAT, turned.by_seat),
        "owners": owners,
    }


_seats_moved_on = seat_rotations(_rotate_seats)


def _half_turn(rows: Rows, seats: int) -> Symmetry:
    """Each space mapped to the space opposite the centre; the symmetry is its own inverse."""
    last_row, last_col = len(rows) - 1, len(rows[0]) - 1
    fields: Mapping[str, Rename] = {
        "cells": _half_turned,
        "owners": lambda value: [row[::-1] for row in reversed(value)],
        "row": lambda row: last_row - row,
        "col": lambda col: last_col - col,
        "color": _swap_colours,
        "kind": _kind,
        "hands": lambda hands: [hand and sorted(map(_kind, hand)) for hand in hands],
        "pile": _by_kind,
        "unseen": _by_kind,
    }
    turn = partial(rename_fields, fields)
    return Symmetry(tuple(range(seats)), turn, turn)


def _half_turned(rows: Sequence[str]) -> list[str]:
    return [_swap_colours(row[::-1]) for row in reversed(rows)]


def _swap_colours(signs: str) -> str:
    return signs.translate(_RED_AS_BLUE)


def _kind(kind: str) -> str:
    red_as_blue = _swap_colours(kind)
    return KIND_OF[red_as_blue[0], red_as_blue[1]]


def _by_kind(value: Any) -> Any:  # noqa: ANN401  a number, or numbers by kind
    if not isinstance(value, Mapping):
        return value
    return {_kind(kind): count for kind, count in value.items()}


def _in_order(value: Any) -> Any:  # noqa: ANN401  any JSON
    """The halves of each tile in the order of legal moves: by the colours of its kind, then in
    reading order, whatever order a client sent.
    """
    if isinstance(value, list):
        return [_in_order(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    inside = {name: _in_order(inner) for name, inner in value.items()}
    if "halves" in inside:
        inside["halves"] = sorted(inside["halves"], key=partial(_place, inside["kind"]))
    return inside


def _place(kind: str, half: Mapping[str, Any]) -> tuple[int, int, int]:
    return kind.index(half["color"]), half["row"], half["col"]
