"""Monuments: four tiles of a colour in a square may be turned face down."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events.monuments import MonumentBuilt, MonumentDeclined
from domain.games.tigris_euphrates.rules.leaders import exile
from domain.games.tigris_euphrates.state.steps import FindSquares, OfferMonument
from domain.games.tigris_euphrates.state.table import State


def find_squares(p: Play[State], step: FindSquares) -> None:
    """Offer a monument if the tile just placed completed a square: TE-12.1, TE-12.6."""
    cell = p.state.board.number[step.at]
    tile = p.state.cells[cell]
    squares = complete_squares(p.state, cell)
    if squares and available(p.state, tile - 1):
        p.then(OfferMonument((step.seat,), color=board.COLORS[tile - 1], squares=squares))


def complete_squares(state: State, cell: int) -> tuple[board.Cell, ...]:
    """The squares of face-up tiles of one colour with this cell: TE-12.1."""
    cells, tile = state.cells, state.cells[cell]
    if not board.EMPTY < tile < board.FACE_DOWN:
        return ()  # a war may have removed the tile
    return tuple(
        [
            state.board.names[one]
            for one, two, three, four in state.board.squares[cell]
            if tile == cells[one] == cells[two] == cells[three] == cells[four]
        ]
    )


def available(state: State, color: int) -> list[int]:
    """The unbuilt monuments with this colour: TE-1.5, TE-12.1, TE-12.2."""
    return [
        monument
        for monument, colors in enumerate(board.MONUMENT_COLORS)
        if color in colors and state.monuments[monument] == board.OFF
    ]


def choices(state: State, offer: OfferMonument, seat: Seat) -> list[moves.BuildMonument]:
    """Each monument of the colour on each square: TE-12.2."""
    pairs = (
        board.MONUMENTS[number] for number in available(state, board.COLOR_NUMBER[offer.color])
    )
    return [moves.BuildMonument(seat, pair, at) for pair in pairs for at in offer.squares]


def check_choice(state: State, offer: OfferMonument, move: moves.BuildMonument) -> None:
    """Refuse another square, or a monument that does not fit it: TE-12.2."""
    color = Sentence(f"color_{offer.color}")
    if move.at not in offer.squares:
        raise RuleBroken("TE-12.2", "not_a_square", color=color, at=move.at)
    if board.MONUMENTS.index(move.monument) not in available(
        state, board.COLOR_NUMBER[offer.color]
    ):
        monument = Sentence(f"monument_{move.monument}")
        raise RuleBroken("TE-12.2", "monument_not_available", monument=monument, color=color)


def build(p: Play[State], offer: OfferMonument, move: moves.BuildMonument) -> None:
    """Turn the tiles of a square face down and build a monument: TE-12.3, TE-1.6, TE-12.4."""
    names, number = p.state.board.names, p.state.board.number
    square = p.state.board.square(number[move.at])
    assert square is not None, "a square was completed there"
    one, two, three, four = (names[part] for part in square)
    p.emit(MonumentBuilt(move.seat, move.monument, offer.color, (one, two, three, four)))
    exile(p)


def decline(p: Play[State], _offer: OfferMonument, move: moves.DeclineMonument) -> None:
    """Build nothing: TE-12.2."""
    p.emit(MonumentDeclined(move.seat))


def paying(state: State) -> list[tuple[int, int, int]]:
    """Each monument in a kingdom, the kingdom's number, each colour: TE-14.1."""
    bits, kingdoms = state.board.bits, state.kingdoms
    return [
        (monument, number, color)
        for monument, at in enumerate(state.monuments)
        if at != board.OFF
        for number, kingdom in enumerate(kingdoms)
        if kingdom.cells & bits[at]
        for color in board.MONUMENT_COLORS[monument]
    ]
