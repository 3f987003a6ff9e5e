"""Whether a game can come to a position, so that a match can begin with it."""

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
    """The table that this describes; BadPosition if no game could come to it: HT-3.4.

    Whoever is awaited can decide, and what is half done can be finished.
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
        # Offices can change places, so only the number of each shape is certain.
        if sum(map(piece_of, row)) != sum(shapes):
            raise BadPosition(f"Pieces of {city.id} do not have the shapes of its offices.")
    if sum(marker > 0 for marker in state.markers) > board.ON_BOARD:
        raise BadPosition(f"No more than {board.ON_BOARD} markers lie on the board.")


def _check_pawn(state: State) -> None:
    """Refuse contradictions about the pawn and what was done before: HT-11.6."""
    step = state.agenda[-1] if state.agenda else None
    acting = isinstance(step, steps.Relocate)
    acting = acting or (isinstance(step, steps.Moving) and not step.marker)
    if state.pawn_moved and not state.setup.provinces:
        raise BadPosition("Without provinces no pawn was moved.")
    if state.closed and not (state.pawn_moved and state.acted):
        raise BadPosition("A turn is `closed` by a free move of the pawn after an action.")
    if state.setup.provinces and acting and not state.acted:
        raise BadPosition("Whoever is in the middle of an action has `acted`.")


def _check_actions(state: State) -> None:
    """Refuse more actions than the desk and markers that were used bring: HT-3.2, HT-8.7."""
    kinds = state.markers_of(state.used, state.active)
    more = sum(kinds[board.MARKER_NUMBER[kind]] * n for kind, n in markers.MORE_ACTIONS.items())
    most = state.value(state.active, board.ACTIONS) + more
    if state.actions > most:
        raise BadPosition(f"The active player has at most {most} `actions`.")
    if state.acted and state.actions == most:
        raise BadPosition("Whoever has `acted` has spent an action.")


def _check_passes(state: State) -> None:
    """Refuse permissions used twice, without an action, or of cities of others: HT-14.12."""
    once = len(set(state.passes)) == len(state.passes)
    if not once or (state.passes and not state.acted):
        raise BadPosition("`passes` are used once in a turn, each with an action.")
    for name in state.passes:
        if state.active not in _owners_in(state, state.board.city_number[name]):
            raise BadPosition(f"The active player has no office in {name}, one of the `passes`.")


def _owners_in(state: State, city: int) -> set[int]:
    """Whoever has an office in a city, printed or extra."""
    span = state.board.offices[city]
    row = (*state.offices[span.start : span.stop], *state.extras[city])
    return {owner_of(code) for code in row if code != FREE}


def _check_end(state: State) -> None:
    """Refuse an end that has not come, and none where it has: HT-9.1, HT-9.2, HT-10.7."""
    reason = ends.reason_to_end(state)
    if state.ended is None:
        if reason and not _uses_bonus(state):
            raise BadPosition(
                "The prestige or the complete cities end the game, so it has `ended`."
            )
    elif not _ended_rightly(state, reason) or state.winners != scoring.scoring(state).winners:
        raise BadPosition("It did not end like this, or others are the `winners`.")


def _ended_rightly(state: State, reason: EndReason | None) -> bool:
    """Whether the table shows the reason, as far as it can: HT-9.1, HT-9.3, HT-9.5."""
    if reason is None and state.ended == "pieces":
        return ends.nobody_can_establish(state)
    return state.ended == (reason or "markers")


def _uses_bonus(state: State) -> bool:
    """Whether a permanent bonus is used, for which the end waits: HT-14.4."""
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
    """Whether this many markers are missing, and there is a route for one: HT-8.8, HT-8.9."""
    few = 0 < len(step.kinds) <= markers.missing(state)
    return few and any(markers.fits(state, route) for route in range(len(state.markers)))


def _can_remove(state: State, step: steps.Removing) -> bool:
    """Whether pieces are removed, not moved, and there are any: HT-8.5, HT-13.4."""
    chosen = state.setup.remove_three == "remove"
    return chosen and 0 < step.left <= board.REMOVED and any(state.posts)


def _can_relocate(state: State, step: steps.Relocate) -> bool:
    """Whether the active player displaced a piece that finds a place: HT-4.3, HT-5.3, HT-5.5."""
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
    """Whether pieces can have been lifted like this: HT-4.4, HT-14.5, HT-14.13."""
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
    """How many pieces in all, none if nobody lifts like this here: HT-4.4, HT-13.4, HT-14.5."""
    if step.bonus:
        there = "move_any_2" in state.board.bonuses.values() and not step.marker
        return board.BONUS_PIECES if there else 0
    if step.marker:
        return board.REMOVED if state.setup.remove_three == "move" else 0
    return state.value(state.active, board.BOOK)
