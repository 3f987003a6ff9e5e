"""What comes of placing a leader, a tile, a catastrophe tile."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.tigris_euphrates.board import (
    BLACK,
    COLOR_NUMBER,
    COLORS,
    EMPTY,
    FACE_DOWN,
    OFF,
)
from domain.games.tigris_euphrates.events import (
    CatastrophePlaced,
    KingdomsUnited,
    LeaderExiled,
    LeaderMoved,
    LeaderPlaced,
    LeaderWithdrawn,
    TilePlaced,
    TileScored,
)
from domain.games.tigris_euphrates.moves import (
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from domain.games.tigris_euphrates.rules.revolts import revolt
from domain.games.tigris_euphrates.state import (
    FindSquares,
    FindWars,
    ServeTraders,
    State,
)


def place_leader(p: Play[State], move: PlaceLeader) -> None:
    """TE-5.1, TE-5.6"""
    home = p.state.leaders[4 * move.seat + COLOR_NUMBER[move.color]]
    if home == OFF:
        p.emit(LeaderPlaced(move.seat, move.color, move.at))
    else:
        p.emit(LeaderMoved(move.seat, move.color, p.state.board.names[home], move.at))
    p.then(ServeTraders(seat=move.seat))
    revolt(p, move)


def withdraw_leader(p: Play[State], move: WithdrawLeader) -> None:
    """TE-5.1"""
    home = p.state.leaders[4 * move.seat + COLOR_NUMBER[move.color]]
    p.emit(LeaderWithdrawn(move.seat, move.color, p.state.board.names[home]))
    p.then(ServeTraders(seat=move.seat))


def place_tile(p: Play[State], move: PlaceTile) -> None:
    """TE-3.3, TE-4.1, TE-6.4, TE-6.6, TE-6.7"""
    touched = sorted(p.state.touched(p.state.board.number[move.at]))
    before = p.state.regions()
    p.emit(TilePlaced(move.seat, move.color, move.at))
    p.then(FindSquares(seat=move.seat, at=move.at), ServeTraders(seat=move.seat))
    if len(touched) == 1:
        score_tile(p, move, before.kingdoms[touched[0]])
    elif len(touched) == 2:
        names = p.state.board.names
        one, two = (
            tuple(names[cell] for cell, region in enumerate(before.of) if region == kingdom)
            for kingdom in touched
        )
        p.emit(KingdomsUnited(move.seat, move.at, (one, two)))
        p.then(FindWars(seat=move.seat))


def score_tile(p: Play[State], move: PlaceTile, leaders: list[int]) -> None:
    """TE-6.5"""
    for color in (COLOR_NUMBER[move.color], BLACK):
        for leader in leaders:
            if leader % 4 == color:
                p.emit(TileScored(leader // 4, move.color, move.at, COLORS[color]))
                return


def place_catastrophe(p: Play[State], move: PlaceCatastrophe) -> None:
    """TE-7.2, TE-7.3"""
    what = p.state.cells[p.state.board.number[move.at]]
    covered = COLORS[what - 1] if EMPTY < what < FACE_DOWN else None
    p.emit(CatastrophePlaced(move.seat, move.at, covered))
    exile(p)
    p.then(ServeTraders(seat=move.seat))


def exile(p: Play[State]) -> None:
    """TE-5.7"""
    for leader, cell in enumerate(bytes(p.state.leaders)):
        if cell != OFF and not p.state.temples_beside(cell):
            seat, color = divmod(leader, 4)
            p.emit(LeaderExiled(seat, COLORS[color], p.state.board.names[cell]))
