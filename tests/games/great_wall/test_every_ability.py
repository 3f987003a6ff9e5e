"""Each General and each advisor: the effect of the ability when it fires."""

import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.rules.effects import modifiers, triggers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks
from domain.games.great_wall.state.context import Context
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.situations import (
    DEPLOY,
    DONE,
    KILLING,
    OTHERS_KILLED,
    OTHERS_SAVED,
    SAVED,
    SPEARMAN_KILLED,
    TAKE,
    clerk,
    full_table,
    saving,
    wound,
)
from tests.support.for_each import for_each

HERE = {"sections": ("left",), "hordes": ("scouts_left",)}
CHARGE = moves.Attack(0, "spearman", "rest", "left", 0, (8,))
CHARGED = {"rest left spearman": -1, "covered scouts_left": 1}
SHOT = moves.Attack(0, "archer", "firing", "left", 0, (8,))
SNIPE = moves.Attack(0, "archer", "firing", "left", 1, (8,))
HONOR = [], {"honor": 4}
"""2 for each of the two Supporting Advisors."""
RETURN = [moves.ReturnShame(0, "spearman")], {"shame": -1, "pool spearman": 1}


def upgrade(location, **less):
    """An upgrade of an Overseer of the first level for 2 less, which makes it free."""
    answer = moves.UpgradeOverseer(0, location, "archer")
    return [answer], {f"level {location}": 1, "pool archer": -1, **less}


EFFECTS = {
    # Generals, with two Supporting Advisors
    "liang_hongyu": ({"types": ("archer",), "killed": 3}, [], {"honor": 12}),
    "yang_miaozhen": (
        {"types": ("archer",), "recruited": 1},
        [
            moves.NameRecruit(0, "spearman"),
            moves.NameRecruit(0, "spearman"),
            moves.PayBill(0, gold=4),
            DEPLOY,
            DEPLOY,
        ],
        {"gold": -4, "pool spearman": -2, "rest left spearman": 2},
    ),
    "song_ci": ({"location": "quarry"}, *HONOR),
    "zhou_tong": ({}, *HONOR),
    "cai_xiang": ({"location": "academy", "clerks": 2}, *HONOR),
    "tong_guan": ({}, [CHARGE, SNIPE], {**CHARGED, "wounds raiders_left": 1}),
    "xin_qiji": (
        {"types": ("archer",), "firing": ("left",), "recruited": 1},
        [CHARGE],
        CHARGED,
    ),
    "yang_ye": ({"saved": 3}, [], {"honor": 6}),
    "wan_yi": ({}, [TAKE["wood"], TAKE["chi"]], {"wood": 1, "chi": 1}),
    "yue_fei": (
        {**HERE, "types": ("archer",)},
        [moves.Accept(0), *wound("left", 0, 3, 8)],
        {"chi": -1, "wounds scouts_left": 2},
    ),
    "han_shizhong": ({"types": ("horseman",)}, *HONOR),
    "di_qing": (
        {"sections": ("left",), "level": 1},
        [
            moves.NamePlayer(0, 0),
            moves.NamePlayer(0, 1),
            moves.ReclaimCard(1, "economy"),
            moves.ReclaimCard(0, "economy"),
        ],
        {"hand": 1, "discard": -1},
    ),
    "fan_zhongyan": (
        {},
        [
            moves.TakeResource(2, "wood"),
            moves.TakeResource(1, "wood"),
            *[TAKE["gold"]] * 3,
        ],
        {"gold": 3},
    ),
    "han_qi": ({}, [moves.NamePlayer(0, 1), *[moves.TakeResource(1, "wood")] * 4], {}),
    "meng_gong": (
        {},
        wound("center", 0, 1) + wound("right", 0, 0),
        {"wounds lancers_center": 1, "wounds leader_right": 1},
    ),
    "wang_anshi": (
        {},
        [moves.StockResource(0, "wood"), moves.StockResource(0, "gold")],
        {"stored wood": 1, "stored gold": 1},
    ),
    "yu_jie": (
        {"sections": ("left",), "level": 1},
        [moves.BuildBarricade(0, "left"), moves.BuildBarricade(0, "right")],
        {"barricades left": 1, "barricades right": 1, "honor": 4},
    ),
    "zhong_shidao": (
        {},
        [moves.ReturnShame(0, "spearman")] * 2,
        {"shame": -2, "pool spearman": 2},
    ),
    "su_dongpo": ({}, [TAKE["wood"]] * 4, {"wood": 4}),
    "wen_tianxiang": ({"choice": "honor"}, [TAKE["wood"]] * 2, {"wood": 2, "tactics": 1}),
    # advisors
    "taskmaster": ({}, [moves.TakeIncome(0, 0, "quarry")], {"stone": 1}),
    "warden": ({}, [SHOT], {"wounds scouts_left": 1}),
    "master_merchant": (
        {},
        [moves.Accept(0), TAKE["wood"], TAKE["stone"], TAKE["chi"]],
        {"gold": -1, "wood": 1, "stone": 1, "chi": 1},
    ),
    "forest_guide": ({}, *RETURN),
    "manufacturer": ({}, *upgrade("lumber_mill")),
    "alchemist": ({}, *upgrade("gold_mine")),
    "spiritual_leader": ({}, *upgrade("temple")),
    "stone_mason": ({}, [moves.UpgradeOverseer(0, "quarry")], {"level quarry": 1, "wood": -1}),
    "jinshi": ({}, clerk("embassy"), {"clerks": -1, "at embassy": 1}),
    "smuggler": ({}, clerk("embassy"), {"clerks": -1, "at embassy": 1}),
    "glory_stealer": (
        {**HERE, "last_wounds": 2},
        [moves.ReturnShame(0, "spearman")] * 2,
        {"shame": -2, "pool spearman": 2},
    ),
    "tactician_monk": ({**HERE, "last_wounds": 2}, [], {"tactics": 4}),
    "keng_hsien_seng": ({}, [], {"gold": 2}),
    "racketeer": ({}, [moves.TakeIncome(0, 1, "temple")], {"chi": 2}),
    "logistician": (
        {},
        [moves.MoveSoldier(0, "spearman", "left", "right"), DONE],
        {"wood": 1, "rest left spearman": -1, "rest right spearman": 1},
    ),
    "stable_master": ({"types": ("horseman",), "killed": 1}, [], {"gold": 2}),
    "grain_commissioner": ({}, [], {"wood": 1, "stone": 1}),
    "temple_abbot": ({}, [], {"chi": 2}),
    "tax_prefect": ({}, [], {"gold": 1}),
    "librarian": ({}, [], {"tactics": 1}),
    "academician": ({}, [], {"honor": 1}),
    "recruiting_sergeant": ({}, [TAKE["wood"], TAKE["chi"]], {"wood": 1, "chi": 1}),
    "court_historian": ({"choice": "honor"}, [], {"honor": 3}),
    "tea_master": ({}, [], {"chi": 1, "honor": 2}),
    "master_builder": ({"sections": ("left",), "level": 1}, [], {"honor": 3}),
    "sapper_captain": (
        {"sections": ("left",)},
        wound("left", 0, 3),
        {"wounds scouts_left": 1},
    ),
    "drill_master": ({"types": ("spearman",)}, [], {"honor": 1}),
    "cavalry_captain": ({"types": ("horseman",)}, [], {"gold": 1, "honor": 1}),
    "archery_instructor": ({"types": ("archer",)}, [], {"chi": 1}),
    "war_drummer": ({**HERE, "defeater": 0}, [], {"honor": 2}),
    "standard_bearer": ({**HERE, "participants": (1, 0)}, [], {"chi": 1, "honor": 1}),
    "monk_healer": ({"saved": 3}, [], {"honor": 3}),
    "gravekeeper": (
        {"types": ("archer",), "killed": 2},
        [TAKE["wood"], TAKE["chi"]],
        {"wood": 1, "chi": 1},
    ),
    "philanthropist": ({}, [], {"honor": 2}),
    "spy": ({}, [TAKE["wood"]] * 3, {"wood": 3}),
    "calligrapher": ({}, [], {"honor": 2}),
    "court_musician": (
        {"shame": 2},
        [moves.Accept(0), moves.ReturnShame(0, "spearman")] * 2,
        {"chi": -2, "shame": -2, "pool spearman": 2},
    ),
}
AT_DEATH = {
    "liu_qi": (
        [saving("archer"), saving("horseman", "raiders_left"), DONE],
        {**OTHERS_SAVED, "chi": -2, **SPEARMAN_KILLED},
    ),
    "survivalist": (
        [saving("spearman", "scouts_left"), DONE],
        {**SAVED, **OTHERS_KILLED},
    ),
}
"""How many soldiers they save before the owner pays; then no others are saved."""
TROOP = ("spearman", "archer", "archer", "horseman")
CHANGES = {
    "qin_hui": [
        (modifiers.count_clerks, ("gold_mine", 2), 6),
        (modifiers.count_clerks, ("quarry", 2), 2),
    ],
    "zong_ze": [(modifiers.total_recruit_discount, (TROOP,), 2)],
    "bi_sheng": [
        (modifiers.can_have_overseers, (), False),
        (modifiers.count_clerks, ("quarry", 3), 6),
        (modifiers.count_clerks, ("gold_mine", 3), 3),
    ],
    "she_saihua": [(modifiers.match_bonus, (), 2)],
    "herald": [
        (modifiers.recruit_discount, ("spearman",), {"stone": 1}),
        (modifiers.recruit_discount, ("archer",), {}),
    ],
    "keng_hsien_seng": [(modifiers.wild_resource, (), "gold")],
    "librarian": [(modifiers.hand_limit, (), 7)],
    "academician": [(modifiers.advisor_discount, (), 1)],
    "carpenter": [
        (modifiers.build_discount, ("barricade",), 1),
        (modifiers.build_discount, ("wall",), 0),
    ],
    "wall_architect": [
        (modifiers.build_discount, ("wall",), 2),
        (modifiers.build_discount, ("barricade",), 0),
    ],
    "imperial_physician": [(modifiers.save_discount, (), 1)],
    "fletcher": [(modifiers.recruit_discount, ("archer",), {"chi": 1})],
    "horse_breeder": [(modifiers.recruit_discount, ("horseman",), {"gold": 2})],
    "strategist": [(modifiers.boost_discount, (), 1)],
    "landowner": [
        (modifiers.can_choose_yield, ("lumber_mill",), True),
        (modifiers.can_choose_yield, ("quarry",), False),
    ],
    "sifu": [(modifiers.spearman_rows, (), 2)],
    "envoy": [(modifiers.breach_shield, (), 1)],
}
"""What changes while the card lies there: a question, and its answer."""


def table_with_leader(card):
    """A crowded table where the first seat has this General, or this Active Advisor."""
    return full_table(general=card) if card in decks.GENERALS else full_table(active=(card,))


def triggers_of(card):
    return [ability.trigger for ability in {**decks.GENERALS, **decks.ADVISORS}[card].triggered]


@for_each(("card", "context", "answers", "effect"), [(c, *e) for c, e in EFFECTS.items()])
def test_an_ability_has_its_effect(card, context, answers, effect):
    """GW-9.1, GW-9.2, GW-18.4, GW-18.6"""
    before = table_with_leader(card)
    fire = steps.Fire(trigger=triggers_of(card)[0], clans=(0,), context=Context(**context))
    new = after(begin(before, fire), *answers)
    assert new.agenda == []
    assert change(before, new) == effect


@pytest.mark.parametrize(("card", "answers", "effect"), [(c, *e) for c, e in AT_DEATH.items()])
def test_an_ability_saves_soldiers(card, answers, effect):
    """GW-10.12, GW-18.13"""
    before = table_with_leader(card)
    new = after(begin(before, KILLING), *answers)
    assert new.agenda == []
    assert change(before, new) == effect


@for_each(("card", "told"), CHANGES.items())
def test_a_modifier_has_its_effect(card, told):
    """GW-9.1, GW-9.2, GW-18.5"""
    for question, about, answer in told:
        assert question(table_with_leader(card), 0, *about) == answer


def test_all_abilities_are_used_here():
    """GW-9.1, GW-9.2"""
    assert {*EFFECTS, *AT_DEATH} == set(triggers.ABILITIES)
    assert set(CHANGES) == {card for cards in modifiers.MODIFIERS.values() for card in cards}
    assert {*EFFECTS, *AT_DEATH, *CHANGES} == {*decks.GENERALS, *decks.ADVISORS}


def test_wen_tianxiang_has_an_ability_after_the_setup_as_well():
    """GW-2.13"""
    before = table_with_leader("wen_tianxiang")
    fire = steps.Fire(trigger="setup_done", clans=(0,), context=Context())
    new = after(begin(before, fire), TAKE["wood"], TAKE["gold"])
    assert change(before, new) == {"wood": 1, "gold": 1}


def test_zhou_tong_gains_twelve_at_most():
    """GW-18.1"""
    before = full_table(
        general="zhou_tong",
        supporting=("a", "b", "c"),
        firing={"left": 1, "center": 1, "right": 1},
    )
    new = begin(before, steps.Fire(trigger="income", clans=(0,), context=Context()))
    assert change(before, new) == {"honor": 12}


@for_each(
    ("card", "context"),
    [
        ("stable_master", {"types": ("archer", "spearman"), "killed": 2}),
        ("drill_master", {"types": ("archer",)}),
        ("cai_xiang", {"location": "academy", "clerks": 1}),
        ("cai_xiang", {"location": "temple", "clerks": 2}),
        ("war_drummer", {**HERE, "defeater": 1, "participants": (0,)}),
        ("standard_bearer", {**HERE, "defeater": 1, "participants": (1,)}),
        ("court_historian", {"choice": "reclaim"}),
        ("spy", {}),
    ],
)
def test_an_ability_does_not_answer_filtered_events(card, context):
    """GW-18.4"""
    before = table_with_leader(card)
    trigger = "income" if card == "spy" else triggers_of(card)[0]
    new = begin(before, steps.Fire(trigger=trigger, clans=(0,), context=Context(**context)))
    assert (new.agenda, change(before, new)) == ([], {})


def test_yue_fei_wounds_no_horde_card_that_was_not_attacked():
    """GW-10.5, GW-18.11: an Archer took a Firing spot and wounded nothing."""
    before = table_with_leader("yue_fei")
    context = Context(sections=("left",), types=("archer",))
    state = begin(before, steps.Fire(trigger="attack", clans=(0,), context=context))
    new = after(state, moves.Accept(0))
    assert (new.agenda, change(before, new)) == ([], {"chi": -1})


def test_a_supporting_advisor_has_no_ability():
    """GW-9.2"""
    before = full_table(supporting=("temple_abbot",))
    new = begin(before, steps.Fire(trigger="income", clans=(0,), context=Context()))
    assert change(before, new) == {}


def test_a_librarian_keeps_seven_tactic_cards_and_others_five():
    """GW-9.5, GW-18.5"""
    five = tuple(decks.TACTICS)[:5]
    for active, kept in (("librarian",), []), ((), [5]):
        state = full_table(tactics=five, active=active, clerks={"academy": 2})
        new = begin(state, clerks.ResolveLocation(location="academy"))
        assert [step.keep for step in new.agenda if hasattr(step, "keep")] == kept
        assert len(new.clans[0].tactics) == 7
