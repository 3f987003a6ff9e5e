"""Tables that a game can reach: the pieces show past scorings, extensions and looks."""

from __future__ import annotations

from domain.engine.errors import require, require_distinct
from domain.engine.play import Seat
from domain.games.chang_cheng import board
from domain.games.chang_cheng.scoring import leaders
from domain.games.chang_cheng.state.steps import Extend
from domain.games.chang_cheng.state.table import (
    EMPTY,
    FULL_HAND,
    NEUTRAL,
    OPEN,
    RUINED,
    Last,
    State,
    emperors_due,
    find_scored_regions,
)


def check_table(state: State) -> None:
    """Refuse what contradicts itself on the table: CC-5.5, CC-8.1, CC-9.2, CC-10.1, CC-12.1."""
    _check_emperors(state)
    _check_traitors(state)
    _check_looks(state)
    if state.last is not None:
        _check_last(state, state.last)
    for seat, reserved in enumerate(state.reserved):
        left = any(state.cells[cell] == EMPTY for cell in reserved)
        require(left or not reserved, f"Nothing is left that is `reserved` for seat {seat}.")
    few = len(state.events) == len(set(state.events)) <= board.EVENTS_IN_PLAY
    require(few, f"At most {board.EVENTS_IN_PLAY} different `events` lie open.")
    if state.ended is not None:
        _check_end(state)


def check_opening(state: State, seat: Seat) -> None:
    """Refuse a first turn on a table with more pieces than first turns allow: CC-2.3, CC-3.2."""
    built = [(state.first + turn) % state.seats for turn in range(state.seats)]
    built = built[: built.index(seat)]
    for other in range(state.seats):
        supply = (state.singles[other + 1], state.doubles[other + 1], state.towers[other + 1])
        right = supply == (board.SINGLES - (other in built), 1, 1)
        require(right, "In first turns each seat builds one single, in order from `first`.")
    right = state.singles[NEUTRAL] == state.setup.neutral
    right = right and all(hand == FULL_HAND for hand in state.hands)
    require(right, "In first turns no card is laid, and no neutral wall is built.")


def _check_emperors(state: State) -> None:
    """Refuse emperor cards that do not follow from the scored regions: CC-8.1, CC-8.2."""
    due, scored = emperors_due(state), find_scored_regions(state)
    require(due >= 0, f"A board is added after {board.EMPERORS} regions were scored, not before.")
    extending = bool(state.agenda) and isinstance(state.agenda[-1], Extend)
    more = state.extensions > 0 and not extending and due == board.EMPERORS
    require(not more, f"With {board.EMPERORS} emperor cards placed, a board is added at once.")
    fits = len(state.emperors) == due and {*state.emperors} <= {*scored}
    where = f"{due} of the regions that were scored ({', '.join(scored) or 'none'})"
    require(fits, f"`emperors` must name {where}.")


def _check_traitors(state: State) -> None:
    """Refuse ruins and removed threats without a used Traitor: CC-7.2, CC-7.4."""
    ruins = [cell for cell in state.wall.cells if state.cells[cell] > RUINED]
    there = [state.map.china_of[cell] for cell in ruins]
    once = len(there) == len(set(there)) and all(state.scored[region] for region in there)
    require(once, "A ruin lies in a region that was scored, and there is one at most.")
    gone = [mongol for mongol in state.wall.china if state.removed[mongol]]
    beside = {m for r in state.wall.china if state.scored[r] for m in state.map.touching[r]}
    require({*gone} <= beside, "A threat is `removed` beside a region that is scored.")
    used = sum(not holds(state, seat, board.TRAITOR) for seat in range(state.seats))
    require(len(ruins) + len(gone) <= used, "Each ruin or `removed` threat takes a Traitor.")


def holds(state: State, seat: Seat, number: int) -> bool:
    """Whether a seat still has this card: CC-1.3."""
    waiting = state.tally.waiting if state.tally else ()
    own = [card.number for card in (*state.laid, *waiting) if card.seat == seat]
    return bool(state.hands[seat] >> number & 1) or number in own


def _check_looks(state: State) -> None:
    """Refuse looks where nothing was built, and at tiles that lie open: CC-9.2, CC-12.5."""
    scout = "scout" in state.events
    for region in state.wall.china:
        known, name = state.known[region], board.MONGOL[region]
        built = sum(cell != EMPTY for cell in state.cells[slice(*state.map.mongol[region])])
        require(bool(built) or not known, f"`seen` has {name}, where nothing was built.")
        few = known == OPEN or known.bit_count() <= built
        require(few, f"`seen` has more seats for {name} than pieces that were built there.")
        if state.ended is None and known:
            require((known == OPEN) == scout, f'`seen` of {name} is "all" with the Scout only.')


def _check_last(state: State, last: Last) -> None:
    """Refuse a turn that touched what is not in play, or empty cells: CC-3.1."""
    require_distinct(last.cells, "last.cells")
    require_distinct(last.regions, "last.regions")
    cells = {board.CELL_NUMBER[name] for name in last.cells}
    built = {cell for cell in state.wall.cells if state.cells[cell] != EMPTY}
    require(cells <= built, "`last` touched cells in play on which something was built.")
    regions = {board.CHINA_NUMBER[name] for name in last.regions}
    require(regions <= {*state.wall.china}, "`last` touched regions in play.")
    require(last.turn <= state.turn, f"`last` is of turn {state.turn} or an earlier one.")


def _check_end(state: State) -> None:
    """Refuse an end of the game before the wall is complete: CC-10.1, CC-10.2, CC-13.1."""
    done = state.complete() and all(state.scored[region] for region in state.wall.china)
    require(done and state.tally is None, "It has `ended` when the wall is complete and scored.")
    shown = [r for r in state.wall.china if not state.removed[r] and state.known[r] != OPEN]
    require(not shown, "After the end all threats lie open.")
    require(state.winners == leaders(state), "Others are the `winners`.")
