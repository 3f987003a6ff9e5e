"""Touches of moves: the leader or the tile, then the cell; or words."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.game import Json
from domain.engine.play import Move
from domain.engine.touches import ImpliedMoves, Pointing, Touch, TouchKind, Way, id_of, kind_of
from domain.games.tigris_euphrates import moves
from domain.games.tigris_euphrates.board import (
    COLOR_NUMBER,
    COLORS,
    LEADER_NAMES,
    TILE_NAMES,
    Color,
)
from domain.games.tigris_euphrates.view import View

LEADER = TouchKind("leader", "thing", "one of the viewer's leaders, on the board or off it")
TILE = TouchKind("tile", "thing", "a tile of the hand")
CATASTROPHE = TouchKind("catastrophe", "thing", "a catastrophe tile of the viewer")
MONUMENT = TouchKind("monument", "thing", "a monument that is not built, by its colours")
CELL = TouchKind("cell", "thing", "a cell of the board; of a square its top left one")
ROW = TouchKind("row", "part", "the cells of a row, by its number")
WITHDRAW = TouchKind("withdraw", "word", "take the leader back from the board")
DISCARD = TouchKind("discard", "word", "put tiles away, to draw others for them")
DRAW = TouchKind("draw", "word", "draw as many tiles as were put away")
PASS = TouchKind("pass", "word", "let an action go by")
WAR = TouchKind("war", "word", "the war that is fought next, by its leaders")
COMMIT = TouchKind("commit", "word", "how many tiles are committed to the conflict")
DECLINE = TouchKind("decline", "word", "build no monument")
KINDS = (
    LEADER,
    TILE,
    CATASTROPHE,
    MONUMENT,
    CELL,
    ROW,
    WITHDRAW,
    DISCARD,
    DRAW,
    PASS,
    WAR,
    COMMIT,
    DECLINE,
)
OF_TILE = dict(zip(TILE_NAMES, COLORS, strict=True))
OF_LEADER = dict(zip(LEADER_NAMES, COLORS, strict=True))


def leader(color: Color) -> Touch:
    """The touch of the viewer's leader of a colour."""
    return LEADER.of(LEADER_NAMES[COLOR_NUMBER[color]])


def tile(color: Color) -> Touch:
    """The touch of a tile of a colour."""
    return TILE.of(TILE_NAMES[COLOR_NUMBER[color]])


def touches(_view: View, move: Move) -> Iterator[Way]:
    """The touches of a move. A swap begins with a tile, or with the word that offers it."""
    way = _pieces(move) or _choices(move)
    yield way
    if isinstance(move, moves.DiscardTile):
        yield way[::-1]


def within(_view: View, touch: Touch) -> Touch | None:
    """The row that holds a cell."""
    return ROW.of(id_of(touch)[1:]) if kind_of(touch) == CELL.kind else None


def _pieces(move: Move) -> Way | None:
    """Touches that begin with a piece of the viewer."""
    match move:
        case moves.PlaceLeader(color=color, at=at):
            return leader(color), CELL.of(at)
        case moves.WithdrawLeader(color=color):
            return leader(color), WITHDRAW.of()
        case moves.PlaceTile(color=color, at=at):
            return tile(color), CELL.of(at)
        case moves.DiscardTile(color=color):
            return tile(color), DISCARD.of()
        case moves.PlaceCatastrophe(at=at):
            return CATASTROPHE.of(), CELL.of(at)
        case _:
            return None


def _choices(move: Move) -> Way:
    """All other touches."""
    match move:
        case moves.BuildMonument(monument=monument, at=at):
            return MONUMENT.of(monument), CELL.of(at)
        case moves.LeaveTreasure(at=at):
            return (CELL.of(at),)
        case moves.ChooseColor(color=color):
            return (WAR.of(LEADER_NAMES[COLOR_NUMBER[color]]),)
        case moves.CommitTiles(count=count):
            return (COMMIT.of(count),)
        case _:
            return (_WORDS[type(move)].of(),)


def _placing(kind: str, color: str | None, at: str) -> Iterator[Json]:
    """A tile or a leader to be placed; without a colour if there is no such piece."""
    yield {"type": kind, "color": color, "at": at}


_WORDS: dict[type[Move], TouchKind] = {
    moves.DrawTiles: DRAW,
    moves.Pass: PASS,
    moves.DeclineMonument: DECLINE,
}
IMPLIED_MOVES: ImpliedMoves = {
    ("tile", "cell"): lambda _view, name, at: _placing("PlaceTile", OF_TILE.get(name), at),
    ("leader", "cell"): lambda _view, name, at: _placing("PlaceLeader", OF_LEADER.get(name), at),
    ("catastrophe", "cell"): lambda _view, _, at: [{"type": "PlaceCatastrophe", "at": at}],
    ("monument", "cell"): lambda _view, pair, at: [
        {"type": "BuildMonument", "monument": pair, "at": at}
    ],
    ("cell",): lambda _view, at: [{"type": "LeaveTreasure", "at": at}],
    ("leader", "withdraw"): lambda _view, name, _: [
        {"type": "WithdrawLeader", "color": OF_LEADER.get(name)}
    ],
}
"""The moves that a piece and a cell imply, legal or not."""
POINTING = Pointing(touches=touches, kinds=KINDS, part_of=within, implied_moves=IMPLIED_MOVES)
