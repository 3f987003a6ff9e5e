"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.play import Seat, Step
from domain.engine.starting.starts import require_agenda, require_beginning, require_going_on
from domain.games.chang_cheng import board
from domain.games.chang_cheng.rules.actions import can_act
from domain.games.chang_cheng.rules.answers import ANSWERS
from domain.games.chang_cheng.rules.neutral import neutral_row
from domain.games.chang_cheng.rules.regions import plain_value
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.steps import FirstTurn, ForcedNeutral, NextTurn, Turn
from domain.games.chang_cheng.state.table import CATEGORIES, State, find_scored_regions

CARD_CHANGES = (-2, 0, 2, 4)
"""The possible effects of a Flood and an Architect on the value of one region: CC-7.5."""


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: CC-3.1, CC-3.2,
    CC-4.7, CC-5.5, CC-6.1, CC-6.4, CC-7.4, CC-8.1, CC-8.2, CC-9.2, CC-11.6, CC-12.1.
    """
    require(bool(state.wall.row), "Name the boards in play in `boards`.")
    require_going_on(state)
    begin = _begin_turn(state)
    require_agenda(state, begin)
    require_beginning(state.tally is None, "leave out `tally`")
    (seat,) = begin[-1].seats
    able = any(ANSWERS.legal_moves(state, seat))
    require(able, f"Seat {seat} can do nothing: begin with a seat that can.")
    if isinstance(begin[-1], FirstTurn):
        _check_first_turns(state, seat)
    _check_regions(state)
    _check_traitors(state)
    _check_looks(state)
    _check_points(state)
    for seat, cells in enumerate(state.reserved):
        right = not cells or any(not state.cells[cell] for cell in cells)
        require(right, f"`reserved` of seat {seat} has no empty cell: leave it out.")
    if (last := state.last) is not None:
        right = all(state.cells[board.CELL_NUMBER[name]] for name in last.cells)
        require(right, "`last` must name cells in play that are built on, and regions in play.")
        require(last.turn <= state.turn, f"`last` must be of turn {state.turn} or an earlier one.")


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
    for seat, hand in enumerate(state.hands):
        built = (seat - state.first) % state.seats < (active - state.first) % state.seats
        left = (state.singles[seat + 1], state.doubles[seat + 1], state.towers[seat + 1])
        require(left == (board.SINGLES - built, 1, 1), rule)
        require(hand == table.FULL_HAND, "Before a first turn all cards are in `hands`.")


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


def _check_traitors(state: State) -> None:
    """Refuse ruins and removed threats away from scored regions or without a Traitor: CC-7.4."""
    scored = {region for region in state.wall.china if state.scored[region]}
    cells = [cell for cell in state.wall.cells if state.cells[cell] > table.RUINED]
    ruins = {state.map.china_of[cell] for cell in cells}
    right = len(ruins) == len(cells) and ruins <= scored
    require(right, "A ruin lies in a region that was scored, and each has one at most.")
    removed = {threat for threat in state.wall.china if state.removed[threat]}
    beside = {threat for region in scored for threat in state.map.touching[region]}
    require(removed <= beside, "A threat that is `removed` lies beside a region that was scored.")
    owners = {card.seat for card in state.laid if card.number == board.TRAITOR}
    owners |= {seat for seat, hand in enumerate(state.hands) if hand >> board.TRAITOR & 1}
    used = state.seats - len(owners)
    require(len(ruins) + len(removed) <= used, "Each ruin or `removed` threat takes a Traitor.")


def _check_looks(state: State) -> None:
    """Refuse looks without pieces, and open threats without the Scout: CC-9.2, CC-12.5."""
    scout = "scout" in state.events
    for region in state.wall.china:
        known, (start, end) = state.known[region], state.map.mongol[region]
        built = sum(map(bool, state.cells[start:end]))
        right = (known == table.OPEN) == scout and (1 if scout else known.bit_count()) <= built
        seen = '"all"' if scout else f"at most {built} seats, one for each piece there"
        name = board.MONGOL[region]
        require(right or not known, f"`seen` of {name} must be {seen}, or left out.")


def _check_points(state: State) -> None:
    """Refuse points that regions and doubles cannot have brought: CC-4.4, CC-6.4, CC-10.2."""
    scored = find_scored_regions(state)
    worth = {name: plain_value(state, board.CHINA_NUMBER[name]) for name in scored}
    regions = [paid.region for paid in state.paid]
    right = len({*regions}) == len(regions) and {*regions} <= {*scored}
    require(right, "`paid` must name different regions that were scored.")
    for paid in state.paid:
        values = sorted({max(0, worth[paid.region] + change) for change in CARD_CHANGES})
        require(paid.value in values, f"{paid.region} must have `paid` one of {values}.")
    others = worth.keys() - {paid.region for paid in state.paid}
    more = sum(max(0, worth[name] + max(CARD_CHANGES)) for name in others)
    for seat in range(state.seats):
        points = dict(zip(CATEGORIES, state.points[seat * len(CATEGORIES) :], strict=False))
        least = sum(paid.value for paid in state.paid if seat in paid.seats)
        right = least <= points["regions"] <= least + more
        rule = f"`points` of seat {seat} must have"
        require(right, f"{rule} {least} to {least + more} of `regions`, by what they `paid`.")
        double = _count_double(state, seat)
        require(points["double"] in (0, double), f"{rule} {double} or 0 of its `double`.")
        early = any(points[category] for category in CATEGORIES[2:])
        require(not early, f"{rule} 0 of {', '.join(CATEGORIES[2:])}, which score at the end.")


def _count_double(state: State, seat: Seat) -> int:
    """The regions of both sides that the double of a seat lies in: CC-4.4."""
    mine = (seat + 1, table.DOUBLE)
    cells = [cell for cell in state.wall.cells if (state.cells[cell], state.kinds[cell]) == mine]
    sides = (state.map.china_of, state.map.mongol_of)
    return sum(len({side[cell] for cell in cells}) for side in sides)
