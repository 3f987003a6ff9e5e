"""Tiles: where they may go, who scores for them, and when they unite kingdoms."""

from __future__ import annotations

from itertools import chain, compress

from domain.engine.answers import Fallback
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.board import where
from domain.games.tigris_euphrates.events.pieces import KingdomsUnited, TilePlaced, TileScored
from domain.games.tigris_euphrates.rules import slots
from domain.games.tigris_euphrates.rules.cells import cell_of
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.kingdoms import Kingdom, beside_more_than, first_cell
from domain.games.tigris_euphrates.state.steps import FindSquares, FindWars, Turn
from domain.games.tigris_euphrates.state.table import State

FARM = board.COLORS[board.BLUE]
"""The only colour that lies on river: TE-6.2."""
MAX_KINGDOMS = 2
"""A tile may touch at most this many kingdoms: TE-6.3."""


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceTile]:
    """Each colour in the hand on each empty cell of its kind, beside at most two kingdoms: TE-6.1,
    TE-6.2, TE-6.3.
    """
    open_cells = where(state.cells, board.EMPTY) & ~beside_more_than(state.kingdoms)[MAX_KINGDOMS]
    by_cell = slots.tiles_held(state.setup.rows, seat, tuple(map(bool, state.hands[seat])))
    return list(chain.from_iterable(compress(by_cell, board.flags(open_cells))))


def check_place(state: State, _turn: Turn, move: moves.PlaceTile) -> None:
    """Refuse a tile that is not in hand or may not go there: TE-6.1, TE-6.2, TE-6.3."""
    cell = cell_of(state, move.at)
    check_held(state, move.seat, move.color, "TE-6.1")
    if refusal := obstacle(state, cell, move.color):
        raise RuleBroken(*refusal, at=move.at)


def obstacle(state: State, cell: int, color: board.Color) -> Fallback | None:
    """Why a tile of this colour may not go there, or None: TE-6.1, TE-6.2, TE-6.3."""
    if state.cells[cell] != board.EMPTY:
        return Fallback("TE-6.1", "space_not_empty")
    farm, river = color == FARM, state.board.river[cell]
    if farm and not river:
        return Fallback("TE-6.2", "farm_only_on_river")
    if river and not farm:
        return Fallback("TE-6.2", "river_only_farms")
    if len(state.kingdoms_beside(cell)) > MAX_KINGDOMS:
        return Fallback("TE-6.3", "unites_three_kingdoms")
    return None


def check_held(state: State, seat: Seat, color: board.Color, rule: str) -> None:
    """Refuse a tile that is not in the hand, citing this rule: TE-1.3."""
    if not state.hands[seat][board.COLOR_NUMBER[color]]:
        raise RuleBroken(rule, "tile_not_in_hand", tile=Sentence(f"tile_{color}"))


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceTile) -> None:
    """Place a tile and settle what follows: TE-6.1, TE-3.3, TE-4.1, TE-6.4, TE-6.6, TE-6.7."""
    touched = p.state.kingdoms_beside(p.state.board.number[move.at])  # before the tile is placed
    p.emit(TilePlaced(move.seat, move.color, move.at))
    p.then(FindSquares(seat=move.seat, at=move.at))
    if len(touched) == 1:
        _score(p, move, touched[0].leaders)
    elif touched:
        _unite(p, move, touched)


def _score(p: Play[State], move: moves.PlaceTile, leaders: tuple[int, ...]) -> None:
    """Score a point for the leader of the colour, or for the king instead: TE-6.5."""
    for color in (board.COLOR_NUMBER[move.color], board.BLACK):
        for leader in leaders:
            if leader % 4 == color:
                p.emit(TileScored(leader // 4, move.color, move.at, board.COLORS[color]))
                return


def _unite(p: Play[State], move: moves.PlaceTile, kingdoms: list[Kingdom]) -> None:
    """Place the unification tile on two kingdoms, and look for wars: TE-6.6, TE-11.1, TE-11.2."""
    names_of = p.state.board.names_of
    one, two = (names_of(kingdom.cells) for kingdom in sorted(kingdoms, key=first_cell))
    p.emit(KingdomsUnited(move.seat, move.at, (one, two)))
    p.then(FindWars(seat=move.seat))
