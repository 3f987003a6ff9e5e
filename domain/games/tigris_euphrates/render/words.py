"""What a picture and a text both tell, in sentences."""

from __future__ import annotations

from domain.engine.panel import count
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state import steps
from domain.games.tigris_euphrates.state.table import LastAction, LastConflict
from domain.games.tigris_euphrates.view import View

ENDINGS = {"treasures": "the treasures are taken", "bag": "the bag ran out"}

DEEDS = {
    "tile": "placed a {tile} on {first}",
    "leader": "placed the {leader} on {first}",
    "move": "moved the {leader} {cells}",
    "withdraw": "withdrew the {leader} from {first}",
    "catastrophe": "placed a catastrophe tile on {first}",
    "monument": "built a monument on {first}",
    "swap": "swapped tiles",
    "pass": "passed",
}


def summary(view: View) -> str:
    """The position in a few sentences."""
    seats = range(len(view.dynasties))
    treasures, bag = count(len(view.treasures), "treasure"), count(view.bag, "tile")
    parts = [
        f"{len(view.dynasties)} players.",
        status(view),
        last_action(view),
        last_conflict(view),
        *(_leaders_of(view, seat) for seat in seats),
        *(_known_of(view, seat) for seat in seats),
        f"There are {treasures} on the board, {bag} in the bag.",
    ]
    return " ".join(part for part in parts if part)


def seat_name(view: View, seat: int) -> str:
    """A seat by its number and its dynasty."""
    return f"seat {seat} ({view.dynasties[seat]})"


def leader_name(color: board.Color) -> str:
    """King, priest, trader, farmer."""
    return board.LEADER_NAMES[board.COLOR_NUMBER[color]]


def status(view: View) -> str:
    """Who has to decide what, or who has won."""
    if view.ended is not None:
        won = "wins" if len(view.winners) == 1 else "win together"
        who = " and ".join(seat_name(view, seat) for seat in view.winners)
        return f"The game is over, {ENDINGS[view.ended]}: {who} {won}."
    if not view.awaiting:
        return "Nobody has to decide."
    return f"{seat_name(view, view.awaiting[0]).capitalize()} {_asked(view)}."


def _asked(view: View) -> str:
    """What is asked of whoever has to decide."""
    match view.step:
        case steps.Turn(left=left):
            words = f"has {left} {'action' if left == 1 else 'actions'} left"
        case steps.Swap(discarded=discarded):
            words = f"swaps tiles, {discarded} put away so far"
        case steps.Reinforce(seats=seats, conflict=conflict):
            words = f"to commit {conflict.support} tiles to the {side_of(conflict, seats[0])}"
        case steps.ChooseWar(colors=colors):
            words = f"to choose the next war: {' or '.join(map(leader_name, colors))}"
        case steps.OfferMonument(color=color, squares=squares):
            words = f"may build a monument with {color} on {' or '.join(squares)}"
        case steps.ChooseTreasure(choices=choices):
            words = f"to choose which treasure is left: {' or '.join(choices)}"
        case _:
            words = "to decide"
    return words


def side_of(conflict: steps.Conflict, seat: int) -> str:
    """Attack or defence, and in what."""
    side = "attack" if seat == conflict.attacker else "defence"
    return f"{side} in a {conflict.kind} of {leader_name(conflict.color)}s"


def fighting(view: View) -> steps.Conflict | None:
    """The conflict that is being fought."""
    return view.step.conflict if isinstance(view.step, steps.Reinforce) else None


def strengths(view: View, conflict: steps.Conflict) -> tuple[str, str]:
    """Attack and defence as far as they are known: on the board, and committed."""
    attack = f"{conflict.attacker_board} + {view.committed[conflict.attacker]}"
    waiting = view.awaiting == (conflict.attacker,)
    defence = f"{conflict.defender_board} + ?"
    return (f"{conflict.attacker_board} + ?" if waiting else attack), defence


def last_action(view: View) -> str:
    """What the active player did last."""
    last = view.last
    return f"Last action: {seat_name(view, last.seat)} {deed(last)}." if last else ""


def deed(last: LastAction) -> str:
    """What was done, and where."""
    moved = last.deed == "leader" and len(last.cells) > 1
    return DEEDS["move" if moved else last.deed].format(
        tile=board.TILE_NAMES[board.COLOR_NUMBER[last.color or "red"]],
        leader=board.LEADER_NAMES[board.COLOR_NUMBER[last.color or "red"]],
        first=next(iter(last.cells), ""),
        cells=" to ".join(last.cells),
    )


def last_conflict(view: View) -> str:
    """How the last conflict ended."""
    last = view.conflict
    return f"Last conflict: {told(view, last)}." if last else ""


def told(view: View, last: LastConflict) -> str:
    """Who won against whom, and by how much."""
    return (
        f"{last.kind} of {leader_name(last.color)}s, {seat_name(view, last.winner)} beat "
        f"{seat_name(view, last.loser)} {result(last)}{removed(last)}"
    )


def result(last: LastConflict) -> str:
    """The strengths at the end of a conflict, the winner's first."""
    one, two = last.attacker_total, last.defender_total
    return f"{max(one, two)} to {min(one, two)}"


def removed(last: LastConflict) -> str:
    """How many tiles left the board with the loser."""
    return f", {count(len(last.removed), 'tile')} removed" if last.removed else ""


def _leaders_of(view: View, seat: int) -> str:
    mine = [leader for leader in view.leaders if leader.seat == seat]
    places = ", ".join(f"{leader_name(leader.color)} on {leader.at}" for leader in mine)
    return f"{seat_name(view, seat).capitalize()} has {places or 'no leader on the board'}."


def _known_of(view: View, seat: int) -> str:
    """Points that the viewer may see."""
    known, treasures = view.points[seat], view.treasures_taken[seat]
    if known is None:
        return ""
    each = ", ".join(f"{points} {color}" for points, color in zip(known, board.COLORS, strict=True))
    return f"{seat_name(view, seat).capitalize()}: {each}, {count(treasures or 0, 'treasure')}."
