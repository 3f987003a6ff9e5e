"""Each trigger fires at its moment, for its clan, with the context of its event."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

import pytest

from domain.engine.play import Move, Step
from domain.games.great_wall import moves
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.abilities import Trigger, TriggeredAbility
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.rules.effects.triggers import ABILITIES
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers, supply
from domain.games.great_wall.state.clans import Leaders
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.situations import (
    DEPLOY,
    DONE,
    KILLING,
    full_table,
    saving,
    wound,
)

SCRIPT = "generals/song_ci/0"
ASKED = (ops.May(do=()),)
NEVER = {"request_fulfilled"}
"""The tests here have no Requests of the Emperor, so none is fulfilled."""


class Case(NamedTuple):
    """What happens, the moves that follow, and the context that an ability gets."""

    step: Step
    answers: tuple[Move, ...] = ()
    context: Context = NOTHING
    tactics: tuple[str, ...] = ()


LEFT = {"sections": ("left",)}
ALL = ("spearman", "horseman", "archer")
CARDS = ("scouts_left", "raiders_left")
CASES: dict[str, list[Case]] = {
    "after_command_step": [Case(steps.AfterCommandStep())],
    "after_activation_step": [Case(steps.AfterActivationStep())],
    "income": [Case(steps.Income(seat=0))],
    "reclaim_choice": [
        Case(steps.Reclaim((0,)), (moves.ReclaimCards(0),), Context(choice="reclaim")),
        Case(steps.Reclaim((0,)), (moves.TakeHonor(0),), Context(choice="honor")),
    ],
    "spring_invasion": [Case(steps.Spring())],
    "location_activated": [
        Case(
            clerks.ResolveLocation(location="academy"),
            (),
            Context(location="academy", clerks=1),
        )
    ],
    "upgrade": [
        Case(
            clerks.UpgradeNow(seat=0, location="quarry", soldier=None),
            (),
            Context(location="quarry"),
        )
    ],
    "donate": [
        Case(clerks.Donate((0,), left=1, resources=("wood",)), (moves.DonateResource(0, "wood"),))
    ],
    "recruit": [
        Case(
            soldiers.Deploy((0,), left=("spearman",), recruited=("archer", "spearman", "spearman")),
            (DEPLOY,),
            Context(types=("archer", "spearman"), recruited=3, resting=(("left", "spearman"),)),
        )
    ],
    "attack": [
        Case(
            soldiers.Attacking((0,), left=1, types=("spearman",), origins=("rest",), sections=1),
            (moves.Attack(0, "spearman", "rest", "left", 0, (8,)),),
            Context(**LEFT, types=("spearman",), hordes=("scouts_left",)),
        )
    ],
    "last_wound": [
        Case(
            soldiers.Wounding((0,), left=3, first_row=True, sections=("left",)),
            tuple(wound("left", 0, 3, 8, 9)),
            Context(**LEFT, hordes=("scouts_left",), last_wounds=1),
        )
    ],
    "horde_defeated": [
        Case(
            soldiers.Defeated(card="scouts_left", defeater=1),
            (),
            Context(**LEFT, hordes=("scouts_left",), defeater=1, participants=(0,)),
        )
    ],
    "would_be_killed": [Case(KILLING, (), Context(**LEFT, hordes=CARDS, types=ALL, dying=3))],
    "soldier_killed": [
        Case(KILLING, (DONE,), Context(**LEFT, hordes=CARDS, types=ALL, killed=3)),
        Case(
            KILLING,
            (saving("archer"), DONE),
            Context(**LEFT, hordes=CARDS, types=ALL[:2], killed=2, saved=1),
        ),
    ],
    "soldier_saved": [
        Case(
            KILLING,
            (saving("archer"), DONE),
            Context(**LEFT, types=("archer",), killed=2, saved=1),
        )
    ],
    "breach": [
        Case(
            steps.Assault(section="center"),
            tuple(moves.PutShame(seat, "spearman") for seat in (2, 1, 0)),
            Context(sections=("center",)),
        )
    ],
    "shame_gained": [
        Case(
            supply.GainShame(seat=0, left=2),
            (moves.PutShame(0, "spearman"), moves.PutShame(0, "archer")),
            Context(shame=2),
        )
    ],
    "build_wall": [
        Case(clerks.BuildNow(seat=0, section="left", wall=True), (), Context(**LEFT, level=1))
    ],
    "build_barricade": [
        Case(clerks.BuildNow(seat=0, section="left", wall=False), (), Context(**LEFT))
    ],
    "hire_clerk": [Case(clerks.HireNow(seat=0))],
    "hire_advisor": [Case(clerks.HireNow(seat=0, advisor="spy"))],
    "play_tactic": [
        Case(
            steps.Moment(windows=((0, ("you_deal_last_wound",)),), context=Context(last_wounds=1)),
            (moves.PlayTactic(0, "rob_the_dead"),),
            NOTHING,
            ("rob_the_dead",),
        )
    ],
    "other_clerk_move": [Case(steps.CommandPart(clan=0, slot=1, part="others"), (DONE,))],
    "tea_moved": [Case(clerks.DrinkTea(clan=0, top=False))],
}


@pytest.fixture
def ability(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes the General of the first seat answer this trigger with a question."""

    def answers(trigger: Trigger) -> None:
        monkeypatch.setitem(
            ABILITIES, "song_ci", {SCRIPT: TriggeredAbility(trigger=trigger, do=ASKED)}
        )
        monkeypatch.setitem(SCRIPTS, SCRIPT, ASKED)

    return answers


def context_of(state: State) -> Context:
    """The context of the ability about which the first seat is asked."""
    step = state.agenda[-1]
    assert isinstance(step, effects.Consider), step
    assert (step.seats, step.here.clan, step.here.script) == ((0,), 0, SCRIPT)
    return step.here.context


@pytest.mark.parametrize(
    ("trigger", "case"), [(trigger, case) for trigger in CASES for case in CASES[trigger]]
)
def test_an_ability_answers_its_trigger(ability, trigger, case):
    """GW-18.4, GW-18.7, GW-18.11"""
    ability(trigger)
    state = full_table(general="song_ci", tactics=case.tactics)
    state.active = 0
    assert context_of(after(begin(state, case.step), *case.answers)) == case.context


def test_abilities_answer_the_end_of_the_setup(ability):
    """GW-2.13"""
    ability("setup_done")
    state = full_table(tactics=())
    for clan, general in zip(state.clans, ("song_ci", "wan_yi", "yue_fei"), strict=True):
        clan.leaders = Leaders(general, "fletcher", "envoy")
    assert context_of(begin(state, steps.RevealLeaders())) == NOTHING


def test_abilities_answer_the_command_cards(ability):
    """GW-7.2"""
    ability("reveal")
    state = full_table(general="song_ci")
    for clan in state.clans:
        clan.command = "economy"
    assert context_of(begin(state, steps.RevealCommands())) == NOTHING


def test_every_trigger_is_shown_here():
    """GW-18.7"""
    assert {*CASES, "setup_done", "reveal"} | NEVER == set(get_args(Trigger))
