"""Steps of an agenda with changes, and their refusals."""

from __future__ import annotations

from typing import Any

from domain.engine.errors import BadPosition
from domain.engine.play import Step
from domain.games.great_wall.state.agenda import clerks, soldiers, supply
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import Context
from tests.games.great_wall.turns import in_turn, read

MOVING = clerks.MoveClerks((0,), left=2, spread="any")
PAYING = supply.Pay((0,), bill=Bill(wood=1, any_wsg=1))
PLACING = supply.PlaceShame((0,))
ARCHER = soldiers.Unit("archer", "left", "firing")
SPEARMAN = soldiers.Unit("spearman", "left", "rest")
WINDOWS = ((0, ("you_attack",)),)
TWICE = ((0, ("you_attack",)), (0, ("you_attack",)))
SONG_CI, DRILL = "generals/song_ci/0", "advisors/drill_master/0"

SEATS = "Seats go from 0 to 2."
CLAN = "There is no such clan."
LEFT = "`left` must be from 1 to 40 here."
MARKERS = "`left` Wound markers are out of range."
ATTACKS = "Attacks must have a valid number for each Section."
ONE_BATCH = "All of them must die in one batch."
NOT_GOT = "The clan did not get that many Shame tokens: GW-11.2."
SHAME = "There are not that many Shame tokens."
Rows = list[tuple[dict[str, Any], str | None]]
"""Changes, each with its refusal; None if it is valid."""

CONTEXTS: Rows = [
    ({"context": Context(participants=(7,))}, "`context` names clans."),
    ({"context": Context(participants=(-1,))}, "`context` names clans."),
    ({"context": Context(defeater=3)}, "`context` names clans."),
    ({"context": Context(defeater=-1)}, "`context` names clans."),
    ({"context": Context(defeater=0, participants=(0, 2))}, None),
    ({"context": Context(hordes=("moon",))}, "`context` names Horde cards."),
    ({"context": Context(hordes=("scouts_left",) * 2)}, "`context` names something twice."),
    ({"context": Context(sections=("left", "left"))}, "`context` names something twice."),
    ({"context": Context(types=("archer", "archer"))}, "`context` names something twice."),
    ({"context": Context(participants=(1, 1))}, "`context` names something twice."),
]
MOMENTS: Rows = [
    ({"windows": TWICE}, "`windows` names something twice."),
    ({"windows": ((3, ("you_attack",)),)}, SEATS),
    ({"windows": ((0, ("you_attack", "you_attack")),)}, "`windows` names something twice."),
    CONTEXTS[0],
]
TALLIES: Rows = [
    ({"tally": soldiers.Tally(hordes=("moon",))}, "Only Horde cards of this game can be attacked."),
    ({"tally": soldiers.Tally(filled=("moon",))}, "Only Horde cards of this game can be attacked."),
    (
        {"tally": soldiers.Tally(covered=(("moon", 2),))},
        "Only Horde cards of this game can be attacked.",
    ),
    ({"tally": soldiers.Tally(types=("archer",) * 2)}, "`tally` names something twice."),
    ({"tally": soldiers.Tally(sections=("left",) * 2)}, "`tally` names something twice."),
    ({"tally": soldiers.Tally(hordes=("scouts_left",) * 2)}, "`tally` names something twice."),
]
FROM_ONE: Rows = [({"left": 0}, LEFT), ({"left": 41}, LEFT), ({"left": 40}, None)]


def up_to_most(reason: str, field: str = "left") -> Rows:
    """Rows for the limits of a count."""
    wrong = [({field: number}, reason) for number in (-1, 41)]
    return [*wrong, ({field: 0}, None), ({field: 40}, None)]


ABILITIES: Rows = [
    ({"waiting": ()}, "`waiting` must name known things."),
    ({"waiting": (SONG_CI, SONG_CI)}, "`waiting` names something twice."),
    ({"waiting": ("generals/wan_yi/0",)}, "`waiting` must name known things."),
    CONTEXTS[0],
]


def refusal(*above: Step, **own: Any) -> str | None:
    """The refusal of a position with these steps in a turn; None if it is read."""
    try:
        read(in_turn(*above, **own))
    except BadPosition as refused:
        return str(refused)
    return None
