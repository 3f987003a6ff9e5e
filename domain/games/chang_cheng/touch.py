"""Touches of moves: the piece, then its cell or region; or words."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.game import Json
from domain.engine.play import Move
from domain.engine.touches import (
    ImpliedMoves,
    Pointing,
    Touch,
    TouchKind,
    Way,
    as_number,
    id_of,
    kind_of,
)
from domain.games.chang_cheng import moves
from domain.games.chang_cheng.view import View

CARD = TouchKind("card", "thing", "a card of the hand, by its number")
CELL = TouchKind("cell", "thing", "a cell of the wall")
REGION = TouchKind("region", "thing", "a Chinese or a Mongol region")
WAITING = TouchKind(
    "waiting", "thing", "a card that waits in the region that is scored, by its number"
)
BOARD = TouchKind("board", "thing", "a board of the reserve, by its name")
SIDE = TouchKind("side", "thing", "the end of the wall at which a board is added: left or right")
WALL = TouchKind("wall", "part", "the wall of a board, by its name")
BUILD = TouchKind("build", "word", "a piece to build: single, double, tower or neutral")
END = TouchKind("end", "word", "leave it at one card")
CHANGE = TouchKind("change", "word", "how much more or less the region is worth")
ADD_WALL = TouchKind("add_wall", "word", "one more wall for its owner")
DECLINE = TouchKind("decline", "word", "do nothing")
KINDS = (CARD, CELL, REGION, WAITING, BOARD, SIDE, WALL, BUILD, END, CHANGE, ADD_WALL, DECLINE)


def touches(_view: View, move: Move) -> Iterator[Way]:
    """The one way to point at most moves; a double is built from either end."""
    match move:
        case moves.BuildDouble(cells=(left, right)):
            yield BUILD.of("double"), CELL.of(left), CELL.of(right)
            yield BUILD.of("double"), CELL.of(right), CELL.of(left)
        case _:
            yield _building(move) or _card_use(move) or _choice(move)


def within(_view: View, touch: Touch) -> Touch | None:
    """The board of a cell."""
    return WALL.of(id_of(touch).partition(":")[0]) if kind_of(touch) == CELL.kind else None


def _building(move: Move) -> Way | None:
    """What is built, and where."""
    match move:
        case moves.BuildSingle(cell=cell):
            return BUILD.of("single"), CELL.of(cell)
        case moves.BuildTower(cell=cell):
            return BUILD.of("tower"), CELL.of(cell)
        case moves.BuildNeutral(cell=cell):
            return BUILD.of("neutral"), CELL.of(cell)
        case _:
            return None


def _card_use(move: Move) -> Way | None:
    """What a card does, and to what."""
    match move:
        case moves.StrikeCard(number=number):
            return (WAITING.of(number),)
        case moves.DestroyWall(cell=cell):
            return (CELL.of(cell),)
        case moves.RemoveThreat(region=region):
            return (REGION.of(region),)
        case moves.SwapWalls(cells=(one, other)):
            return CELL.of(one), CELL.of(other)
        case moves.ChangeValue(change=change):
            return (CHANGE.of(change),)
        case _:
            return None


def _choice(move: Move) -> Way:
    """All others."""
    match move:
        case moves.LayCard(region=region, number=number):
            return CARD.of(number), REGION.of(region)
        case moves.ScoreFirst(region=region):
            return (REGION.of(region),)
        case moves.ExtendWall(board=board, side=side):
            return BOARD.of(board), SIDE.of(side)
        case _:
            return (_WORDS[type(move)].of(),)


_WORDS: dict[type[Move], TouchKind] = {
    moves.EndAction: END,
    moves.AddWall: ADD_WALL,
    moves.DeclineCard: DECLINE,
    moves.DeclineNeutral: DECLINE,
}


def _built(_view: View, piece: str, cell: str) -> Iterator[Json]:
    """A piece that begins in a cell; a double lies in that beside it as well."""
    if piece == "double":
        board, _, place = cell.partition(":")
        at = as_number(place)
        cells = (at - 1, at, at + 1) if isinstance(at, int) else ()
        yield from (_double(f"{board}:{left}", f"{board}:{left + 1}") for left in cells[:2])
    else:
        yield {"type": f"Build{piece.capitalize()}", "cell": cell}


def _at_cell(view: View, cell: str) -> Iterator[Json]:
    """Each piece that begins in a cell, or its wall, which a card destroys."""
    for piece in ("single", "double", "tower", "neutral"):
        yield from _built(view, piece, cell)
    yield {"type": "DestroyWall", "cell": cell}


def _double(one: str, other: str) -> Json:
    return {"type": "BuildDouble", "cells": [one, other]}


def _in_region(view: View, region: str) -> Iterator[Json]:
    """What can happen to a region, and each card of the viewer in it."""
    yield {"type": "ScoreFirst", "region": region}
    yield {"type": "RemoveThreat", "region": region}
    if view.seat is not None:
        for number in view.cards_in_hand[view.seat] or ():
            yield _card(number, region)


def _card(number: int | str, region: str) -> Json:
    return {"type": "LayCard", "region": region, "number": number}


def _card_at(view: View, card: str, cell: str) -> Iterator[Json]:
    """A card in the Chinese region of a cell."""
    regions = (one.china for one in view.wall if one.name == cell)
    return (_card(as_number(card), region) for region in regions)


IMPLIED_MOVES: ImpliedMoves = {
    ("build", "cell"): _built,
    ("build", "cell", "cell"): lambda _view, _, one, other: [_double(one, other)],
    ("card", "region"): lambda _view, card, region: [_card(as_number(card), region)],
    ("card", "cell"): _card_at,
    ("region",): _in_region,
    ("waiting",): lambda _view, card: [{"type": "StrikeCard", "number": as_number(card)}],
    ("cell",): _at_cell,
    ("cell", "cell"): lambda _view, *cells: [{"type": "SwapWalls", "cells": cells}],
    ("board", "side"): lambda _view, board, side: [
        {"type": "ExtendWall", "board": board, "side": side}
    ],
}
"""The moves that a piece, a cell, a card and a region imply, legal or not."""
POINTING = Pointing(touches=touches, kinds=KINDS, part_of=within, implied_moves=IMPLIED_MOVES)
