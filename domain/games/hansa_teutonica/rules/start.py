"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.play import Seat
from domain.engine.starting.starts import require_beginning, require_going_on, require_unused
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules.ends import are_pieces_exhausted, reason_to_end
from domain.games.hansa_teutonica.rules.last_deed import check_last
from domain.games.hansa_teutonica.rules.offices import has_privilege
from domain.games.hansa_teutonica.scoring import is_connected
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.table import (
    FREE,
    KINDS,
    ROWS,
    State,
    blank,
    code_of,
    owner_of,
    piece_of,
)

IN_A_TURN = ("acted", "closed", "fresh", "passes", "pawn_moved")


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: HT-3.2, HT-6.10,
    HT-6.13, HT-8.8, HT-9.1, HT-9.5.
    """
    reason = state.ended or reason_to_end(state) or (are_pieces_exhausted(state) and "pieces")
    require(not reason, f"The game is over here ({reason}). A position begins before its end.")
    require_going_on(state)
    for at, level in enumerate(state.levels):
        most = board.COMPLETE[at % ROWS]
        require(level <= most, f"{board.ABILITIES[at % ROWS]} can be improved {most} times.")
    _check_beginning(state)
    if state.last is not None:
        check_last(state, state.last)
    for seat in range(state.seats):
        _check_pieces(state, seat)
    _check_markers(state)
    _check_offices(state)
    for seat in state.connected:
        joined = is_connected(state, seat)
        require(joined, f"No offices of seat {seat}, which is `connected`, join the red cities.")
    for code, colour in zip(state.special, state.board.prize_colours, strict=True):
        right = code == FREE or (piece_of(code) and has_privilege(state, owner_of(code), colour))
        require(bool(right), "`special` takes merchants of seats that uncovered its colour.")


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
    require_unused(state, blank(state.setup, state.seats), IN_A_TURN)


def _check_pieces(state: State, seat: Seat) -> None:
    """Refuse too many and too few pieces: HT-1.6."""
    desk = [0, 0]
    for number, covered in enumerate(board.COVERED_BY):
        desk[covered] += board.COMPLETE[number] - state.level(seat, number)
    places = (state.posts, state.offices, state.special, b"".join(state.extras))
    for piece, total in enumerate((board.TRADERS - board.ON_TRACK, board.MERCHANTS)):
        code = code_of(seat, piece)
        count = desk[piece] + state.supply[code] + state.stock[code]
        count += sum(place.count(code) for place in places)
        pieces = f"{count} {board.PIECES[piece]}s instead of {total}, those on the desk included"
        require(count == total, f"Seat {seat} has {pieces}.")


def _check_markers(state: State) -> None:
    """Refuse more than the box holds, and any where none can lie: HT-1.7, HT-8.8, HT-14.4."""
    bare = any(state.markers[route] for route in state.board.bare)
    require(not bare, "No marker can lie on a route without a place for one.")
    for number, most in enumerate(state.setup.markers):
        few = state.count_markers(number) <= most
        require(few, f"There are only {most} markers {board.MARKERS[number]}.")


def _check_offices(state: State) -> None:
    """Refuse posts and offices of the wrong shape, and extra offices without markers: HT-6.6,
    HT-8.3, HT-8.4, HT-14.1, HT-14.8, HT-14.10.
    """
    chart = state.board
    traders = any(state.posts[at] and not piece_of(state.posts[at]) for at in chart.reserved)
    require(not traders, "Only merchants can stand on posts for merchants.")
    for number, (city, span) in enumerate(zip(state.setup.map.cities, chart.offices, strict=True)):
        row = [code for code in state.offices[span.start : span.stop] if code != FREE]
        left = FREE not in state.offices[span.start : span.start + len(row)]
        require(left, f"Offices of {city.id} must be filled from the left.")
        # Offices can swap places, so only the number of each shape is certain.
        right = sum(map(piece_of, row)) == sum(chart.shapes[span.start : span.start + len(row)])
        require(right, f"Pieces of {city.id} do not have the shapes of its offices.")
        alone = state.extras[number] and not (row or number in chart.green)
        require(not alone, f"{city.id} has `extra` offices without another office.")
    # A marker that is nowhere may have been used. A bonus also opens offices in green cities.
    by_bonus = chart.green if "office_in_green_city" in chart.bonuses.values() else ()
    extras = [extra for city, extra in enumerate(state.extras) if city not in by_bonus]
    owners = [owner_of(code) for code in b"".join(extras)]
    kind = board.MARKER_NUMBER["extra_office"]
    used = state.used[kind::KINDS]
    more = sum(max(0, owners.count(seat) - count) for seat, count in enumerate(used))
    enough = more <= state.setup.markers[kind] - state.count_markers(kind)
    require(enough, "There are more `extra` offices than used markers extra_office.")
