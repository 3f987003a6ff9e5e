"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules.ends import are_pieces_exhausted, reason_to_end
from domain.games.hansa_teutonica.rules.offices import has_privilege
from domain.games.hansa_teutonica.scoring import is_connected
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.table import FREE, KINDS, State, owner_of, piece_of


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: HT-3.2, HT-6.10,
    HT-6.13, HT-8.8, HT-9.1, HT-9.5.
    """
    reason = state.ended or reason_to_end(state) or (are_pieces_exhausted(state) and "pieces")
    require(not reason, f"The game is over here ({reason}). A position begins before its end.")
    if fault := _fault_of_beginning(state):
        raise BadPosition(
            f"A position begins where a turn begins: {fault}."
            " To go on from the middle of a turn, fork a match."
        )
    markers = sum(marker > 0 for marker in state.markers)
    require(markers <= board.ON_BOARD, f"At most {board.ON_BOARD} markers can lie on the board.")
    for seat in state.connected:
        joined = is_connected(state, seat)
        require(joined, f"No offices of seat {seat}, which is `connected`, join the red cities.")
    for code, colour in zip(state.special, state.board.prize_colours, strict=True):
        right = code == FREE or has_privilege(state, owner_of(code), colour)
        require(right, "A seat on `special` must have uncovered the colour of its space.")
    _check_offices(state)


def _fault_of_beginning(state: State) -> str:
    """What differs from the beginning of a turn, or from the choice of the first province; empty
    if nothing does: HT-3.1, HT-3.2, HT-11.3.
    """
    seat = state.active
    turn = [steps.Turn((seat,))]
    pawn = [steps.NextTurn(seat=seat), steps.PlacePawn(((seat + 1) % state.seats,))]
    if state.agenda not in (turn, pawn):
        return f"leave out what is `pending`, {type(state.agenda[-1]).__name__}"
    actions = state.value(seat, board.ACTIONS) if state.agenda == turn else 0
    if state.actions != actions:
        return f"seat {seat} has {actions} `actions` then, not {state.actions}"
    traces = {
        "acted": state.acted,
        "closed": state.closed,
        "fresh": any(state.fresh),
        "passes": state.passes,
        "pawn_moved": state.pawn_moved,
    }
    used = [f"`{name}`" for name, trace in traces.items() if trace]
    return f"leave out {', '.join(used)}" if used else ""


def _check_offices(state: State) -> None:
    """Refuse offices of the wrong shape, and extra ones without markers: HT-6.6, HT-8.3, HT-8.4,
    HT-14.8.
    """
    chart = state.board
    for city, span in zip(state.setup.map.cities, chart.offices, strict=True):
        row = [code for code in state.offices[span.start : span.stop] if code != FREE]
        # Offices can swap places, so only the number of each shape is certain.
        right = sum(map(piece_of, row)) == sum(chart.shapes[span.start : span.start + len(row)])
        require(right, f"Pieces of {city.id} do not have the shapes of its offices.")
    # A marker that is nowhere may have been used. A bonus also opens offices in green cities.
    by_bonus = chart.green if "office_in_green_city" in chart.bonuses.values() else ()
    extras = [extra for city, extra in enumerate(state.extras) if city not in by_bonus]
    owners = [owner_of(code) for code in b"".join(extras)]
    kind = board.MARKER_NUMBER["extra_office"]
    used = state.used[kind::KINDS]
    more = sum(max(0, owners.count(seat) - count) for seat, count in enumerate(used))
    enough = more <= state.setup.markers[kind] - state.count_markers(kind)
    require(enough, "There are more `extra` offices than used markers extra_office.")
