"""Questions to a seat: what they can say is read, and the rest is refused in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.engine.play import Step
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Reaction
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.steps import clerks, effects, soldiers, supply, year
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
OTHER = "It is another operation."
QUESTIONS: list[tuple[list[Step], Step, Rows]] = [
    ([], year.ReclaimSome((0,), left=1), FROM_ONE),
    (
        [],
        MOVING,
        [
            ({"left": 1, "moved": ("academy",) * 8}, "A clerk moves once: GW-6.2."),
            ({"left": 2, "moved": ("academy",) * 6}, None),
            ({"seats": (0, 1)}, "One seat is asked at a time."),
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
        up_to_most("Some moves are `left`."),
    ),
    (
        [],
        soldiers.Recruit((0,), left=1, types=("archer",), named=("spearman",)),
        [
            *up_to_most("Some recruits are `left`."),
            ({"types": ()}, "`types` names what is there."),
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
            ({"types": ()}, "`types` names what is there."),
            ({"origins": ()}, "`origins` names what is there."),
            ({"left": -1}, "Some attacks are `left`."),
            ({"left": 41}, "Some attacks are `left`."),
            ({"left": 40}, None),
            ({"left": 0}, None),
            *up_to_most("Some Sections may still be chosen.", "sections"),
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
            ({"left": 2}, "`left` goes from 1 to 1 there."),
            ({"left": 0}, "`left` goes from 1 to 1 there."),
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
        [*FROM_ONE, ({"resources": ()}, "`resources` names what is there.")],
    ),
    (
        [],
        supply.LoseResources((0,), left=1, resources=("wood", "chi")),
        [
            ({"resources": ()}, "`resources` names what is there."),
            ({"left": 18}, None),
            ({"left": 19}, "`left` goes from 1 to 18 there."),
        ],
    ),
    ([], supply.StockWarehouse((0,), left=1, resources=("wood",)), FROM_ONE),
    (
        [year.Chain()],
        effects.OrderAbilities((0,), waiting=(SONG_CI, DRILL), context=NOTHING),
        ABILITIES,
    ),
    (
        [],
        effects.Consider((0,), here=MAY, left=1),
        [
            *FROM_ONE,
            ({"here": replace(MAY, clan=1)}, "They are asked who do it."),
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
            ({"left": 2}, "So many are chosen in all."),
            ({"left": 0, "taken": (1,)}, "So many are chosen in all."),
            ({"here": MAY}, OTHER),
        ],
    ),
    (
        [],
        effects.NamePlayers((0,), here=NAME, left=1, named=(2,)),
        [
            *up_to_most("Some players are `left`."),
            ({"named": (2, 2)}, "`named` names something twice."),
            ({"named": (3,)}, SEATS),
            ({"named": (-1,)}, SEATS),
            ({"here": MAY}, OTHER),
            ({"here": replace(NAME, clan=1)}, "They are asked who do it."),
        ],
    ),
]
"""What is below a question, the question that is told otherwise, and how."""
TOLD = [
    *[
        ([*below, replace(asked, **told)], reason)
        for below, asked, rows in QUESTIONS
        for told, reason in rows
    ],
    ([CHOOSING], "Whose?"),
    ([soldiers.KillBatch(clan=1), CHOOSING], "Whose?"),
    ([soldiers.KillBatch(clan=0, doomed=(ARCHER,)), CHOOSING], "Whose?"),
    ([supply.GainShame(seat=0, left=0, got=1), supply.PlaceShame((0,))], None),
    (
        [supply.GainShame(seat=1, left=0, got=1), supply.PlaceShame((0,))],
        "They get a token: GW-11.2.",
    ),
]


@pytest.mark.parametrize(("above", "reason"), TOLD)
def test_what_a_question_says_is_read_or_refused_in_words(above, reason):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) == reason


@pytest.mark.parametrize("above", [[*below, asked] for below, asked, _ in QUESTIONS])
def test_what_is_told_otherwise_here_is_right_as_it_was(above):
    """GW-7.3, GW-18.6"""
    assert refusal(*above) is None


def reacting(*seats, windows=WINDOWS, context=NOTHING, left=(0,), **own):
    """Why this is refused: these seats may play a tactic card, and are told this of it."""
    below = effects.PlayReactions(left=left, windows=windows, context=NOTHING)
    return refusal(below, effects.React(seats, windows=windows, context=context), **own)


BOTH = (*WINDOWS, (1, ("horde_defeated",)))
HOLDS = {"tactics": ("battle_drums",)}


@pytest.mark.parametrize(
    ("seats", "told", "reason"),
    [
        ((0,), HOLDS, None),
        ((1,), HOLDS, "Their cards are played next: GW-9.4."),
        ((0,), {**HOLDS, "windows": TWICE}, "`windows` names something twice."),
        ((0,), {**HOLDS, "context": Context(last_wounds=1)}, "It is one moment."),
        ((0,), {**HOLDS, "left": ()}, "All are still to be played."),
        ((0,), {}, "Only those who hold tactic cards are asked."),
        ((0,), {**HOLDS, "reaction": Reaction(None)}, "Who has answered has a `reaction`."),
        (
            (0,),
            {**HOLDS, "windows": BOTH, "left": (0, 1)},
            "Only those who hold tactic cards are asked.",
        ),
    ],
)
def test_who_may_play_a_tactic_card_is_read_or_refused_in_words(seats, told, reason):
    """GW-9.4"""
    assert reacting(*seats, **told) == reason


def test_nothing_is_reclaimed_from_an_empty_discard():
    """GW-12.4"""
    assert refusal(year.Reclaim((0,))) is None
    assert refusal(year.Reclaim((0,)), discard=()) == "Nothing is in the discard: GW-12.4."


@pytest.mark.parametrize(
    ("windows", "reason"),
    [(WINDOWS, None), (BOTH[1:], "A `reaction` is kept for a moment that is going on.")],
)
def test_who_let_a_moment_pass_is_remembered_while_others_play_their_cards(windows, reason):
    """GW-9.4"""
    playing = effects.PlayReactions(left=(), windows=windows, context=NOTHING)
    assert refusal(playing, MOVING, reaction=Reaction()) == reason
