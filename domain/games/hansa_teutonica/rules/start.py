"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.play import Seat
from domain.engine.starting.starts import require_beginning, require_going_on, require_unused
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules.ends import are_pieces_exhausted, reason_to_end
from domain.games.hansa_teutonica.state import steps, table
from domain.games.hansa_teutonica.state.table import State

IN_A_TURN = ("acted", "closed", "fresh", "passes", "pawn_moved")


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here, with the pieces of the box: HT-3.2, HT-9.1,
    HT-9.5.
    """
    reason = state.ended or reason_to_end(state) or (are_pieces_exhausted(state) and "pieces")
    require(not reason, f"The game is over here ({reason}). A position begins before its end.")
    require_going_on(state)
    for at, level in enumerate(state.levels):
        most = board.COMPLETE[at % table.ROWS]
        require(level <= most, f"{board.ABILITIES[at % table.ROWS]} can be improved {most} times.")
    _check_beginning(state)
    for seat in range(state.seats):
        _check_pieces(state, seat)
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
    require_unused(state, table.blank(state.setup, state.seats), IN_A_TURN)


def _check_pieces(state: State, seat: Seat) -> None:
    """Refuse too many and too few pieces: HT-1.6."""
    desk = [0, 0]
    for number, covered in enumerate(board.COVERED_BY):
        desk[covered] += board.COMPLETE[number] - state.level(seat, number)
    places = (state.posts, state.offices, state.special, b"".join(state.extras))
    for piece, total in enumerate((board.TRADERS - board.ON_TRACK, board.MERCHANTS)):
        code = table.code_of(seat, piece)
        count = desk[piece] + state.supply[code] + state.stock[code]
        count += sum(place.count(code) for place in places)
        pieces = f"{count} {board.PIECES[piece]}s instead of {total}, those on the desk included"
        require(count == total, f"Seat {seat} has {pieces}.")


def _check_places(state: State) -> None:
    """Refuse markers and pieces where they cannot lie, and gaps in offices: HT-6.6, HT-6.13,
    HT-8.4, HT-8.8, HT-14.1.
    """
    chart, is_merchant = state.board, table.piece_of
    bare = any(state.markers[route] for route in chart.bare)
    require(not bare, "No marker can lie on a route without a place for one.")
    reserved = [state.posts[at] for at in chart.reserved]
    right = all(map(is_merchant, filter(None, (*reserved, *state.special))))
    require(right, "Posts for merchants, and `special`, take only merchants.")
    for city, span in zip(state.setup.map.cities, chart.offices, strict=True):
        offices = state.offices[span.start : span.stop]
        row = offices.rstrip(bytes([table.FREE]))
        require(table.FREE not in row, f"Offices of {city.id} must be filled from the left.")
        # Offices can swap places, so only the number of each shape is certain.
        right = sum(map(is_merchant, row)) == sum(chart.shapes[span.start : span.start + len(row)])
        require(right, f"Pieces of {city.id} do not have the shapes of its offices.")
