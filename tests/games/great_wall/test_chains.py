"""Abilities that answer events, and events that abilities cause: GW-1.6, GW-18.4."""

import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects, soldiers
from domain.games.great_wall.state.context import NOTHING, Context
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import expect_refusal
from tests.games.great_wall.situations import DEPLOY, DONE, TAKE, clerk, full_table, wound
from tests.games.great_wall.table import horde, table

QUARRY = moves.UpgradeOverseer(0, "quarry")
MILL = moves.UpgradeOverseer(0, "lumber_mill", "archer")
MINE = moves.UpgradeOverseer(0, "gold_mine", "archer")


def fire(trigger, *clans, **context):
    return steps.Fire(trigger=trigger, clans=clans or (0,), context=Context(**context))


def waiting(state):
    """The cards of the abilities that wait for an order."""
    step = state.agenda[-1]
    assert isinstance(step, effects.OrderAbilities)
    return step.seats[0], [script.split("/")[1] for script in step.waiting]


def test_two_abilities_do_not_trigger_each_other_forever():
    """GW-18.4"""
    before = full_table(active=("manufacturer", "alchemist"))
    upgrade = clerks.Upgrade((0,), left=1, where=("quarry",))
    state = after(begin(before, upgrade), QUARRY)
    assert waiting(state) == (0, ["manufacturer", "alchemist"])
    state = after(state, moves.UseAbility(0, "advisors/manufacturer/0"), MILL)
    assert isinstance(state.agenda[-1], clerks.Upgrade)
    new = after(state, MINE)
    assert new.agenda == []
    levels = {"level quarry": 1, "level lumber_mill": 1, "level gold_mine": 1}
    assert change(before, new) == {**levels, "wood": -3, "pool archer": -2}


def test_an_ability_answers_what_another_one_causes():
    """GW-18.4"""
    before = full_table(general="song_ci", active=("manufacturer",))
    upgrade = clerks.Upgrade((0,), left=1, where=("quarry",))
    state = after(begin(before, upgrade), QUARRY)
    assert change(before, state)["honor"] == 4
    new = after(state, MILL)
    assert change(before, new)["honor"] == 4  # it has already answered in this chain
    before = full_table(active=("sapper_captain", "tactician_monk"))
    before.hordes = ((horde("scouts_left", wounds=3),), (), ())
    build = clerks.Build((0,), left=1, barricades=("left",), walls=(), free=True)
    new = after(begin(before, build), moves.BuildBarricade(0, "left"), *wound("left", 0, 9))
    assert change(before, new)["tactics"] == 2


def test_another_event_begins_a_new_chain():
    """GW-18.4"""
    before = full_table(general="song_ci")
    upgrades = clerks.Upgrade((0,), left=2, where=("quarry", "lumber_mill"))
    new = after(begin(before, upgrades), QUARRY, MILL)
    assert change(before, new)["honor"] == 8
    assert new.agenda == []


def test_a_finished_chain_leaves_nothing():
    """GW-18.4"""
    new = begin(full_table(active=("temple_abbot",)), fire("income"), steps.Chain(used=("x",)))
    assert new.agenda == []


def test_fixed_gains_come_first_and_need_no_order():
    """GW-1.6"""
    before = full_table(
        active=("master_merchant", "temple_abbot", "tea_master", "grain_commissioner")
    )
    new = begin(before, fire("income"))
    assert (new.agenda, change(before, new)) == ([], {"chi": 2, "wood": 1, "stone": 1})
    before = full_table(general="zhong_shidao", active=("racketeer", "temple_abbot"))
    state = begin(before, fire("income"))
    assert change(before, state) == {"chi": 2}
    assert waiting(state) == (0, ["zhong_shidao", "racketeer"])


def test_the_owner_orders_the_other_abilities():
    """GW-1.6"""
    state = begin(full_table(general="zhong_shidao", active=("racketeer",)), fire("income"))
    state = after(state, moves.UseAbility(0, "advisors/racketeer/0"))
    assert isinstance(state.agenda[-1], clerks.TakeIncomes)
    state = after(state, moves.TakeIncome(0, 1, "temple"))
    assert isinstance(state.agenda[-1].seats, tuple)
    assert after(state, DONE).agenda == []


def test_an_ability_that_does_not_wait_is_refused():
    """GW-1.6"""
    state = begin(full_table(general="zhong_shidao", active=("racketeer",)), fire("income"))
    with expect_refusal("cannot use this ability now"):
        after(state, moves.UseAbility(0, "advisors/temple_abbot/0"))


def test_abilities_of_several_players_answer_in_the_given_order():
    """GW-1.6: the caller names the clans in Tea order."""
    state = table({"active": ("recruiting_sergeant",)}, {"general": "wan_yi"})
    state.clans[1].supporting = ("a",)
    state.clans[0].active = ("spy",)
    state.clans[1].active, state.clans[1].general = (), "su_dongpo"
    state.clans[0].shown = state.clans[1].shown = "economy"
    state = begin(state, fire("reveal", 1, 0))
    assert state.agenda[-1].seats == (1,)
    state = after(state, *[moves.TakeResource(1, "wood")] * 2)
    assert state.agenda[-1].seats == (0,)
    assert after(state, *[TAKE["chi"]] * 3).agenda == []


def test_a_gain_of_an_ability_pays_only_for_later_effects():
    """GW-1.6"""
    own = {"chi": 1}
    before = full_table(general="yue_fei", active=("archery_instructor",), resources=own)
    attack = fire("attack", types=("archer",), sections=("left",), hordes=("scouts_left",))
    state = after(begin(before, attack), moves.Accept(0))
    assert change(before, state) == {}
    assert isinstance(state.agenda[-1], soldiers.Wounding)


def test_recruits_by_an_ability_do_not_trigger_it_again():
    """GW-18.4, GW-18.12"""
    before = full_table(general="yang_miaozhen", supporting=("a",))
    recruit = soldiers.Recruit((0,), left=1, types=("spearman",), free=True)
    state = after(begin(before, recruit), moves.NameRecruit(0, "spearman"), DEPLOY)
    state = after(state, moves.NameRecruit(0, "spearman"), moves.PayBill(0, gold=2), DEPLOY)
    assert state.agenda == []
    assert change(before, state) == {
        "gold": -2,
        "pool spearman": -2,
        "rest left spearman": 2,
    }


def test_new_recruits_do_not_attack_by_xin_qiji():
    """GW-18.6"""
    before = full_table(general="xin_qiji", rest={}, firing={})
    recruit = soldiers.Recruit((0,), left=2, types=("spearman", "archer"), free=True)
    named = [moves.NameRecruit(0, "spearman"), moves.NameRecruit(0, "archer")]
    shot = moves.Attack(0, "archer", "pool", "left", 0, (3,))
    new = after(begin(before, recruit), *named, DEPLOY, shot)
    assert new.agenda == []
    before = full_table(general="xin_qiji", firing={})
    state = after(begin(before, recruit), *named, DEPLOY, shot)
    step = state.agenda[-1]
    assert isinstance(step, soldiers.Attacking)
    new = after(state, moves.Attack(0, "spearman", "rest", "left", 0, (8,)))
    assert new.agenda == []


def test_a_kill_batch_in_an_attack_is_a_separate_chain():
    """GW-18.4"""
    before = full_table(active=("survivalist",))
    chain = steps.Chain(used=("advisors/survivalist/0",))
    unit = soldiers.Unit("archer", "left", "firing")
    state = begin(before, soldiers.KillBatch(clan=0, doomed=(unit,)), chain)
    assert isinstance(state.agenda[-1], soldiers.Save)
    new = after(state, moves.SaveSoldier(0, "archer", "left"))
    assert change(before, new) == {"firing left": -1, "rest left archer": 1}


def test_the_effect_of_a_tactic_card_is_a_separate_chain():
    """GW-18.4"""
    before = full_table(tactics=("volley",), active=("tactician_monk",))
    before.hordes = ((horde("scouts_left", wounds=3),), (), ())
    chain = steps.Chain(used=("advisors/tactician_monk/0",))
    event = Context(sections=("left",), hordes=("scouts_left",), types=("archer",))
    moment = steps.Moment(windows=((0, ("you_attack",)),), context=event)
    state = begin(before, moment, chain)
    new = after(state, moves.PlayTactic(0, "volley"), *wound("left", 0, 9))
    assert change(before, new)["tactics"] == -1 + 2


@pytest.mark.parametrize("within", [(), (steps.Chain(used=("advisors/academician/0",)),)])
def test_each_hire_in_a_location_is_a_separate_event(within):
    """GW-18.4, GW-8.9"""
    before = full_table(active=("academician",), clerks={"embassy": 2})
    activation = clerks.AdvancedActivation((0,), left=1, where="embassy")
    state = after(begin(before, activation, *within), moves.ActivateLocation(0, "embassy"))
    hires = [moves.HireAdvisor(0, card, active=False) for card in ("spy", "herald")]
    new = after(state, *hires)
    assert new.agenda == []
    assert change(before, new) == {
        "supporting": 2,
        "honor": 2,
        "gold": -3 - 4,
        "clerks": 2,
        "at embassy": -2,
    }


def test_a_tactic_card_can_trigger_an_ability_twice():
    """GW-18.4"""
    before = full_table(tactics=("restless",), general="song_ci")
    moment = steps.Moment(windows=((0, ("after_your_command_step",)),), context=NOTHING)
    state = after(begin(before, moment), moves.PlayTactic(0, "restless", boosted=True))
    assert change(before, after(state, QUARRY, MINE))["honor"] == 8


def test_an_event_without_answers_passes():
    """GW-18.4"""
    before = full_table()
    assert begin(before, fire("income", 0, 1, 2)).agenda == []
    assert before.clans == begin(before, fire("breach", 2)).clans
    assert Context() == NOTHING


def test_clerks_moved_after_the_command_step():
    """GW-7.3"""
    before = full_table(active=("jinshi",))
    new = after(begin(before, fire("after_command_step")), *clerk("embassy"))
    assert change(before, new) == {"clerks": -1, "at embassy": 1}
