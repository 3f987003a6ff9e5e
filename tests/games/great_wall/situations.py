"""A table where nearly everything can happen, for the tests of all cards."""

from __future__ import annotations

from typing import Any

from domain.games.great_wall import moves
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import begin
from tests.games.great_wall.table import horde, table

EVENT = Context(
    sections=("left",),
    hordes=("scouts_left",),
    types=("spearman", "archer", "horseman"),
    last_wounds=1,
    dying=3,
    recruited=1,
)
DOOMED = (
    soldiers.Unit("spearman", "left", "horde", "scouts_left", 2),
    soldiers.Unit("horseman", "left", "horde", "raiders_left", 2),
    soldiers.Unit("archer", "left", "firing"),
)
KILLING = soldiers.KillBatch(clan=0, doomed=DOOMED)
DONE = moves.Done(0)
TAKE = {name: moves.TakeResource(0, name) for name in ("wood", "stone", "gold", "chi")}

SAVED = {"rest left spearman": 1, "wounds scouts_left": 1, "covered scouts_left": -1}
OTHERS_SAVED = {
    "rest left horseman": 1,
    "rest left archer": 1,
    "wounds raiders_left": 2,
    "covered raiders_left": -2,
    "firing left": -1,
}
ALL_SAVED = {**SAVED, **OTHERS_SAVED}
OTHERS_KILLED = {
    "pool horseman": 1,
    "pool archer": 1,
    "wounds raiders_left": 2,
    "covered raiders_left": -2,
    "firing left": -1,
}
SPEARMAN_KILLED = {"pool spearman": 1, "wounds scouts_left": 1, "covered scouts_left": -1}
ALL_KILLED = {**OTHERS_KILLED, **SPEARMAN_KILLED}
"""The effects of DOOMED, if some of the soldiers are saved, or none."""
DEPLOY = moves.SendToRest(0, "spearman", "left")
DEPLOYED = {"rest left spearman": 1, "pool spearman": -1}


def full_table(**own: Any) -> State:
    """A table where the first seat has some of everything, and these belongings."""
    mine = {
        "resources": {"wood": 9, "stone": 9, "gold": 9, "chi": 9},
        "supporting": ("grain_commissioner", "temple_abbot"),
        "overseers": {"quarry": 1},
        "clerks": {"academy": 1},
        "discard": ("economy",),
        "rest": {"left": {"spearman": 1}},
        "firing": {"left": 1},
        "shamed": {"spearman": 2},
        **own,
    }
    return table(
        mine,
        {"rest": {"left": {"spearman": 1}}, "overseers": {"temple": 2}, "discard": ("economy",)},
        hordes={
            "left": [horde("scouts_left", by0=(2,)), horde("raiders_left", by0=(2, 3))],
            "center": [horde("lancers_center")],
            "right": [horde("leader_right")],
        },
        barricades={},
        advisors=("herald", "spy", "tea_master", "carpenter"),
        tea=(2, 1, 0),
        track=[(0, "despotism"), (1, "despotism"), (2, "betrayal")],
    )


def at_moment(window: str, card: str) -> State:
    """A table where a seat holds this tactic card, in its window."""
    state = full_table(tactics=(card,))
    if window == "your_soldier_killed":
        return begin(state, KILLING)
    return begin(state, steps.Moment(windows=((0, (window,)),), context=EVENT))


def wound(section: str, row: int, *spots: int) -> list[moves.Wound]:
    """Moves that put Wound markers on these spots of a Horde card."""
    return [moves.Wound(0, section, row, spot) for spot in spots]


def clerk(*ways: str, seat: int = 0) -> list[moves.MoveClerk]:
    """Moves of clerks from the pool to these Locations."""
    return [moves.MoveClerk(seat, to) for to in ways]


def saving(soldier: str, card: str | None = None) -> moves.SaveSoldier:
    return moves.SaveSoldier(0, soldier, "left", card)
