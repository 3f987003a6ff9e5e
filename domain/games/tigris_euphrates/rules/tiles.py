"""Tiles: where they go, who gets a point for them, and when they unite kingdoms."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.telling import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events.pieces import KingdomsUnited, TilePlaced, TileScored
from domain.games.tigris_euphrates.rules.cells import cell_of, check_empty
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.regions import Regions
from domain.games.tigris_euphrates.state.steps import FindSquares, FindWars, Turn
from domain.games.tigris_euphrates.state.table import State

FARM = board.COLORS[board.BLUE]
"""The only colour that lies on river: TE-6.2."""


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceTile]:
    """Each colour in the hand on each empty cell of its kind: TE-6.1, TE-6.2."""
    hand, river, names = state.hands[seat], state.board.river, state.board.names
    held = [color for color, count in zip(board.COLORS, hand, strict=True) if count]
    on_land = [color for color in held if color != FARM]
    on_river = [color for color in held if color == FARM]
    return [
        moves.PlaceTile(seat, color, names[cell])
        for cell, what in enumerate(state.cells)
        if what == board.EMPTY
        for color in (on_river if river[cell] else on_land)
    ]


def check_place(state: State, _turn: Turn, move: moves.PlaceTile) -> None:
    """Refuse a tile that is not in hand or cannot go there: TE-6.1, TE-6.2, TE-6.3."""
    cell = cell_of(state, move.at)
    check_held(state, move.seat, move.color, "TE-6.1")
    check_empty(state, cell, "TE-6.1")
    farm, river = move.color == FARM, state.board.river[cell]
    if farm and not river:
        raise RuleBroken("TE-6.2", "farm_only_on_river", at=move.at)
    if river and not farm:
        raise RuleBroken("TE-6.2", "river_only_farms", at=move.at)
    if len(state.touched(cell)) > 2:
        raise RuleBroken("TE-6.3", "unites_three_kingdoms", at=move.at)


def check_held(state: State, seat: Seat, color: board.Color, rule: str) -> None:
    """Refuse a tile that is not in the hand, by this rule: TE-1.3."""
    if not state.hands[seat][board.COLOR_NUMBER[color]]:
        raise RuleBroken(rule, "tile_not_in_hand", tile=Sentence(f"tile_{color}"))


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceTile) -> None:
    """Place a tile, with what comes of it: TE-3.3, TE-4.1, TE-6.4, TE-6.6, TE-6.7."""
    before = p.state.regions()  # what it touches is seen as it was before the tile lay there
    touched = sorted(p.state.touched(p.state.board.number[move.at]))
    p.emit(TilePlaced(move.seat, move.color, move.at))
    p.then(FindSquares(seat=move.seat, at=move.at))
    if len(touched) == 1:
        _score(p, move, before.kingdoms[touched[0]])
    elif len(touched) == 2:
        _unite(p, move, before, touched)


def _score(p: Play[State], move: moves.PlaceTile, leaders: list[int]) -> None:
    """Give a point to the leader of the colour, or to the king in its place: TE-6.5."""
    for color in (board.COLOR_NUMBER[move.color], board.BLACK):
        for leader in leaders:
            if leader % 4 == color:
                p.emit(TileScored(leader // 4, move.color, move.at, board.COLORS[color]))
                return


def _unite(p: Play[State], move: moves.PlaceTile, before: Regions, touched: list[int]) -> None:
    """Put the unification tile between two kingdoms, and look for wars: TE-6.6, TE-11.1."""
    names = p.state.board.names
    one, two = (tuple(names[cell] for cell in before.cells(kingdom)) for kingdom in touched)
    p.emit(KingdomsUnited(move.seat, move.at, (one, two)))
    p.then(FindWars(seat=move.seat))
