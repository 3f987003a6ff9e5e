"""What a player of Qin can choose."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from domain.engine.play import Move, Seat
from domain.games.qin.board import FREE, KINDS, VILLAGE, Half, Kind
from domain.games.qin.state import State

_IS_FREE = bytes(what == FREE for what in range(256))
_IS_LAID = bytes(FREE < what < VILLAGE for what in range(256))


class PlaceTile(Move):
    """Place a tile of the hand: its kind, and each half with its colour on its space; QIN-4.1."""

    kind: Kind
    halves: tuple[Half, Half]


def candidates(state: State, seat: Seat) -> Iterator[PlaceTile]:
    """Each kind in the hand in each direction on each free pair that is connected; QIN-4.5."""
    halves = state.board.halves
    pairs = connected_pairs(state)
    for kind, count in zip(KINDS, state.hands[seat], strict=True):
        if not count:
            continue
        one, two = kind[0], kind[1]
        for a, b in pairs:
            yield PlaceTile(seat, kind, (halves[a][one], halves[b][two]))
        if one != two:
            for a, b in pairs:
                yield PlaceTile(seat, kind, (halves[b][one], halves[a][two]))


def connected_pairs(state: State) -> list[tuple[int, int]]:
    """Adjacent free cells of which one touches a province space: QIN-4.3, QIN-4.4.

    All cells at once, a byte of a long number for each: shifted, they meet their neighbours.
    """
    board, size, row = state.board, len(state.cells), 8 * state.board.width
    within = board.within
    free = int.from_bytes(state.cells.translate(_IS_FREE), "little")
    laid = int.from_bytes(state.cells.translate(_IS_LAID), "little")
    touched = (laid << 8 & within) | (laid & within) >> 8 | laid << row | laid >> row
    right = free & (free & within) >> 8 & (touched | (touched & within) >> 8)
    down = free & free >> row & (touched | touched >> row)
    flags = right.to_bytes(size, "little") + down.to_bytes(size, "little")
    return list(compress(board.pairs, flags))
