"""Pieces and cards of a position, put on an empty table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec

from domain.engine.errors import BadPosition
from domain.engine.play import Seat
from domain.games.chang_cheng.board import CARDS, CELL_NUMBER, CHINA_NUMBER
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.table import State


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece on its cells, as JSON; a seat of null is the neutral colour."""

    cells: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=2)]
    seat: Seat | None
    kind: table.Kind = "single"
    ruin: bool = False


def put_pieces(state: State, pieces: Iterable[Piece]) -> None:
    """Put pieces of the box on empty cells, no two towers adjacent: CC-1.3, CC-5.1, CC-5.3."""
    for piece in pieces:
        _put_piece(state, piece)
    towers = [cell for cell in state.wall.cells if state.kinds[cell] == table.TOWER]
    if any(other in towers for cell in towers for other in state.beside(cell)):
        raise BadPosition("Two towers stand next to each other.")


def put_reservations(state: State, reserved: dict[str, tuple[str, ...]]) -> None:
    """Put down what each seat reserves, which lies beside its tower: CC-5.4."""
    for sign, names in reserved.items():
        if sign not in {str(seat) for seat in range(state.seats)}:
            raise BadPosition(f"`reserved` names seat {sign!r}, which does not exist.")
        seat = int(sign)
        own = [c for c in state.wall.cells if _is_tower(state, c, seat + 1)]
        beside = {other for cell in own for other in state.beside(cell)}
        cells = tuple(_cell(state, name) for name in names)
        if len(set(cells)) != len(cells) or not set(cells) <= beside:
            raise BadPosition(f"`reserved` must name cells beside the tower of seat {seat}.")
        state.reserved[seat] = cells


def put_cards(
    state: State,
    laid: tuple[table.Card, ...],
    hands: tuple[tuple[int, ...], ...] | None,
    tally: table.Tally | None,
) -> None:
    """Put each card in a region, or in a hand, or out of the game: CC-1.3, CC-4.2."""
    away = [0] * state.seats
    for card in (*laid, *(tally.waiting if tally else ())):
        _check_card(state, card)
        if away[card.seat] >> card.number & 1:
            raise BadPosition(f"Seat {card.seat} has only one card {card.number}.")
        away[card.seat] |= 1 << card.number
    state.laid = laid
    state.hands = bytearray(table.FULL_HAND & ~bits for bits in away)
    if hands is not None:
        _put_hands(state, hands, away)


def _put_piece(state: State, piece: Piece) -> None:
    if piece.seat is not None and not 0 <= piece.seat < state.seats:
        raise BadPosition(f"A piece belongs to seat {piece.seat}, which does not exist.")
    colour = table.NEUTRAL if piece.seat is None else piece.seat + 1
    cells = [_cell(state, name) for name in piece.cells]
    _check_shape(state, piece, cells)
    supply = {"single": state.singles, "double": state.doubles, "tower": state.towers}[piece.kind]
    if not supply[colour]:
        raise BadPosition(f"`pieces` has too many of the kind {piece.kind} for {piece.seat}.")
    supply[colour] -= 1
    for cell in cells:
        if state.cells[cell]:
            raise BadPosition("Two pieces are on the same cell.")
        content = colour + table.RUINED * piece.ruin
        state.build(cell, content, table.KINDS.index(piece.kind) + table.SINGLE)


def _check_shape(state: State, piece: Piece, cells: list[int]) -> None:
    """Refuse a double that is not on two adjacent cells, and ruins of it: CC-4.4, CC-7.4."""
    if len(cells) != (2 if piece.kind == "double" else 1):
        raise BadPosition("A double has two cells, any other piece one.")
    if piece.kind == "double" and cells[1] not in state.beside(cells[0]):
        raise BadPosition(f"The double on {' and '.join(piece.cells)} has a gap.")
    if piece.ruin and piece.kind != "single":
        raise BadPosition("Only a single can be a ruin.")


def _cell(state: State, name: str) -> int:
    cell = CELL_NUMBER.get(name)
    if cell is None or cell not in state.wall.cells:
        raise BadPosition(f"There is no cell {name!r} on the boards in play.")
    return cell


def _is_tower(state: State, cell: int, colour: int) -> bool:
    return state.kinds[cell] == table.TOWER and state.cells[cell] == colour


def _check_card(state: State, card: table.Card) -> None:
    if not 0 <= card.seat < state.seats or card.number not in CARDS:
        raise BadPosition(f"There is no card {card.number} of seat {card.seat}.")
    if CHINA_NUMBER.get(card.region) not in state.wall.china:
        raise BadPosition(f"There is no Chinese region {card.region!r} in play.")


def _put_hands(state: State, hands: tuple[tuple[int, ...], ...], away: list[int]) -> None:
    if len(hands) != state.seats:
        raise BadPosition("`hands` must have one hand for each seat.")
    for seat, hand in enumerate(hands):
        if len(set(hand)) != len(hand) or not set(hand) <= set(CARDS):
            raise BadPosition(f"The hand of seat {seat} must hold different cards from 1 to 6.")
        bits = sum(1 << number for number in hand)
        if bits & away[seat]:
            raise BadPosition(f"A card of seat {seat} is in the hand and on the board.")
        state.hands[seat] = bits
