"""Whether a game can reach a position, so that a match can start from it."""

from __future__ import annotations

from domain.engine.errors import BadPosition
from domain.engine.game import Json
from domain.games.hansa_teutonica import board, scoring
from domain.games.hansa_teutonica.rules import bonuses, ends, markers
from domain.games.hansa_teutonica.rules.pieces import countries, relocating
from domain.games.hansa_teutonica.rules.reachable.past import check_past
from domain.games.hansa_teutonica.state import position, steps
from domain.games.hansa_teutonica.state.setup import Setup
from domain.games.hansa_teutonica.state.table import FREE, EndReason, State, owner_of, piece_of


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The table of this JSON. Raises BadPosition if no game can reach it: HT-3.4.

    The seats it waits for can decide, and what is half done can be finished.
    """
    state = position.read_position(setup, data, seats)
    _check_board(state)
    check_past(state)
    _check_pawn(state)
    _check_actions(state)
    _check_passes(state)
    _check_end(state)
    if not _can_decide(state):
        raise BadPosition("What is `pending` does not fit this table.")
    return state


def _check_board(state: State) -> None:
    """Refuse offices of the wrong shape, and too many markers: HT-6.6, HT-8.4, HT-8.8."""
    chart = state.board
    for city, span in zip(state.setup.map.cities, chart.offices, strict=True):
        row = [code for code in state.offices[span.start : span.stop] if code != FREE]
        shapes = chart.shapes[span.start : span.start + len(row)]
        # Offices can swap places, so only the number of each shape is certain.
        if sum(map(piece_of, row)) != sum(shapes):
            raise BadPosition(f"Pieces of {city.id} do not have the shapes of its offices.")
    if sum(marker > 0 for marker in state.markers) > board.ON_BOARD:
        raise BadPosition(f"At most {board.ON_BOARD} markers can lie on the board.")


def _check_pawn(state: State) -> None:
    """Refuse contradictions about the pawn and earlier actions: HT-11.6."""
    step = state.agenda[-1] if state.agenda else None
    acting = isinstance(step, steps.Relocate)
    acting = acting or (isinstance(step, steps.Moving) and not step.marker)
    if state.pawn_moved and not state.setup.provinces:
        raise BadPosition("A pawn can have moved only on a map with provinces.")
    if state.closed and not (state.pawn_moved and state.acted):
        raise BadPosition("Only a free move of the pawn after an action makes a turn `closed`.")
    if state.setup.provinces and acting and not state.acted:
        raise BadPosition("A seat in the middle of an action must have `acted`.")


def _check_actions(state: State) -> None:
    """Refuse more actions than the desk and used markers give: HT-3.2, HT-8.7."""
    kinds = state.markers_of(state.used, state.active)
    more = sum(kinds[board.MARKER_NUMBER[kind]] * n for kind, n in markers.MORE_ACTIONS.items())
    most = state.value(state.active, board.ACTIONS) + more
    if state.actions > most:
        raise BadPosition(f"The active player has at most {most} `actions`.")
    if state.acted and state.actions == most:
        raise BadPosition("A seat that has `acted` must have spent an action.")


def _check_passes(state: State) -> None:
    """Refuse permissions used twice, without an action, or of cities of others: HT-14.12."""
    once = len(set(state.passes)) == len(state.passes)
    if not once or (state.passes and not state.acted):
        raise BadPosition("`passes` are used once in a turn, each with an action.")
    for name in state.passes:
        if state.active not in _owners_in(state, state.board.city_number[name]):
            raise BadPosition(f"The active player has no office in {name}, one of the `passes`.")


def _owners_in(state: State, city: int) -> set[int]:
    """The seats with an office in a city, printed or extra."""
    span = state.board.offices[city]
    row = (*state.offices[span.start : span.stop], *state.extras[city])
    return {owner_of(code) for code in row if code != FREE}


def _check_end(state: State) -> None:
    """Refuse an end without a reason, and a reason without an end: HT-9.1, HT-9.2, HT-10.7."""
    reason = ends.reason_to_end(state)
    if state.ended is None:
        if reason and not _uses_bonus(state):
            raise BadPosition(
                "The prestige or the complete cities end the game, so it must have `ended`."
            )
    elif not _is_right_end(state, reason) or state.winners != scoring.scoring(state).winners:
        raise BadPosition("The game cannot have `ended` like this, or not with these `winners`.")


def _is_right_end(state: State, reason: EndReason | None) -> bool:
    """Whether the table shows the reason, as far as it can: HT-9.1, HT-9.3, HT-9.5."""
    if reason is None and state.ended == "pieces":
        return ends.are_pieces_exhausted(state)
    return state.ended == (reason or "markers")


def _uses_bonus(state: State) -> bool:
    """Whether a seat is using a permanent bonus, for which the end waits: HT-14.4."""
    match state.agenda[-1]:
        case steps.Deploying() | steps.GreenOffice():
            return True
        case steps.Moving(bonus=bonus):
            return bonus
        case _:
            return False


def _can_decide(state: State) -> bool:
    """Whether what is half done can be finished: HT-3.4."""
    step = state.agenda[-1] if state.agenda else None
    match step:
        case steps.Relocate():
            able = _can_relocate(state, step)
        case steps.Moving():
            able = _can_move(state, step)
        case steps.Deploying():
            able = bonuses.can_deploy(state, step)
        case steps.GreenOffice():
            able = bool(state.board.green) and any(state.in_supply(state.active))
        case steps.Removing():
            able = _can_remove(state, step)
        case steps.PlaceMarkers():
            able = _can_lay_out(state, step)
        case _:
            able = True
    return able


def _can_lay_out(state: State, step: steps.PlaceMarkers) -> bool:
    """Whether this many markers are missing, and a route can take one: HT-8.8, HT-8.9."""
    few = 0 < len(step.kinds) <= markers.count_missing(state)
    return few and any(markers.can_take_marker(state, route) for route in range(len(state.markers)))


def _can_remove(state: State, step: steps.Removing) -> bool:
    """Whether the seat removes pieces, not moves them, and there are any: HT-8.5, HT-13.4."""
    chosen = state.setup.remove_three == "remove"
    return chosen and 0 < step.left <= board.MAX_REMOVED and any(state.posts)


def _can_relocate(state: State, step: steps.Relocate) -> bool:
    """Whether the active player displaced a piece that has a post: HT-4.3, HT-5.3, HT-5.5."""
    route = state.board.route_number.get(step.route)
    if route is None or len(step.seats) != 1 or step.seats[0] == state.active:
        return False
    there = (state.posts[post] for post in state.board.posts[route])
    if all(code == FREE or owner_of(code) != state.active for code in there):
        return False
    piece = board.PIECE_NUMBER[step.piece]
    left = (1 if step.placed else 0) <= step.extras <= board.EXTRAS[piece]
    return left and bool(relocating.nearest(state, route, piece))


def _can_move(state: State, step: steps.Moving) -> bool:
    """Whether a seat can have lifted these pieces: HT-4.4, HT-14.5, HT-14.13."""
    more = _may_lift(state, step) - len(step.held)
    if more < 0 or step.left not in (0, more) or not (step.held or step.left):
        return False
    if len(step.lands) != (len(step.held) if state.board.divided else 0):
        return False
    if not all(0 < code < len(state.supply) for code in step.held):
        return False
    owners = {owner_of(code) for code in step.held}
    whose = state.active not in owners if step.marker else owners <= {state.active}
    others = any(owner_of(code) != state.active for code in state.posts if code != FREE)
    begun = bool(step.held) or (step.marker and others) or (step.bonus and any(state.posts))
    return begun and (whose or step.bonus) and countries.all_find_room(state, step, -1, 0)


def _may_lift(state: State, step: steps.Moving) -> int:
    """How many pieces the seat may lift in all; 0 if it cannot lift: HT-4.4, HT-13.4, HT-14.5."""
    if step.bonus:
        there = "move_any_2" in state.board.bonuses.values() and not step.marker
        return board.BONUS_PIECES if there else 0
    if step.marker:
        return board.MAX_REMOVED if state.setup.remove_three == "move" else 0
    return state.value(state.active, board.BOOK)
