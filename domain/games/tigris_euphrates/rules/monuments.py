"""Monuments: four tiles of a colour in a square may be turned face down."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play
from domain.games.tigris_euphrates.board import (
    COLOR_NUMBER,
    COLORS,
    EMPTY,
    FACE_DOWN,
    MONUMENT_COLORS,
    MONUMENTS,
    OFF,
    Square,
)
from domain.games.tigris_euphrates.events import MonumentBuilt, MonumentDeclined
from domain.games.tigris_euphrates.moves import BuildMonument, DeclineMonument
from domain.games.tigris_euphrates.rules.actions import exile
from domain.games.tigris_euphrates.state import FindSquares, OfferMonument, State


def find_squares(p: Play[State], step: FindSquares) -> None:
    """TE-12.1, TE-12.6"""
    board, cells = p.state.board, p.state.cells
    cell = board.number[step.at]
    tile = cells[cell]
    if not EMPTY < tile < FACE_DOWN or not unused(p.state, tile - 1):
        return
    squares = tuple(
        board.names[square[0]]
        for square in board.squares[cell]
        if all(cells[part] == tile for part in square)
    )
    if squares:
        p.then(OfferMonument((step.seat,), color=COLORS[tile - 1], squares=squares))


def unused(state: State, color: int) -> list[int]:
    """TE-1.5, TE-12.1, TE-12.2"""
    return [
        monument
        for monument, colors in enumerate(MONUMENT_COLORS)
        if color in colors and state.monuments[monument] == OFF
    ]


def check_monument(state: State, offer: OfferMonument, move: BuildMonument) -> None:
    """TE-12.2"""
    if move.at not in offer.squares:
        reason = f"No square of {offer.color} tiles was completed at {move.at}."
        raise RuleBroken("TE-12.2", "not_a_square", reason)
    if MONUMENTS.index(move.monument) not in unused(state, COLOR_NUMBER[offer.color]):
        reason = f"The monument {move.monument} is built already, or has no {offer.color}."
        raise RuleBroken("TE-12.2", "monument_not_available", reason)


def build(p: Play[State], offer: OfferMonument, move: BuildMonument) -> None:
    """TE-1.6, TE-12.3, TE-12.4"""
    one, two, three, four = _square(p.state, move)
    names = p.state.board.names
    cells = (names[one], names[two], names[three], names[four])
    p.emit(MonumentBuilt(move.seat, move.monument, offer.color, cells))
    exile(p)


def decline(p: Play[State], move: DeclineMonument) -> None:
    """TE-12.2"""
    p.emit(MonumentDeclined(move.seat))


def _square(state: State, move: BuildMonument) -> Square:
    at = state.board.number[move.at]
    return next(square for square in state.board.squares[at] if square[0] == at)
