"""Refusals that the other tests do not reach, with their rules."""

from __future__ import annotations

from typing import Any

from domain.engine.play import Move, Step
from domain.games.great_wall import moves
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.context import NOTHING
from tests.games.great_wall.game import refusal_of
from tests.games.great_wall.situations import DOOMED, TAKE, full_table, saving
from tests.games.great_wall.table import table
from tests.support.for_each import for_each

DEAR = Bill(gold=10, chi=10)
ORDER = effects.OrderAbilities((0,), waiting=("generals/song_ci/0",), context=NOTHING)
REACT = effects.React((0,), windows=((0, ("you_attack",)),), context=NOTHING)
BUILD = clerks.Build((0,), left=1, barricades=("left",), walls=("left",))
MUSICIAN = effects.Perform(clan=0, script="advisors/court_musician/0")
BETRAYAL = effects.Perform(clan=0, script="commands/betrayal/first")
HAN_QI = effects.Perform(clan=0, script="generals/han_qi/0")
SPEARMAN = ("spearman",)


def attacking(left: int) -> Step:
    return soldiers.Attacking(
        (0,), left=left, types=("archer",), origins=("firing",), sections=0, chosen=("left",)
    )


def wounding(left: int) -> Step:
    return soldiers.Wounding((0,), left=left, first_row=False, sections=("left",))


SHOT = moves.Attack(0, "archer", "firing", "left", 0, (8,))
CHARGE = moves.Attack(0, "spearman", "rest", "left", 0, (8,))
REFUSALS: list[tuple[Step, Move, str, str, dict[str, Any]]] = [
    # another kind of move
    (steps.ChooseCommand((0,)), moves.Done(0), "GW-7.1", "not_now", {}),
    (BUILD, moves.PlayCommand(0, "economy"), "GW-8.8", "unfinished", {}),
    # clerks, Locations, cards in the discard
    (
        clerks.MoveClerks((0,), left=0, spread="any"),
        moves.MoveClerk(0, "temple"),
        "GW-6.2",
        "no_more",
        {},
    ),
    (
        clerks.SendBack((0,), left=1, where="academy"),
        moves.SendClerkBack(0, "temple"),
        "GW-18.6",
        "no_clerk",
        {},
    ),
    (
        clerks.Hire((0,), left=1, clerk=DEAR, advisors=False),
        moves.HireClerk(0),
        "GW-8.9",
        "too_dear",
        {},
    ),
    (BUILD, moves.BuildBarricade(0, "right"), "GW-8.8", "other_section", {}),
    (BUILD, moves.BuildWall(0, "right"), "GW-8.8", "other_section", {}),
    (
        clerks.Upgrade((0,), left=1, where=("quarry",)),
        moves.UpgradeOverseer(0, "quarry"),
        "GW-8.4",
        "top_level",
        {"overseers": {"quarry": 3}},
    ),
    (
        clerks.Upgrade((0,), left=1, where=("temple",)),
        moves.UpgradeOverseer(0, "temple", "horseman"),
        "GW-8.4",
        "no_soldier",
        {"pool": {"spearman": 1}},
    ),
    (
        clerks.Upgrade((0,), left=1, where=("quarry",)),
        moves.UpgradeOverseer(0, "quarry"),
        "GW-8.4",
        "too_dear",
        {"resources": {}},
    ),
    (
        clerks.Donate((0,), left=1, resources=("wood",)),
        moves.DonateResource(0, "wood"),
        "GW-8.5",
        "not_there",
        {"resources": {}},
    ),
    (
        clerks.TakeIncomes((0,), left=1, where="any"),
        moves.TakeIncome(0, 0, "temple"),
        "GW-18.6",
        "no_overseer",
        {},
    ),
    (
        steps.ReclaimSome((0,), left=1),
        moves.ReclaimCard(0, "betrayal"),
        "GW-18.6",
        "not_discarded",
        {},
    ),
    # soldiers
    (attacking(left=0), SHOT, "GW-18.6", "no_more", {}),
    (attacking(left=1), CHARGE, "GW-18.6", "other_soldiers", {}),
    (
        soldiers.Recruit((0,), left=0, types=SPEARMAN),
        moves.NameRecruit(0, "spearman"),
        "GW-8.6",
        "no_more",
        {},
    ),
    (
        soldiers.Recruit((0,), left=1, types=SPEARMAN),
        moves.NameRecruit(0, "archer"),
        "GW-8.6",
        "wrong_type",
        {},
    ),
    (
        soldiers.Save((0,), left=0, bill=Bill()),
        saving("archer"),
        "GW-18.13",
        "no_more",
        {},
    ),
    (soldiers.Save((0,), left=1, bill=DEAR), saving("archer"), "GW-10.12", "too_dear", {}),
    (wounding(left=0), moves.Wound(0, "left", 0, 3), "GW-18.6", "no_more", {}),
    (wounding(left=1), moves.Wound(0, "left", 2, 3), "GW-18.6", "no_card", {}),
    # Shame and resources
    (
        supply.DiscardShame((0,), left=1, bill=DEAR),
        moves.ReturnShame(0, "spearman"),
        "GW-12.2",
        "too_dear",
        {},
    ),
    (
        supply.TakeResources((0,), left=1, resources=("wood",)),
        TAKE["gold"],
        "GW-18.6",
        "wrong_type",
        {},
    ),
    # what cards do
    (ORDER, moves.UseAbility(0, "generals/wan_yi/0"), "GW-1.6", "not_waiting", {}),
    (
        effects.Consider((0,), here=MUSICIAN, left=1),
        moves.Accept(0),
        "GW-18.2",
        "too_dear",
        {"resources": {}},
    ),
    (
        effects.ChooseOption((0,), here=BETRAYAL, left=1),
        moves.TakeOption(0, 9),
        "GW-18.6",
        "no_option",
        {},
    ),
    (
        effects.NamePlayers((0,), here=HAN_QI, left=1),
        moves.NamePlayer(0, 0),
        "GW-18.6",
        "wrong_player",
        {},
    ),
    (
        effects.NamePlayers((0,), here=HAN_QI, left=0),
        moves.NamePlayer(0, 1),
        "GW-18.6",
        "no_more",
        {},
    ),
    # tactic cards
    (REACT, moves.PlayTactic(0, "battle_drums"), "GW-9.3", "not_in_hand", {}),
    (REACT, moves.PlayTactic(0, None, boosted=True), "GW-9.3", "no_card", {}),
    (
        REACT,
        moves.PlayTactic(0, "battle_drums", boosted=True),
        "GW-9.3",
        "too_dear",
        {"tactics": ("battle_drums",), "resources": {}},
    ),
    (REACT, moves.LetPass(0, "horde_defeated"), "GW-9.4", "not_open", {}),
    (REACT, moves.AskAgain(0), "GW-9.4", "no_order", {}),
]
REED = [
    (
        clerks.MoveReedClerks((0,), left=0),
        moves.MoveClerk(0, "temple", "quarry"),
        ("GW-15.5", "no_more"),
    ),
    (
        clerks.ReedBarricade((0,)),
        moves.BuildBarricade(0, "left"),
        ("GW-1.8", "no_section"),
    ),
    (
        soldiers.Deploy((0,), left=SPEARMAN, recruited=SPEARMAN),
        moves.Attack(0, "spearman", "pool", "left", 0, (8,)),
        ("GW-1.8", "no_section"),
    ),
]


@for_each(("step", "move", "rule", "fault", "own"), REFUSALS)
def test_a_refusal_names_its_rule(step, move, rule, fault, own):
    """GW-1.5"""
    state = full_table(**own)
    state.agenda = [soldiers.Dying(clan=0, doomed=DOOMED), step]
    assert refusal_of(state, move) == (rule, fault)


@for_each(("step", "move", "refusal"), REED)
def test_a_refusal_at_a_table_of_two_names_its_rule(step, move, refusal):
    """GW-1.8, GW-15.5"""
    state = table({}, {}, {"clerks": {"quarry": 1, "gold_mine": 1}}, seats=2)
    state.agenda = [step]
    assert refusal_of(state, move) == refusal


def test_nothing_is_copied_from_an_empty_track():
    """GW-9.6"""
    state = full_table()
    state.track = (None, None, None)
    state.agenda = [effects.ChooseOption((0,), here=BETRAYAL, left=1)]
    copies = [refusal_of(state, moves.TakeOption(0, option)) for option in (0, 1)]
    assert sorted(filter(None, copies)) == [("GW-9.6", "nothing_to_copy")]
