"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.play import Seat, Step
from domain.engine.starting.starts import require_agenda, require_going_on
from domain.games.chang_cheng import board
from domain.games.chang_cheng.rules.actions import can_act
from domain.games.chang_cheng.rules.answers import ANSWERS
from domain.games.chang_cheng.rules.neutral import neutral_row
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.steps import FirstTurn, ForcedNeutral, NextTurn, Turn
from domain.games.chang_cheng.state.table import State, find_scored_regions


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here: CC-3.1, CC-3.2, CC-4.7, CC-6.1, CC-8.1, CC-8.2,
    CC-11.6.
    """
    require_going_on(state)
    begin = _begin_turn(state)
    require_agenda(state, begin)
    (seat,) = begin[-1].seats
    able = any(ANSWERS.legal_moves(state, seat))
    require(able, f"Seat {seat} can do nothing: begin with a seat that can.")
    if isinstance(begin[-1], FirstTurn):
        _check_first_turns(state, seat)
    _check_regions(state)


def _begin_turn(state: State) -> list[Step]:
    """The agenda as a turn of the seat in NextTurn begins: CC-3.1, CC-3.2, CC-4.7, CC-11.6."""
    named = [step.seat for step in state.agenda if isinstance(step, NextTurn)]
    seat = (*named, state.first)[0] % state.seats
    if any(isinstance(step, FirstTurn) for step in state.agenda):
        still = (state.first - seat - 1) % state.seats
        return [NextTurn(seat=seat, opening=still), FirstTurn((seat,))]
    forced = not can_act(state, seat) and neutral_row(state, (), inside=False)
    return [NextTurn(seat=seat), ForcedNeutral((seat,)) if forced else Turn((seat,))]


def _check_first_turns(state: State, active: Seat) -> None:
    """Refuse all but a single of each seat that had its first turn: CC-2.3, CC-3.2."""
    rule = "Before a first turn each seat from `first` on has built one single, and nothing else."
    require(state.singles[table.NEUTRAL] == state.setup.neutral, rule)
    for seat in range(state.seats):
        built = (seat - state.first) % state.seats < (active - state.first) % state.seats
        left = (state.singles[seat + 1], state.doubles[seat + 1], state.towers[seat + 1])
        require(left == (board.SINGLES - built, 1, 1), rule)


def _check_regions(state: State) -> None:
    """Refuse other scored regions, boards and emperors than full regions bring: CC-6.1, CC-8.2."""
    full = [board.CHINA[region] for region in state.wall.china if state.full(region)]
    names = ", ".join(full) or "none"
    require([*find_scored_regions(state)] == full, f"`scored` must name the full regions: {names}.")
    right = all(card.region not in full for card in state.laid)
    require(right, f"`cards` must not lie in regions that were scored: {names}.")
    boards = len(state.wall.row)
    laid = min(boards + state.extensions, board.AT_START + len(full) // board.EMPERORS)
    rule = f"A board is added for every {board.EMPERORS} scored regions"
    require(boards == laid, f"{rule}: `boards` must name {laid}.")
    due = table.emperors_due(state)
    right = len(state.emperors) == due and {*state.emperors} <= {*full}
    require(right, f"`emperors` must name {due} of the regions that were scored: {names}.")
