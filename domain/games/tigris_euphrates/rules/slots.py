"""The moves of a turn that name a cell, made once per layout and shared by all tables."""

from __future__ import annotations

from functools import lru_cache

from domain.engine.play import Seat
from domain.games.tigris_euphrates import moves
from domain.games.tigris_euphrates.board import BLUE, COLORS, Rows, board_of

Held = tuple[bool, ...]
"""By colour, whether a hand has a tile of it."""


@lru_cache(maxsize=64)
def tiles(rows: Rows, seat: Seat) -> tuple[tuple[moves.PlaceTile, ...], ...]:
    """By cell, a placement of each colour that fits it; only farms fit on rivers: TE-6.2."""
    board = board_of(rows)
    return tuple(
        tuple(
            moves.PlaceTile(seat, color, name)
            for number, color in enumerate(COLORS)
            if bool(river) == (number == BLUE)
        )
        for name, river in zip(board.names, board.river, strict=True)
    )


@lru_cache(maxsize=256)
def tiles_held(rows: Rows, seat: Seat, held: Held) -> tuple[tuple[moves.PlaceTile, ...], ...]:
    """By cell, the placements of the colours in the hand: TE-6.1."""
    colors = {color for color, has in zip(COLORS, held, strict=True) if has}
    return tuple(tuple(move for move in here if move.color in colors) for here in tiles(rows, seat))


@lru_cache(maxsize=64)
def leaders(rows: Rows, seat: Seat) -> tuple[tuple[moves.PlaceLeader, ...], ...]:
    """By colour and cell, the placement of a leader: TE-5.1."""
    names = board_of(rows).names
    return tuple(tuple(moves.PlaceLeader(seat, color, name) for name in names) for color in COLORS)


@lru_cache(maxsize=64)
def catastrophes(rows: Rows, seat: Seat) -> tuple[moves.PlaceCatastrophe, ...]:
    """By cell, the placement of a catastrophe tile: TE-7.1."""
    return tuple(moves.PlaceCatastrophe(seat, name) for name in board_of(rows).names)


@lru_cache(maxsize=256)
def all_of(rows: Rows, seat: Seat, held: Held, covers: bool) -> tuple[moves.InTurn, ...]:
    """All moves in any turn with such a hand, with or without a catastrophe tile."""
    river = board_of(rows).river
    found: list[moves.InTurn] = [move for here in tiles_held(rows, seat, held) for move in here]
    for of_color in leaders(rows, seat):
        found += [move for move, wet in zip(of_color, river, strict=True) if not wet]
    found += [moves.WithdrawLeader(seat, color) for color in COLORS]
    found += catastrophes(rows, seat) if covers else ()
    found += [moves.DiscardTile(seat, c) for c, has in zip(COLORS, held, strict=True) if has]
    return (*found, moves.Pass(seat))
