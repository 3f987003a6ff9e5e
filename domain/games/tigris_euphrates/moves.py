"""What a player can choose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from domain.engine.play import Move, Seat
from domain.games.tigris_euphrates.board import (
    BLUE,
    COLOR_NUMBER,
    COLORS,
    EMPTY,
    FACE_DOWN,
    MONUMENT_COLORS,
    MONUMENTS,
    OFF,
    TEMPLE,
    Cell,
    Color,
    Pair,
)
from domain.games.tigris_euphrates.state import (
    AnyStep,
    ChooseTreasure,
    ChooseWar,
    OfferMonument,
    Reinforce,
    State,
    Swap,
    Turn,
)


class PlaceLeader(Move):
    """Place the leader of a colour on a cell, or move it there; TE-5.1."""

    color: Color
    at: Cell


class WithdrawLeader(Move):
    """Take the leader of a colour back from the board; TE-5.1."""

    color: Color


class PlaceTile(Move):
    """Place a tile of the hand; TE-6.1."""

    color: Color
    at: Cell


class PlaceCatastrophe(Move):
    """Place a catastrophe tile; TE-7.1."""

    at: Cell


class DiscardTile(Move):
    """Put a tile of the hand away, to draw another one for it; TE-8.1."""

    sealed: ClassVar[bool] = True

    color: Color


class DrawTiles(Move):
    """Draw as many tiles as were put away; TE-8.1."""


class Pass(Move):
    """Let an action go by; TE-3.2."""


class ChooseColor(Move):
    """Say which colour is fought over next; TE-11.3."""

    color: Color


class CommitTiles(Move):
    """Commit so many tiles to the conflict; TE-9.3."""

    count: int


class BuildMonument(Move):
    """Build this monument on the square whose top left cell this is; TE-12.2."""

    monument: Pair
    at: Cell


class DeclineMonument(Move):
    """Build none; TE-12.2."""


class LeaveTreasure(Move):
    """Take all treasures of the kingdom but this one; TE-13.2."""

    at: Cell


AnyMove = (
    PlaceLeader
    | WithdrawLeader
    | PlaceTile
    | PlaceCatastrophe
    | DiscardTile
    | DrawTiles
    | Pass
    | ChooseColor
    | CommitTiles
    | BuildMonument
    | DeclineMonument
    | LeaveTreasure
)
MOVES: tuple[type[Move], ...] = (
    PlaceLeader,
    WithdrawLeader,
    PlaceTile,
    PlaceCatastrophe,
    DiscardTile,
    DrawTiles,
    Pass,
    ChooseColor,
    CommitTiles,
    BuildMonument,
    DeclineMonument,
    LeaveTreasure,
)


def candidates(state: State, seat: Seat) -> Iterator[AnyMove]:
    """What this seat may well do in answer to the step."""
    step: AnyStep = state.agenda[-1]
    match step:
        case Turn():
            yield from _actions(state, seat)
        case Swap():
            yield from _discards(state, seat)
            yield DrawTiles(seat)
        case ChooseWar(colors=colors):
            yield from (ChooseColor(seat, color) for color in colors)
        case Reinforce(conflict=conflict):
            held = state.hands[seat][COLOR_NUMBER[conflict.support]]
            yield from (CommitTiles(seat, count) for count in range(held + 1))
        case OfferMonument(color=color, squares=squares):
            yield from _monuments(state, seat, color, squares)
            yield DeclineMonument(seat)
        case ChooseTreasure(choices=choices):
            yield from (LeaveTreasure(seat, at) for at in choices)
        case _:
            raise AssertionError(step)


def _actions(state: State, seat: Seat) -> Iterator[AnyMove]:
    """TE-3.1, TE-3.2."""
    yield from _tiles(state, seat)
    yield from _leaders(state, seat)
    yield from _catastrophes(state, seat)
    yield from _discards(state, seat)
    yield Pass(seat)


def _tiles(state: State, seat: Seat) -> Iterator[PlaceTile]:
    """TE-6.1, TE-6.2."""
    hand, river, names = state.hands[seat], state.board.river, state.board.names
    on_land = [COLORS[number] for number, count in enumerate(hand[:BLUE]) if count]
    on_river = [COLORS[BLUE]] if hand[BLUE] else []
    for cell, what in enumerate(state.cells):
        if what == EMPTY:
            for color in on_river if river[cell] else on_land:
                yield PlaceTile(seat, color, names[cell])


def _leaders(state: State, seat: Seat) -> Iterator[PlaceLeader | WithdrawLeader]:
    """TE-5.1, TE-5.2, TE-5.3."""
    cells, river, names = state.cells, state.board.river, state.board.names
    beside = {
        near
        for cell, what in enumerate(cells)
        if what == TEMPLE
        for near in state.board.neighbours[cell]
        if cells[near] == EMPTY and not river[near]
    }
    places = [names[cell] for cell in sorted(beside)]
    for number, color in enumerate(COLORS):
        if state.leaders[4 * seat + number] != OFF:
            yield WithdrawLeader(seat, color)
        yield from (PlaceLeader(seat, color, at) for at in places)


def _catastrophes(state: State, seat: Seat) -> Iterator[PlaceCatastrophe]:
    """TE-7.1."""
    if state.catastrophes[seat]:
        for cell, what in enumerate(state.cells):
            if what < FACE_DOWN and not state.treasures[cell]:
                yield PlaceCatastrophe(seat, state.board.names[cell])


def _discards(state: State, seat: Seat) -> Iterator[DiscardTile]:
    """TE-8.1."""
    for color, count in zip(COLORS, state.hands[seat], strict=True):
        if count:
            yield DiscardTile(seat, color)


def _monuments(
    state: State, seat: Seat, color: Color, squares: tuple[Cell, ...]
) -> Iterator[BuildMonument]:
    """TE-12.2."""
    number = COLOR_NUMBER[color]
    for monument, colors in enumerate(MONUMENT_COLORS):
        if number in colors and state.monuments[monument] == OFF:
            yield from (BuildMonument(seat, MONUMENTS[monument], at) for at in squares)
