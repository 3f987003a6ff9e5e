"""Questions to a seat: valid ones are read, others are refused with a reason."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.play import Step
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Reaction
from domain.games.great_wall.state.context import NOTHING, Context
from tests.games.great_wall.wrong import (
    ABILITIES,
    ARCHER,
    ATTACKS,
    DRILL,
    FROM_ONE,
    MARKERS,
    MOVING,
    SEATS,
    SONG_CI,
    SPEARMAN,
    TALLIES,
    TWICE,
    WINDOWS,
    Rows,
    refusal,
    up_to_most,
)

CHOOSING = soldiers.ChooseDoomed((0,), left=1, units=(ARCHER, SPEARMAN))
MAY = effects.Perform(clan=0, script="advisors/court_musician/0")
CHOOSE = effects.Perform(clan=0, script="commands/betrayal/first")
NAME = effects.Perform(clan=0, script="generals/han_qi/0")
OTHER = "The operation is of another kind."
QUESTIONS: list[tuple[list[Step], Step, Rows]] = [
    ([], steps.ReclaimSome((0,), left=1), FROM_ONE),
    (
        [],
        MOVING,
        [
            ({"left": 1, "moved": ("academy",) * 8}, "A clerk moves once: GW-6.2."),
            ({"left": 2, "moved": ("academy",) * 6}, None),
            ({"seats": (0, 1)}, "This question is for one seat at a time."),
        ],
    ),
    (
        [],
        clerks.AdvancedActivation((0,), left=1, where="academy"),
        [*FROM_ONE, ({"where": "moon"}, "There is no Location 'moon'.")],
    ),
    ([], clerks.Upgrade((0,), left=1, where=("quarry",)), FROM_ONE),
    ([], clerks.Donate((0,), left=1, resources=("wood",)), FROM_ONE),
    (
        [],
        clerks.TakeIncomes((0,), left=1, where="any"),
        [
            *FROM_ONE,
            ({"where": "moon"}, "There is no Location 'moon'."),
            ({"done": ((1, "temple"),) * 2}, "`done` names something twice."),
            ({"done": ((3, "temple"),)}, SEATS),
        ],
    ),
    (
        [],
        clerks.Build((0,), left=1, barricades=("left",), walls=("left",)),
        [
            *FROM_ONE,
            ({"barricades": ("left", "left")}, "`sections` names something twice."),
            ({"walls": ("left", "left")}, "`sections` names something twice."),
        ],
    ),
    ([], clerks.Hire((0,), left=1, clerk=Bill(gold=2), advisors=True), FROM_ONE),
    (
        [],
        clerks.Logistics((0,), left=1, route=("left", "center")),
        up_to_most("`left` moves are out of range."),
    ),
    (
        [],
        soldiers.Recruit((0,), left=1, types=("archer",), named=("spearman",)),
        [
            *up_to_most("`left` recruits are out of range."),
            ({"types": ()}, "`types` must name known things."),
            ({"types": ("archer", "archer")}, "`types` names something twice."),
        ],
    ),
    (
        [],
        soldiers.Deploy((0,), left=("horseman",), recruited=("horseman",) * 2),
        [({"left": ("horseman",) * 2}, "Recruits come from the pool: GW-8.6."), *TALLIES],
    ),
    (
        [],
        soldiers.Attacking(
            (0,), left=1, types=("archer",), origins=("firing",), sections=1, chosen=("left",)
        ),
        [
            ({"types": ()}, "`types` must name known things."),
            ({"origins": ()}, "`origins` must name known things."),
            ({"left": -1}, "`left` attacks are out of range."),
            ({"left": 41}, "`left` attacks are out of range."),
            ({"left": 40}, None),
            ({"left": 0}, None),
            *up_to_most("`sections` is out of range.", "sections"),
            ({"chosen": ("left", "left")}, "`chosen` names something twice."),
            ({"made": (1, 0)}, ATTACKS),
            ({"made": (-1, 0, 0)}, ATTACKS),
            ({"made": (41, 0, 0)}, ATTACKS),
            ({"made": (40, 0, 0)}, None),
            ({"shot": (0, 0, 0, 0)}, ATTACKS),
            *TALLIES,
        ],
    ),
    (
        [],
        soldiers.Wounding((0,), left=1, first_row=False, sections=("left",)),
        [
            *up_to_most(MARKERS),
            ({"cards": ("scouts_left",) * 2}, "`cards` names something twice."),
            ({"filled": ("scouts_left",) * 2}, "`cards` names something twice."),
        ],
    ),
    (
        [soldiers.KillBatch(clan=0)],
        CHOOSING,
        [
            ({"left": 2}, "`left` must be from 1 to 1 here."),
            ({"left": 0}, "`left` must be from 1 to 1 here."),
        ],
    ),
    (
        [soldiers.Dying(clan=0, doomed=(ARCHER,))],
        soldiers.Save((0,), left=1, bill=Bill()),
        FROM_ONE,
    ),
    (
        [],
        supply.TakeResources((0,), left=1, resources=("wood", "chi")),
        [*FROM_ONE, ({"resources": ()}, "`resources` must name known things.")],
    ),
    (
        [],
        supply.LoseResources((0,), left=1, resources=("wood", "chi")),
        [
            ({"resources": ()}, "`resources` must name known things."),
            ({"left": 18}, None),
            ({"left": 19}, "`left` must be from 1 to 18 here."),
        ],
    ),
    ([], supply.StockWarehouse((0,), left=1, resources=("wood",)), FROM_ONE),
    (
        [steps.Chain()],
        effects.OrderAbilities((0,), waiting=(SONG_CI, DRILL), context=NOTHING),
        ABILITIES,
    ),
    (
        [],
        effects.Consider((0,), here=MAY, left=1),
        [
            *FROM_ONE,
            ({"here": replace(MAY, clan=1)}, "Only the clan that does it can be asked."),
            ({"here": replace(MAY, counts=3)}, SEATS),
            ({"here": CHOOSE}, OTHER),
        ],
    ),
    (
        [],
        effects.ChooseOption((0,), here=CHOOSE, left=1),
        [
            ({"taken": (0, 0)}, "`taken` names something twice."),
            ({"taken": (2,)}, "`taken` are options of the card."),
            ({"left": 2}, "`taken` and `left` must add up to the choices of the card."),
            (
                {"left": 0, "taken": (1,)},
                "`taken` and `left` must add up to the choices of the card.",
            ),
            ({"here": MAY}, OTHER),
        ],
    ),
    (
        [],
        effects.NamePlayers((0,), here=NAME, left=1, named=(2,)),
        [
            *up_to_most("`left` players are out of range."),
            ({"named": (2, 2)}, "`named` names something twice."),
            ({"named": (3,)}, SEATS),
            ({"named": (-1,)}, SEATS),
            ({"here": MAY}, OTHER),
            ({"here": replace(NAME, clan=1)}, "Only the clan that does it can be asked."),
        ],
    ),
]
"""The steps below a question, the question, and its changes."""
CASES = [
    *[
        ([*below, replace(asked, **told)], reason)
        for below, asked, rows in QUESTIONS
        for told, reason in rows
    ],
    ([CHOOSING], "All of them must be doomed soldiers of this clan."),
    ([soldiers.KillBatch(clan=1), CHOOSING], "All of them must be doomed soldiers of this clan."),
    (
        [soldiers.KillBatch(clan=0, doomed=(ARCHER,)), CHOOSING],
        "All of them must be doomed soldiers of this clan.",
    ),
    ([supply.GainShame(seat=0, left=0, got=1), supply.PlaceShame((0,))], None),
    (
        [supply.GainShame(seat=1, left=0, got=1), supply.PlaceShame((0,))],
        "The seat must be getting a token: GW-11.2.",
    ),
]


@pytest.mark.parametrize(("above", "reason"), CASES)
def test_a_question_is_read_or_refused_with_a_reason(above, reason):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) == reason


@pytest.mark.parametrize("above", [[*below, asked] for below, asked, _ in QUESTIONS])
def test_the_unchanged_steps_are_read(above):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) is None


def reacting(*seats, windows=WINDOWS, context=NOTHING, left=(0,), **own):
    """The refusal when these seats may play a tactic card with this context; None if it is read."""
    below = effects.PlayReactions(left=left, windows=windows, context=NOTHING)
    return refusal(below, effects.React(seats, windows=windows, context=context), **own)


BOTH = (*WINDOWS, (1, ("horde_defeated",)))
HOLDS = {"tactics": ("battle_drums",)}


@pytest.mark.parametrize(
    ("seats", "told", "reason"),
    [
        ((0,), HOLDS, None),
        ((1,), HOLDS, "Their cards must be played next: GW-9.4."),
        ((0,), {**HOLDS, "windows": TWICE}, "`windows` names something twice."),
        (
            (0,),
            {**HOLDS, "context": Context(last_wounds=1)},
            "Both steps must have the same `context`.",
        ),
        ((0,), {**HOLDS, "left": ()}, "All cards must still be unplayed."),
        ((0,), {}, "Only seats with tactic cards are asked."),
        (
            (0,),
            {**HOLDS, "reaction": Reaction(None)},
            "Exactly the seats that have answered have a `reaction`.",
        ),
        (
            (0,),
            {**HOLDS, "windows": BOTH, "left": (0, 1)},
            "Only seats with tactic cards are asked.",
        ),
    ],
)
def test_seats_that_may_play_a_tactic_card_are_read_or_refused_with_a_reason(seats, told, reason):
    """GW-9.4"""
    assert reacting(*seats, **told) == reason


def test_no_card_is_reclaimed_from_an_empty_discard():
    """GW-12.4"""
    assert refusal(steps.Reclaim((0,))) is None
    assert refusal(steps.Reclaim((0,)), discard=()) == "The discard is empty: GW-12.4."


@pytest.mark.parametrize(
    ("windows", "reason"),
    [(WINDOWS, None), (BOTH[1:], "A `reaction` needs a moment in progress.")],
)
def test_windows_of_a_seat_that_passed_are_kept_while_others_play(windows, reason):
    """GW-9.4"""
    playing = effects.PlayReactions(left=(), windows=windows, context=NOTHING)
    assert refusal(playing, MOVING, reaction=Reaction()) == reason
