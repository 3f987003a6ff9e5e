"""The positions from which a match can start."""

from __future__ import annotations

from itertools import product

from domain.engine.errors import require
from domain.engine.starting.starts import require_beginning, require_going_on
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules.ends import are_pieces_exhausted, reason_to_end
from domain.games.hansa_teutonica.scoring import is_connected
from domain.games.hansa_teutonica.state import steps, table
from domain.games.hansa_teutonica.state.table import State

PIECES = (board.TRADERS - board.ON_TRACK, board.MERCHANTS)
"""How many traders and merchants each seat has."""


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here, with the pieces of the box: HT-3.2, HT-9.1,
    HT-9.5.
    """
    reason = state.ended or reason_to_end(state) or (are_pieces_exhausted(state) and "pieces")
    require(not reason, f"The game is over here ({reason}). A position begins before its end.")
    require_going_on(state)
    _check_beginning(state)
    for seat, (piece, total) in product(range(state.seats), enumerate(PIECES)):
        count = state.count_pieces(seat, piece)
        pieces = f"{count} {board.PIECES[piece]}s instead of {total}, those on the desk included"
        require(count == total, f"Seat {seat} has {pieces}.")
    for number, most in enumerate(state.setup.markers):
        few = state.count_markers(number) <= most
        require(few, f"There are only {most} markers {board.MARKERS[number]}.")
    _check_places(state)


def _check_beginning(state: State) -> None:
    """Refuse all but the beginning of a turn, and the choice of the first province: HT-3.1, HT-3.2,
    HT-11.3.
    """
    seat, next_ = state.active, (state.active + 1) % state.seats
    begins = state.agenda == [steps.Turn((seat,))]
    pawn = state.agenda == [steps.NextTurn(seat=seat), steps.PlacePawn((next_,))]
    pending = type(state.agenda[-1]).__name__
    require_beginning(begins or pawn, f"leave out what is `pending`, {pending}")
    chosen = bool(state.board.provinces and begins)
    rule = "`pawn` is a province with two players that is not chosen next, and null otherwise"
    require_beginning((state.pawn is not None) == chosen, rule)
    actions = state.value(seat, board.ACTIONS) if begins else 0
    rule = f"seat {seat} has {actions} `actions` then, not {state.actions}"
    require_beginning(state.actions == actions, rule)


def _check_places(state: State) -> None:
    """Refuse traders in posts for merchants, offices of other shapes, and other seats than those
    that have joined the red cities: HT-6.6, HT-6.13, HT-14.1.
    """
    chart, is_merchant = state.board, table.piece_of
    reserved = filter(None, (state.posts[at] for at in chart.reserved))
    require(all(map(is_merchant, reserved)), "Posts for merchants take only merchants.")
    joined = [seat for seat in range(state.seats) if is_connected(state, seat)]
    rule = f"`connected` must name the seats whose offices join the two red cities: {joined}."
    require(sorted(state.connected) == joined, rule)
    for city, span in zip(state.setup.map.cities, chart.offices, strict=True):
        row = state.offices[span.start : span.stop].rstrip(bytes([table.FREE]))
        # Offices can swap places, so only the number of each shape is certain.
        right = sum(map(is_merchant, row)) == sum(chart.shapes[span.start : span.start + len(row)])
        require(right, f"Pieces of {city.id} do not have the shapes of its offices.")
