"""Tiles: where they go, who gets a point for them, and when they unite kingdoms."""

from __future__ import annotations

from itertools import chain, compress

from domain.engine.answers import Refusal
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.board import CellSet, where
from domain.games.tigris_euphrates.events.pieces import KingdomsUnited, TilePlaced, TileScored
from domain.games.tigris_euphrates.rules import slots
from domain.games.tigris_euphrates.rules.cells import cell_of
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.kingdoms import Kingdom, beside_more_than, first_cell
from domain.games.tigris_euphrates.state.steps import FindSquares, FindWars, Turn
from domain.games.tigris_euphrates.state.table import State

FARM = board.COLORS[board.BLUE]
"""The only colour that lies on river: TE-6.2."""
UNITED = 2
"""A tile unites no more kingdoms than these: TE-6.3."""


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceTile]:
    """Each colour in the hand on each empty cell of its kind: TE-6.1, TE-6.2."""
    return _held(state, seat, where(state.cells, board.EMPTY))


def allowed(state: State, seat: Seat) -> list[moves.PlaceTile]:
    """Those of them that touch no more than two kingdoms: TE-6.3."""
    crowded = beside_more_than(state.kingdoms)[UNITED]
    return _held(state, seat, where(state.cells, board.EMPTY) & ~crowded)


def _held(state: State, seat: Seat, cells: CellSet) -> list[moves.PlaceTile]:
    """The tiles of a hand on these cells, as far as they are of their kinds."""
    held = tuple(map(bool, state.hands[seat]))
    by_cell = slots.tiles_held(state.setup.rows, seat, held)
    return list(chain.from_iterable(compress(by_cell, board.flags(cells))))


def check_place(state: State, _turn: Turn, move: moves.PlaceTile) -> None:
    """Refuse a tile that is not in hand or cannot go there: TE-6.1, TE-6.2, TE-6.3."""
    cell = cell_of(state, move.at)
    check_held(state, move.seat, move.color, "TE-6.1")
    if refusal := obstacle(state, cell, move.color):
        raise RuleBroken(*refusal, at=move.at)


def obstacle(state: State, cell: int, color: board.Color) -> Refusal | None:
    """Why a tile of this colour cannot go there, if so: TE-6.1, TE-6.2, TE-6.3."""
    if state.cells[cell] != board.EMPTY:
        return Refusal("TE-6.1", "space_not_empty")
    farm, river = color == FARM, state.board.river[cell]
    if farm and not river:
        return Refusal("TE-6.2", "farm_only_on_river")
    if river and not farm:
        return Refusal("TE-6.2", "river_only_farms")
    if len(state.touched(cell)) > UNITED:
        return Refusal("TE-6.3", "unites_three_kingdoms")
    return None


def check_held(state: State, seat: Seat, color: board.Color, rule: str) -> None:
    """Refuse a tile that is not in the hand, by this rule: TE-1.3."""
    if not state.hands[seat][board.COLOR_NUMBER[color]]:
        raise RuleBroken(rule, "tile_not_in_hand", tile=Sentence(f"tile_{color}"))


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceTile) -> None:
    """Place a tile, with what comes of it: TE-3.3, TE-4.1, TE-6.4, TE-6.6, TE-6.7."""
    touched = p.state.touched(p.state.board.number[move.at])  # before the tile lies there
    p.emit(TilePlaced(move.seat, move.color, move.at))
    p.then(FindSquares(seat=move.seat, at=move.at))
    if len(touched) == 1:
        _score(p, move, touched[0].leaders)
    elif touched:
        _unite(p, move, touched)


def _score(p: Play[State], move: moves.PlaceTile, leaders: tuple[int, ...]) -> None:
    """Give a point to the leader of the colour, or to the king in its place: TE-6.5."""
    for color in (board.COLOR_NUMBER[move.color], board.BLACK):
        for leader in leaders:
            if leader % 4 == color:
                p.emit(TileScored(leader // 4, move.color, move.at, board.COLORS[color]))
                return


def _unite(p: Play[State], move: moves.PlaceTile, kingdoms: list[Kingdom]) -> None:
    """Put the unification tile between two kingdoms, and look for wars: TE-6.6, TE-11.1."""
    names_of = p.state.board.names_of
    one, two = (names_of(kingdom.cells) for kingdom in sorted(kingdoms, key=first_cell))
    p.emit(KingdomsUnited(move.seat, move.at, (one, two)))
    p.then(FindWars(seat=move.seat))
