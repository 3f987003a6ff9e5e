"""What a picture and a text both tell, in sentences."""

from __future__ import annotations

from domain.engine.panel import count
from domain.engine.telling import Sentence, Who, begun, say, sentence, told
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state import steps
from domain.games.tigris_euphrates.state.table import LastAction, LastConflict
from domain.games.tigris_euphrates.telling import SAYINGS, TEXTS
from domain.games.tigris_euphrates.view import View

ENGLISH = TEXTS["en"]


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
    dynasty = Sentence(f"dynasty_{view.dynasties[seat]}")
    return say(sentence("seat", number=seat, dynasty=dynasty), ENGLISH, ())


def leader_name(color: board.Color) -> str:
    """King, priest, trader, farmer."""
    return ENGLISH[f"leader_{color}"]


def said(view: View, spoken: Sentence) -> str:
    """A sentence in English, seats by their numbers and dynasties."""
    names = [seat_name(view, seat) for seat in range(len(view.dynasties))]
    return say(spoken, ENGLISH, names)


def status(view: View) -> str:
    """Who has to decide what, or who has won."""
    if view.ended is not None:
        winners, reason = tuple(map(Who, view.winners)), Sentence(f"end_{view.ended}")
        over = sentence("over", reason=reason, winners=winners, count=len(winners))
        return said(view, over)
    if not view.awaiting or view.step is None:
        return said(view, sentence("nobody"))
    return begun(said(view, told(view.step, view, SAYINGS, "ask_")))


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
    return f"Last action: {said(view, deed(view.last))}." if view.last else ""


def deed(last: LastAction) -> Sentence:
    """What was done, and where."""
    moved = last.deed == "leader" and len(last.cells) > 1
    first, *others = last.cells or ("",)
    color = last.color or "red"
    return sentence(
        f"deed_{'move' if moved else last.deed}",
        seat=Who(last.seat),
        tile=Sentence(f"tile_{color}"),
        leader=Sentence(f"leader_{color}"),
        at=first,
        to=others[0] if others else "",
    )


def last_conflict(view: View) -> str:
    """How the last conflict ended."""
    last = view.conflict
    return f"Last conflict: {fought(view, last)}." if last else ""


def fought(view: View, last: LastConflict) -> str:
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
