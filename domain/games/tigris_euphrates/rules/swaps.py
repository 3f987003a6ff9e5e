"""Swapping tiles: discard one after another, then draw as many."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events import course
from domain.games.tigris_euphrates.rules.tiles import check_held
from domain.games.tigris_euphrates.rules.turns import draw_tiles, use_up
from domain.games.tigris_euphrates.state.steps import ServeTraders, Swap, Turn
from domain.games.tigris_euphrates.state.table import State


def discards(state: State, _step: Turn | Swap, seat: Seat) -> list[moves.DiscardTile]:
    """Each colour in the hand: TE-8.1."""
    colors = zip(board.COLORS, state.hands[seat], strict=True)
    return [moves.DiscardTile(seat, color) for color, count in colors if count]


def check_discard(state: State, _step: Turn | Swap, move: moves.DiscardTile) -> None:
    """Refuse a tile that is not in the hand: TE-8.1."""
    check_held(state, move.seat, move.color, "TE-8.1")


def begin(p: Play[State], turn: Turn, move: moves.DiscardTile) -> None:
    """Discard the first tile; the action lasts until the player draws: TE-8.1."""
    use_up(p, turn)
    _put_away(p, move, 1)


def put_another_away(p: Play[State], step: Swap, move: moves.DiscardTile) -> None:
    """Discard one more tile: TE-8.1."""
    _put_away(p, move, step.discarded + 1)


def end(p: Play[State], step: Swap, move: moves.DrawTiles) -> None:
    """Stop discarding, and draw: TE-8.1."""
    _draw(p, move.seat, step.discarded)


def _put_away(p: Play[State], move: moves.DiscardTile, discarded: int) -> None:
    """Discard a tile face down; after the last one in hand, draw: TE-8.1, TE-16.4."""
    p.emit(course.TileDiscarded(move.seat, move.color))
    if any(p.state.hands[move.seat]):
        p.then(Swap((move.seat,), discarded=discarded))
    else:
        _draw(p, move.seat, discarded)


def _draw(p: Play[State], seat: Seat, discarded: int) -> None:
    """Draw as many tiles as were discarded, and end the action: TE-8.1, TE-8.2, TE-8.3, TE-15.1."""
    draw_tiles(p, seat, discarded, "TE-8.1")
    p.then(ServeTraders(seat=seat))
