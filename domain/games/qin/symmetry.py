"""What is alike: the seats, but for whose turn comes after whose; on the lion also both halves of
the board, turned by 180 degrees, red as blue and blue as red: there are as many tiles of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from domain.engine.symmetry import (
    Rename,
    Symmetry,
    Turned,
    after,
    around_the_table,
    renamed,
    together,
)
from domain.games.qin.board import KIND_OF, Rows
from domain.games.qin.state.setup import Setup

_SEATS = ("active", "first", "seat")
_GROUPS = ("awaiting", "seats", "winners")
_BY_SEAT = ("hand_sizes", "hands", "scores", "supply")
_RED_AS_BLUE = str.maketrans("RBrb", "BRbr")


def symmetries(setup: Setup, seats: int) -> Sequence[Symmetry]:
    """Seats moved on, and both halves of the board traded if they look the same."""
    return _all(setup.rows, seats)


@lru_cache
def _all(rows: Rows, seats: int) -> Sequence[Symmetry]:
    around = _seats_moved_on(None, seats)
    turned = (_half_turn(rows, seats),) if _half_turned(rows) == list(rows) else ()
    in_order = Symmetry(tuple(range(seats)), _in_order, _in_order)
    ways = together((around[0], *turned), around)
    return tuple(after(in_order, after(one, in_order)) for one in ways)


def _moved_on(turned: Turned) -> Mapping[str, Rename]:
    def owners(rows: Sequence[str]) -> list[str]:
        """Rows of seats, and of signs for nobody."""
        moved = {ord(str(seat)): str(turned.seat(seat)) for seat in range(turned.seats)}
        return [row.translate(moved) for row in rows]

    return {
        **dict.fromkeys(_SEATS, turned.seat),
        **dict.fromkeys(_GROUPS, turned.group),
        **dict.fromkeys(_BY_SEAT, turned.by_seat),
        "owners": owners,
    }


_seats_moved_on = around_the_table(_moved_on)


def _half_turn(rows: Rows, seats: int) -> Symmetry:
    """Every space for the one on the other side of the centre; the same way there and back."""
    last_row, last_col = len(rows) - 1, len(rows[0]) - 1
    fields: Mapping[str, Rename] = {
        "cells": _half_turned,
        "owners": lambda value: [row[::-1] for row in reversed(value)],
        "row": lambda row: last_row - row,
        "col": lambda col: last_col - col,
        "color": _recoloured,
        "kind": _kind,
        "hands": lambda hands: [hand and sorted(map(_kind, hand)) for hand in hands],
        "pile": _by_kind,
        "unseen": _by_kind,
    }
    turn = partial(renamed, fields)
    return Symmetry(tuple(range(seats)), turn, turn)


def _half_turned(rows: Sequence[str]) -> list[str]:
    return [_recoloured(row[::-1]) for row in reversed(rows)]


def _recoloured(signs: str) -> str:
    return signs.translate(_RED_AS_BLUE)


def _kind(kind: str) -> str:
    red_as_blue = _recoloured(kind)
    return KIND_OF[red_as_blue[0], red_as_blue[1]]


def _by_kind(value: Any) -> Any:  # noqa: ANN401  a number, or numbers by kind
    if not isinstance(value, Mapping):
        return value
    return {_kind(kind): count for kind, count in value.items()}


def _in_order(value: Any) -> Any:  # noqa: ANN401  any JSON
    """The halves of each tile as legal moves tell them, however they were sent: by the colours of
    its kind, then in reading order.
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
