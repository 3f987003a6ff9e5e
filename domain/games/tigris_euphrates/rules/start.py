"""Positions from which a match may start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.play import Seat
from domain.engine.starting.starts import require_agenda, require_going_on, require_unused
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state import table
from domain.games.tigris_euphrates.state.steps import EndTurn, Turn

IN_A_TURN = ("united", "committed", "short")


def check_position(state: table.State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: TE-1.5, TE-1.9,
    TE-2.3, TE-2.4, TE-3.1, TE-5.7, TE-9.6, TE-11.11, TE-15.1.
    """
    require_going_on(state)
    seat = next((step.seat for step in state.agenda if isinstance(step, EndTurn)), state.first)
    require_agenda(state, [EndTurn(seat=seat), Turn((seat,), left=board.ACTIONS)])
    require_unused(state, table.bare(state.setup, len(state.hands)), IN_A_TURN)
    hand = max(map(sum, state.hands))
    require(hand <= board.HAND_SIZE, f"A hand has at most {board.HAND_SIZE} tiles.")
    placed, left = state.cells.count(board.CATASTROPHE), state.catastrophes_left
    few = placed + sum(left) <= board.CATASTROPHES * len(left)
    require(few, "There are more catastrophe tiles than the players have.")
    treasures, most = state.treasures.bit_count(), len(state.board.temples)
    over = f"With {board.LAST_TREASURES} `treasures` or fewer on the board the game is over."
    require(treasures > board.LAST_TREASURES, over)
    treasures += sum(state.treasures_taken)
    require(treasures <= most, f"There are {treasures} treasures; the game has {most}.")
    for leaders, *_ in state.kingdoms:
        for at in (state.leaders[leader] for leader in leaders):
            beside = state.temples_beside(at) > 0
            require(beside, f"A leader is beside a temple; that on {state.board.names[at]} is not.")
        alone = len({leader % 4 for leader in leaders}) == len(leaders)
        require(alone, "A kingdom has two leaders of one colour; it has at most one of each.")
    if state.last is not None:
        _check_last(state, state.last, seat)
    _check_counted(state)


def _check_last(state: table.State, last: table.LastAction, active: Seat) -> None:
    """Refuse a last action of another seat, or one without a trace: TE-3.1, TE-3.4, TE-12.3."""
    before = (active - 1) % len(state.hands)
    require(last.seat == before, f"The `last` action before this turn was that of seat {before}.")
    cells = [state.board.number[name] for name in last.cells]
    there = [state.cells[cell] for cell in cells]
    color = -1 if last.color is None else board.COLOR_NUMBER[last.color]
    squares = [[*(state.board.square(at) or ())] for at in state.monuments if at != board.OFF]
    own, colored = board.LEADER + 4 * last.seat + color, color >= 0
    traces = {
        "leader": colored and there in ([own], [0], [0, own], [0, 0]),  # 0: it was beaten
        "withdraw": colored and there == [board.EMPTY],
        "tile": colored and there == [color + 1],
        "catastrophe": there == [board.CATASTROPHE],
        "monument": colored and cells in squares,
        "swap": not (colored or cells),
        "pass": not (colored or cells),
    }
    trace = f"This `last` {last.deed} does not show: give `cells` and `color` as it left the board."
    require(traces[last.deed], trace)


def _check_counted(state: table.State) -> None:
    """Refuse conflicts with only one side, and points without a conflict: TE-10.4, TE-11.7."""
    for counted, points in zip(state.counted, map(sum, state.points), strict=True):
        one = dict(zip(table.COUNTERS, counted, strict=True))
        revolts = one["revolts_won_as_attacker"] + one["revolts_won_as_defender"]
        wars = one["wars_won_as_attacker"] + one["wars_won_as_defender"]
        right = one["revolts"] == revolts and wars <= one["wars"] <= wars * points
        require(right, "A revolt that was won is `counted` as one point, a war as one or more.")
        few = sum(one[source] for source in table.SOURCES) <= points
        require(few, "No more points are `counted` than there are `points`.")
    total = dict(zip(table.COUNTERS, map(sum, zip(*state.counted, strict=True)), strict=True))
    for kind in ("revolts", "wars"):
        for side, other in (("attacker", "defender"), ("defender", "attacker")):
            same = total[f"{kind}_won_as_{side}"] == total[f"{kind}_lost_as_{other}"]
            require(same, f"As many {kind} are `counted` as won by one side as lost by the other.")
