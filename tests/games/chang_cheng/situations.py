"""Tables of Chang Cheng at each kind of decision, and just before the end."""

from __future__ import annotations

from domain.engine.play import Move
from domain.games.chang_cheng import moves
from domain.games.chang_cheng.state.table import State
from tests.games.chang_cheng.table import card, happens, table

NEXT = {"type": "NextTurn", "seat": 0}
FORCED = [NEXT, {"type": "ForcedNeutral", "seats": [0]}]
TWO_FULL_BUT_ONE = "b1:1=0 b1:2=0 b1:3=1 b1:6=1 b1:7=1 b1:8=2 b1:9=2"
THREE_FULL = "b1:1=0 b1:2=0 b1:3=1 b1:4=1 b2:1=1 b2:2=1 b2:3=1 b2:10=2 b2:11=2 b2:12=2"
KEPT = "b1:6=1t b1:5=0 b2:1=0t"


def after(state: State, *made: Move) -> State:
    happens(state, *made)
    return state


def using(number: int) -> State:
    """Seat 1 uses this card in b1:C1, where a single of the neutral colour stands."""
    laid = [card(1, number, "b1:C1"), card(0, 5, "b1:C1")]
    state = table("b1:1=0 b1:2=1 b1:3=n b2:1=0 b2:5-6=1", seats=2, cards=laid)
    return after(state, moves.BuildSingle(0, "b1:4"))


WAITING: dict[str, State] = {
    "FirstTurn": table("b1:2=0", opening=True, first=0, active=1),
    "Turn": table(KEPT, reserved={"1": ["b1:7"]}, cards=[card(0, 3, "b1:C1")]),
    "SecondSingle": after(table(KEPT, reserved={"1": ["b1:7"]}), moves.BuildSingle(0, "b1:1")),
    "AfterCard": after(table("b1:3=1"), moves.LayCard(0, "b1:C1", 4)),
    "AfterCard, the last": after(table(hands=[[4], [], []]), moves.LayCard(0, "b1:C1", 4)),
    "OfferNeutral": after(table(seats=2), moves.BuildDouble(0, ("b1:4", "b1:5"))),
    "ForcedNeutral": table(KEPT, seats=2, reserved={"1": ["b1:7"]}, agenda=FORCED),
    "ChooseOrder": after(table(TWO_FULL_BUT_ONE), moves.BuildDouble(0, ("b1:4", "b1:5"))),
    "Extend": after(table(THREE_FULL, emperors=["b1:C1", "b2:C1"]), moves.BuildSingle(0, "b2:13")),
    **{f"UseCard {number}": using(number) for number in (1, 2, 3, 4, 6)},
}
"""A table for each kind of step that waits for a seat, and for each card that has a choice."""

LAST = moves.BuildSingle(0, "b3:13")
EAST = "b2:1-2=0 b2:3-4=1 " + " ".join(
    f"{cell}={'01n'[place % 3]}"
    for place, cell in enumerate(
        [f"b1:{n}" for n in range(6, 14)]
        + [f"b2:{n}" for n in range(5, 14)]
        + [f"b3:{n}" for n in range(1, 13)]
    )
)


def nearly_full(north: str, **position: object) -> State:
    """Two players; these pieces fill b1:M1, and the only cell still empty is the last one."""
    west = " ".join(f"b1:{n}={sign}" for n, sign in enumerate(north.split(), 1))
    position.setdefault("hands", [[], []])
    return table(f"{west} {EAST}", seats=2, boards=["b1", "b2", "b3"], **position)
