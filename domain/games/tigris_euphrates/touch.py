"""How moves are pointed at: the leader or the tile, then the cell; or words."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.game import Json, Meant
from domain.engine.play import Move
from domain.engine.touches import Kind, Touch, Way, kind_of, which
from domain.games.tigris_euphrates import moves
from domain.games.tigris_euphrates.board import (
    COLOR_NUMBER,
    COLORS,
    LEADER_NAMES,
    TILE_NAMES,
    Color,
)
from domain.games.tigris_euphrates.view import View

LEADER = Kind("leader", "thing", "one of the viewer's leaders, on the board or off it")
TILE = Kind("tile", "thing", "a tile of the hand")
CATASTROPHE = Kind("catastrophe", "thing", "a catastrophe tile of the viewer")
MONUMENT = Kind("monument", "thing", "a monument that is not built, by its colours")
CELL = Kind("cell", "thing", "a cell of the board; of a square its top left one")
ROW = Kind("row", "part", "the cells of a row, by its number")
WITHDRAW = Kind("withdraw", "word", "take the leader back from the board")
DISCARD = Kind("discard", "word", "put the tile away, to draw another one for it")
DRAW = Kind("draw", "word", "draw as many tiles as were put away")
PASS = Kind("pass", "word", "let an action go by")
WAR = Kind("war", "word", "the war that is fought next, by its leaders")
COMMIT = Kind("commit", "word", "how many tiles are committed to the conflict")
DECLINE = Kind("decline", "word", "build no monument")
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
    """The name of the viewer's leader of a colour."""
    return LEADER.of(LEADER_NAMES[COLOR_NUMBER[color]])


def tile(color: Color) -> Touch:
    """The name of a tile of a colour."""
    return TILE.of(TILE_NAMES[COLOR_NUMBER[color]])


def touches(_view: View, move: Move) -> Iterator[Way]:
    """The one way to point at a move."""
    yield _pieces(move) or _choices(move)


def within(_view: View, touch: Touch) -> Touch | None:
    """The row of a cell."""
    return ROW.of(which(touch)[1:]) if kind_of(touch) == CELL.kind else None


def _pieces(move: Move) -> Way | None:
    """The ways that begin with a piece of the viewer."""
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
    """All others."""
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
    """A tile or a leader that is placed; of no colour if there is no such piece."""
    yield {"type": kind, "color": color, "at": at}


_WORDS: dict[type[Move], Kind] = {
    moves.DrawTiles: DRAW,
    moves.Pass: PASS,
    moves.DeclineMonument: DECLINE,
}
MEANT: Meant = {
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
"""What is meant by a piece and a cell, wherever this is."""
