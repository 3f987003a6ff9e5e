"""What a position says about the past: the last action, the last conflict, and the counters."""

from __future__ import annotations

from domain.engine.errors import require, require_distinct
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import (
    COUNTERS,
    SOURCES,
    LastAction,
    LastConflict,
    State,
)

CELLS = {
    "leader": (1, 2),
    "withdraw": (1,),
    "tile": (1,),
    "catastrophe": (1,),
    "swap": (0,),
    "pass": (0,),
    "monument": (4,),
}
"""By kind of action, the number of its cells: TE-3.1, TE-12.3."""
BESIDE = 4
"""The most temples on the board that support a leader in a revolt: TE-10.2."""


def check_past(state: State) -> None:
    """Refuse a past that cannot lead to this table: TE-3.1, TE-9.4, TE-10.4, TE-11.7."""
    if state.last is not None:
        _check_last(state, state.last)
    if state.conflict is not None:
        _check_conflict(state, state.conflict)
    _check_counted(state)


def _check_last(state: State, last: LastAction) -> None:
    """Refuse a last action of another seat, or one without a trace: TE-3.1, TE-3.4."""
    require_distinct(last.cells, "last.cells")
    colored = last.color is not None or last.deed == "catastrophe"
    right = len(last.cells) in CELLS[last.deed] and colored == (last.deed not in ("swap", "pass"))
    require(right and _is_seen(state, last), f"This `last` {last.deed} is not seen on the board.")
    if state.agenda:
        first, waiting = state.agenda[0], state.agenda[-1]
        begins = isinstance(waiting, Turn) and waiting.left == board.ACTIONS
        seat = (first.seat - begins) % len(state.hands)
        require(last.seat == seat, f"The `last` action was that of seat {seat}.")


def _is_seen(state: State, last: LastAction) -> bool:
    """Whether an action left its trace on its cells: TE-5.1, TE-6.1, TE-7.2, TE-12.3."""
    numbers = [state.board.number[name] for name in last.cells]
    there = [state.cells[number] for number in numbers]
    color = 0 if last.color is None else board.COLOR_NUMBER[last.color]
    match last.deed:
        case "leader":  # it is gone if it was beaten
            own = board.LEADER + 4 * last.seat + color
            return there[-1] in (own, board.EMPTY) and not any(there[:-1])
        case "withdraw":
            return there == [board.EMPTY]
        case "tile":
            return there == [color + 1]
        case "catastrophe":
            return there == [board.CATASTROPHE]
        case "monument":
            return numbers[0] in state.monuments and numbers == [*_square(state, numbers[0])]
        case _:
            return True


def _square(state: State, cell: int) -> tuple[int, ...]:
    """The four cells of a square by its top left cell; none beyond the edge: TE-1.6."""
    return state.board.square(cell) or ()


def _check_conflict(state: State, end: LastConflict) -> None:
    """Refuse an impossible outcome of the last conflict: TE-9.4, TE-10.2, TE-10.4, TE-11.6,
    TE-11.7.
    """
    require_distinct(end.removed, "conflict.removed")
    sides = end.winner != end.loser and end.attacker in (end.winner, end.loser)
    stronger = end.attacker_total > end.defender_total
    won = sides and stronger == (end.winner == end.attacker)
    require(won, "In the last `conflict` the stronger of two seats won, or the defender.")
    require(_can_have(end), "Nobody is so strong as the last `conflict` tells.")
    lost = end.attacker_total if end.loser == end.attacker else end.defender_total
    few = len(end.removed) <= (lost if end.kind == "war" else 0)
    river = {bool(state.board.river[state.board.number[name]]) for name in end.removed}
    require(
        few and river <= {end.color == "blue"}, "The last `conflict` has `removed` other tiles."
    )
    points = 1 + len(end.removed)
    require(end.points == points, f"The last `conflict` gave {points} `points`.")


def _can_have(end: LastConflict) -> bool:
    """Whether both sides can be this strong with the tiles of the box: TE-10.2, TE-11.5."""
    totals = (end.attacker_total, end.defender_total)
    if end.kind == "revolt":  # each leader is beside a temple
        return min(totals) >= 1 and max(totals) <= BESIDE + board.HAND_SIZE
    return min(totals) >= 0 and sum(totals) <= board.TILES[board.COLOR_NUMBER[end.color]]


def _check_counted(state: State) -> None:
    """Refuse conflicts with only one side, and points without a conflict: TE-10.4, TE-11.7."""
    counted = [dict(zip(COUNTERS, counts, strict=True)) for counts in state.counted]
    for one, points in zip(counted, state.points, strict=True):
        revolts, wars = (
            one[f"{kind}_won_as_attacker"] + one[f"{kind}_won_as_defender"]
            for kind in ("revolts", "wars")
        )
        require(one["revolts"] == revolts, "Each revolt that was won is `counted` as a point.")
        right = one["wars"] >= wars and bool(one["wars"]) == bool(wars)
        require(right, "Each war that was won is `counted` as a point or more.")
        few = sum(one[source] for source in SOURCES) <= sum(points)
        require(few, "No more points are `counted` than there are.")
    for kind in ("revolts", "wars"):
        for side, other in (("attacker", "defender"), ("defender", "attacker")):
            won = sum(one[f"{kind}_won_as_{side}"] for one in counted)
            lost = sum(one[f"{kind}_lost_as_{other}"] for one in counted)
            require(won == lost, f"As many {kind} are `counted` as won as are lost.")
