"""The emperor, and a longer wall."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.dice import draw
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.chang_cheng.board import BOARD_NUMBER, BOARDS, EMPERORS, REGIONS, BoardName
from domain.games.chang_cheng.events.course import BoardAdded, EmperorPlaced, TilesPlaced
from domain.games.chang_cheng.moves import ExtendWall
from domain.games.chang_cheng.places import board_name
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.steps import Extend
from domain.games.chang_cheng.state.table import State


def place(p: Play[State], seat: Seat, region: str) -> None:
    """Put an emperor card on a region; the third extends the wall: CC-8.1, CC-8.2, CC-8.4."""
    if not table.emperors_left(p.state):
        return
    p.emit(EmperorPlaced(seat, region))
    if len(p.state.emperors) == EMPERORS and p.state.extensions:
        p.then(Extend((seat,)))


def boards(state: State, _step: Extend, seat: Seat) -> Iterator[ExtendWall]:
    """Each board of the reserve, at each end: CC-8.2."""
    for board in table.reserve(state):
        yield ExtendWall(seat, BOARDS[board], "left")
        yield ExtendWall(seat, BOARDS[board], "right")


def check_board(state: State, _step: Extend, move: ExtendWall) -> None:
    """Refuse a board that is in play: CC-8.2."""
    if BOARD_NUMBER[move.board] not in table.reserve(state):
        raise RuleBroken("CC-8.2", "not_in_reserve", board=board_name(move.board))


def extend(p: Play[State], _step: Extend, move: ExtendWall) -> None:
    """Add a board, with tiles for its regions, and take the emperor cards back: CC-8.2, CC-8.3."""
    row = [BOARDS[board] for board in p.state.wall.row]
    longer = [move.board, *row] if move.side == "left" else [*row, move.board]
    p.emit(BoardAdded(move.seat, move.board, tuple(longer)))
    place_tiles(p, move.board, "CC-8.3")


def place_tiles(p: Play[State], board: BoardName, rule: str) -> None:
    """Draw a prestige and a threat tile for each two regions of a board, by this rule."""
    prestige, threats = table.prestige_left(p.state), table.threats_left(p.state)
    p.emit(
        TilesPlaced(
            board,
            tuple(draw(p.dice, prestige) for _ in range(REGIONS)),
            tuple(draw(p.dice, threats) for _ in range(REGIONS)),
            rule,
        )
    )
