"""Sentences about abilities, orders to pass, and wins and losses of honor."""

from typing import get_args

import pytest
from msgspec.structs import replace

from domain.engine.game import describe_event, describe_step, describe_touch
from domain.engine.sentences import LANGUAGES, say
from domain.games.great_wall import GAME, board, moves
from domain.games.great_wall.cards import decks, ops
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.events.effects import PassOrdered
from domain.games.great_wall.events.soldiers import SoldiersKilled
from domain.games.great_wall.events.supply import BarricadeBuilt, HonorChanged
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.agenda.soldiers import Unit
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Overseer
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.touch import ABILITY, PASS
from tests.games.great_wall.situations import full_table
from tests.support.for_each import for_each

VIEW = GAME.view(full_table(), 0)
HORDES, TYPES = ("scouts_left",), ("spearman",)


def name_of(touch):
    return say(describe_touch(GAME, touch, VIEW), GAME.resources.texts["en"], ())


def sentence_of(event):
    return say(describe_event(GAME, event, VIEW), GAME.resources.texts["en"], ["Ada", "Bo", "Cid"])


def test_abilities_are_called_by_their_cards():
    """GW-1.6"""
    assert name_of(ABILITY.of("advisors/spy/0")) == "Spy"
    assert name_of(ABILITY.of("generals/wen_tianxiang/1")) == "Wen Tianxiang, ability 2"
    addresses = [script for script in SCRIPTS if script.rpartition("/")[2].isdigit()]
    words = [name_of(ABILITY.of(address)) for address in addresses]
    assert len(set(words)) == len(words)
    assert not [one for one in words if "/" in one or "_" in one]


@for_each("until", [one for kind in get_args(moves.Passing) for one in get_args(kind)])
def test_how_long_a_seat_lets_moments_pass(until):
    """GW-9.4"""
    assert "_" not in name_of(PASS.of(until))
    assert sentence_of(PassOrdered(1, until)).startswith("Bo plays no tactic cards ")


def test_sentences_say_when_a_seat_is_asked_again():
    """GW-9.4"""
    assert name_of(PASS.of("you_attack")) == "pass whenever you attack"
    whole = sentence_of(PassOrdered(1, "you_attack"))
    assert whole == "Bo plays no tactic cards whenever they attack."
    to_bo = GAME.words(names=["Ada", "Bo", "Cid"]).addressing(1)
    own = to_bo.say(describe_event(GAME, PassOrdered(1, "turn"), VIEW))
    assert own == "you play no tactic cards until your next turn."


@pytest.mark.parametrize(("change", "said"), [(3, "+3"), (-2, "-2")])
def test_honor_is_won_or_lost(change, said):
    """GW-1.7"""
    assert sentence_of(HonorChanged(0, change, "hordes")) == f"Ada: {said} honor (hordes)."


@pytest.mark.parametrize(("honor", "said"), [(2, " for 2 honor"), (0, "")])
def test_a_barricade_is_built_for_honor_or_without(honor, said):
    """GW-8.8, GW-15.7"""
    built = sentence_of(BarricadeBuilt(0, "left", honor))
    assert built == f"Ada builds a Barricade in the left Section{said}."


@for_each(
    ("killed", "saved", "said"),
    [
        (1, 0, "Ada loses a Spearman in the left Section (breach)."),
        (0, 1, "Ada saves an Archer in the centre Section (breach)."),
        (
            1,
            1,
            "Ada loses a Spearman in the left Section (breach) "
            "and saves an Archer in the centre Section.",
        ),
    ],
)
def test_lost_and_saved_soldiers_are_named_only_if_there_are_any(killed, saved, said):
    """GW-13.6"""
    lost, kept = [Unit("spearman", "left", "rest")], [Unit("archer", "center", "rest")]
    event = SoldiersKilled(0, tuple(lost[:killed]), tuple(kept[:saved]))
    assert sentence_of(event) == said


DEEDS = {
    *("AdvisorRevealed", "AdvisorsDiscarded", "ArcherPosted", "ArcherShot", "BarricadeBuilt"),
    *("ClerkMoved", "ClerksReturned", "CommandPlaced", "CommandsReclaimed", "GameEnded"),
    *("HordeTaken", "OverseerUpgraded", "QinActed", "QinChose", "RequestsOpened"),
    *("ShameReturned", "SoldierAttacked", "TacticDiscarded", "TacticDrawn", "TeaMoved"),
    "WallBuilt",
}
"""Events whose sentence is the deed itself; the rule stands beside it."""


@for_each("language", LANGUAGES)
def test_each_gain_and_loss_names_its_cause(language):
    """GW-1.7: an event of several causes knows its rule, and its sentences say it in words."""
    texts = GAME.resources.texts[language]
    kinds = {kind.__name__ for kind in GAME.events if "rule" in kind.__struct_fields__}
    assert kinds >= DEEDS
    for kind in kinds - DEEDS:
        ways = [text for key, text in texts.items() if key.partition("_")[0] == kind]
        assert ways, kind
        assert all("{rule}" in text or "{source}" in text for text in ways), kind


def prompt_of(step, state=None):
    state = state or full_table()
    state.agenda.append(step)
    spoken = describe_step(GAME, step, GAME.view(state, 0), 0)
    return say(spoken, GAME.resources.texts["en"], ["Ada", "Bo", "Cid"])


@for_each(
    ("window", "context", "said"),
    [
        (
            "you_attack",
            {"hordes": HORDES, "types": TYPES},
            "after the attack on Steppe Scouts (Spearman)",
        ),
        ("you_attack", {"types": ("archer",)}, "after the attack (Archer)"),
        ("horde_defeated", {"hordes": HORDES}, "before Steppe Scouts is defeated"),
        (
            "your_soldier_killed",
            {"hordes": HORDES, "types": TYPES, "dying": 2},
            "before 2 soldiers would be killed (Spearman; Steppe Scouts)",
        ),
        ("you_recruit", {"types": TYPES}, "after recruiting (Spearman)"),
        ("after_your_command_step", {}, "after the Command step"),
    ],
)
def test_a_question_for_tactic_cards_names_its_moment(window, context, said):
    """GW-9.4"""
    step = effects.React((0,), windows=((0, (window,)),), context=Context(**context))
    assert prompt_of(step) == f"Play a tactic card {said}, or pass."


@for_each("window", get_args(Window))
@for_each("language", LANGUAGES)
def test_each_window_has_its_moment(window, language):
    """GW-9.4"""
    assert f"moment_{window}" in GAME.resources.texts[language]


def test_a_question_for_an_effect_names_the_card_and_its_price():
    """GW-18.2, GW-18.6"""
    scripts = [
        (script, at)
        for script, done in SCRIPTS.items()
        for at, op in enumerate(done)
        if isinstance(op, ops.May) and op.cost
    ]
    for script, at in scripts:
        here = effects.Perform(clan=0, script=script, at=at)
        said = prompt_of(effects.Consider((0,), here=here, left=1))
        card = script.split("/")[1]
        assert any(
            said.startswith("Pay ")
            and said.endswith(
                f" to use {GAME.resources.texts['en'][f'{kind}_{card}']}, or choose “done”."
            )
            for kind in ("general", "advisor", "tactic", "command", "event")
            if f"{kind}_{card}" in GAME.resources.texts["en"]
        ), said
        assert "nothing" not in said


def test_a_payment_names_its_cause():
    """GW-18.2"""
    step = supply.Pay((0,), bill=Bill(gold=3), rule="GW-8.9")
    assert prompt_of(step) == "Pay 3 gold (hiring)."


SECTIONS, ANY = ("left", "center", "right"), ("lumber_mill", "temple")


def test_the_honor_of_a_wall_part_is_not_its_price(monkeypatch):
    """GW-8.8: they are equal on the printed board, and may differ."""
    levels = tuple(replace(one, next_honor=one.next_honor and 7) for one in board.WALL)
    monkeypatch.setattr(board, "WALL", levels)
    said = prompt_of(clerks.Build((0,), left=1, barricades=(), walls=SECTIONS))
    assert said.endswith(": Wall 5 for 7 honor.")
    assert "part: 5 wood, stone or gold for 7 honor" in GAME.render_svg(VIEW, GAME.words())


@for_each(
    ("step", "said"),
    [
        (
            clerks.Build((0,), left=2, barricades=SECTIONS, walls=SECTIONS),
            "Build up to 2 times (wood, stone, gold), or choose “done”: Barricade 2 for 2 honor; "
            "Wall 5 for 5 honor.",
        ),
        (
            clerks.Build((0,), left=1, barricades=SECTIONS, walls=(), free=True, honor=False),
            "Build once (wood, stone, gold), or choose “done”: Barricade free of charge for no "
            "honor.",
        ),
        (
            clerks.Upgrade((0,), left=1, where=ANY),
            "Upgrade an Overseer (+1 income), or choose “done”: Lumber Mill 2 chi; Temple 2 gold.",
        ),
        (
            clerks.Upgrade((0,), left=1, where=ANY, less=1),
            "Upgrade an Overseer (+1 income), or choose “done”: Lumber Mill 2 chi; Temple 2 gold; "
            "1 less in total.",
        ),
        (
            clerks.Upgrade((0,), left=1, where=ANY, free=True),
            "Upgrade an Overseer for free, or choose “done”: Lumber Mill or Temple.",
        ),
        (
            clerks.Donate((0,), left=1, resources=("stone",)),
            "Donate 1 stone for 2 honor, or choose “done”.",
        ),
        (
            soldiers.Recruit((0,), left=2, types=("spearman", "horseman")),
            "Recruit up to 2 soldiers, or choose “done”: Spearman 1 wood, 2 stone; Horseman 1 "
            "wood, 3 gold.",
        ),
        (
            soldiers.Recruit((0,), left=1, types=("archer",), free=True),
            "Recruit up to 1 soldier for free, or choose “done”.",
        ),
        (
            soldiers.ChooseDoomed((0,), left=1, units=()),
            "Choose 1 soldier to be killed (breach). Saving one then costs 2 chi.",
        ),
        (
            soldiers.Save((0,), left=2, bill=Bill(chi=2), cause="GW-10.11"),
            "Save up to 2 soldiers for 2 chi each, or choose “done”: they die (defeat of the "
            "Horde card).",
        ),
        (
            soldiers.Wounding((0,), left=1, first_row=False, sections=SECTIONS, cards=HORDES),
            "Place up to 1 Wound marker on free Vital spots (Steppe Scouts), or choose “done”.",
        ),
        (
            soldiers.Wounding((0,), left=1, first_row=False, sections=("left", "center")),
            "Place up to 1 Wound marker on free Vital spots (left and centre), or choose “done”.",
        ),
        (
            effects.OrderAbilities(
                (0,), waiting=("advisors/spy/0", "generals/wen_tianxiang/1"), context=NOTHING
            ),
            "Choose which ability to use next: Spy or Wen Tianxiang, ability 2.",
        ),
        (
            supply.StockWarehouse((0,), left=1, resources=("wood", "gold")),
            "Put 1 resource from the supply into the Warehouse (card effect): wood or gold.",
        ),
        (
            steps.ReclaimSome((0,), left=1, rule="GW-16.4"),
            "Reclaim up to 1 command card (building), or choose “done”.",
        ),
        (
            supply.DiscardShame((0,), left=3, bill=Bill(honor=10)),
            "Return up to 3 Shame tokens for 10 honor each, or choose “done”.",
        ),
        (
            soldiers.Attacking(
                (0,),
                left=None,
                types=("archer",),
                origins=(),
                sections=0,
                rule="GW-13.2",
                chosen=("left",),
            ),
            "Shoot with your Archers of the left Section: each wounds a Vital spot.",
        ),
        (
            clerks.OrderActivations((0,), waiting=tuple(board.PLACES)),
            "Choose which of the 10 ready Locations activates next.",
        ),
    ],
)
def test_a_question_says_what_it_costs_and_brings(step, said):
    """GW-8.3 to GW-8.9, GW-10.11, GW-10.12, GW-11.4, GW-13.2"""
    assert prompt_of(step) == said


def test_an_upgrade_asks_only_for_overseers_that_can_rise():
    """GW-8.4"""
    state = full_table()
    highest = Overseer(soldier="spearman", level=board.OVERSEER_TOP)
    state.clans[0].overseers = (highest, *state.clans[0].overseers[1:])
    said = prompt_of(clerks.Upgrade((0,), left=1, where=ANY), state)
    assert said == "Upgrade an Overseer (+1 income), or choose “done”: Temple 2 gold."


def test_command_cards_are_worth_their_honor():
    """GW-12.4"""
    state = full_table()
    state.clans[0].discard = tuple(decks.COMMANDS)[:3]
    said = prompt_of(steps.Reclaim((0,)), state)
    assert said == "Reclaim your 3 command cards, or take 6 honor instead."
