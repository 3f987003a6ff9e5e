"""Each tactic card, basic and boosted: its effect at its moment."""

import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from tests.games.great_wall.course import after, change
from tests.games.great_wall.situations import (
    ALL_KILLED,
    ALL_SAVED,
    DEPLOY,
    DEPLOYED,
    DONE,
    OTHERS_KILLED,
    OTHERS_SAVED,
    SAVED,
    SPEARMAN_KILLED,
    TAKE,
    at_moment,
    clerk,
    saving,
    wound,
)
from tests.support.for_each import for_each

ADVISOR = moves.HireAdvisor(0, "herald", active=False)
EFFECTS = {
    # M1, after an attack
    "battle_drums": (([], {"honor": 2}), ([], {"honor": 5})),
    "painted_banners": (([], {"honor": 1, "chi": 1}), ([], {"honor": 4})),
    "spear_wall": (([], {"stone": 1, "honor": 1}), ([], {"stone": 2, "honor": 3})),
    "cavalry_raid": (
        ([TAKE["wood"], TAKE["chi"]], {"wood": 1, "chi": 1}),
        (
            [TAKE["wood"], TAKE["gold"], TAKE["gold"], TAKE["stone"]],
            {"wood": 1, "gold": 2, "stone": 1},
        ),
    ),
    "volley": (
        (wound("left", 0, 3), {"wounds scouts_left": 1}),
        (
            wound("left", 0, 3, 8) + wound("left", 1, 8),
            {"wounds scouts_left": 2, "wounds raiders_left": 1},
        ),
    ),
    "beacon_fires": (
        (wound("center", 0, 1), {"wounds lancers_center": 1}),
        (
            wound("center", 0, 1) + wound("right", 0, 0),
            {"wounds lancers_center": 1, "wounds leader_right": 1},
        ),
    ),
    # M1, after the last Vital spot was filled
    "rob_the_dead": (([], {"gold": 2}), ([], {"gold": 5})),
    "finishing_blow": (([], {"honor": 3}), ([], {"honor": 6})),
    "study_the_enemy": (([], {"tactics": 1}), ([], {"tactics": 1})),
    # M2, a Horde card is about to be defeated
    "heroic_fight": (([], {"honor": 4}), ([], {"honor": 8})),
    "trophy_hunt": (([], {"honor": 3}), ([], {"honor": 8})),
    "captured_scrolls": (([], {"tactics": 1, "chi": 1}), ([], {"tactics": 2, "chi": 2})),
    "spoils_of_war": (
        ([TAKE["gold"]] * 2, {"gold": 2}),
        ([TAKE["gold"]] * 4, {"gold": 4, "honor": 1}),
    ),
    "war_trophies": (
        ([TAKE["chi"]] * 2, {"chi": 2, "honor": 1}),
        ([TAKE["wood"]] * 3, {"wood": 3, "honor": 4}),
    ),
    "brothers_in_arms": (([], {"honor": 2, "chi": 1}), ([], {"chi": 2})),
    # M3, soldiers are about to be killed
    "withdrawal": (
        (
            [saving("horseman", "raiders_left"), saving("archer"), DONE],
            {**OTHERS_SAVED, **SPEARMAN_KILLED},
        ),
        (
            [
                saving("spearman", "scouts_left"),
                saving("horseman", "raiders_left"),
                saving("archer"),
            ],
            ALL_SAVED,
        ),
    ),
    "field_surgeons": (
        ([saving("spearman", "scouts_left"), DONE], {**SAVED, **OTHERS_KILLED}),
        (
            [
                saving("spearman", "scouts_left"),
                saving("horseman", "raiders_left"),
                saving("archer"),
            ],
            ALL_SAVED,
        ),
    ),
    "last_stand": (
        ([DONE], {**ALL_KILLED, "honor": 3}),
        ([DONE], {**ALL_KILLED, "honor": 9}),
    ),
    # M4, after one's Command step
    "restless": (
        ([moves.UpgradeOverseer(0, "quarry")], {"level quarry": 1, "wood": -3}),
        (
            [
                moves.UpgradeOverseer(0, "quarry"),
                moves.UpgradeOverseer(0, "gold_mine", "spearman"),
            ],
            {"level quarry": 1, "wood": -2, "level gold_mine": 1, "stone": -1, "pool spearman": -1},
        ),
    ),
    "forced_march": (
        (clerk("academy"), {"clerks": -1, "at academy": 1}),
        (
            clerk("academy", "academy", "embassy"),
            {"clerks": -3, "at academy": 2, "at embassy": 1},
        ),
    ),
    "night_works": (
        (
            [moves.BuildBarricade(0, "left"), moves.PayBill(0, stone=1)],
            {"barricades left": 1, "honor": 2, "stone": -1},
        ),
        (
            [moves.BuildBarricade(0, "left"), moves.BuildBarricade(0, "center")],
            {"barricades left": 1, "barricades center": 1, "honor": 4},
        ),
    ),
    "imperial_edict": (
        ([ADVISOR], {"supporting": 1, "gold": -2}),
        (
            [moves.ActivateLocation(0, "academy")],
            {"clerks": 1, "at academy": -1, "tactics": 1},
        ),
    ),
    "conscription": (
        (
            [moves.NameRecruit(0, "spearman"), moves.PayBill(0, wood=1, gold=1), DEPLOY],
            {**DEPLOYED, "wood": -1, "gold": -1},
        ),
        (
            [
                moves.NameRecruit(0, "spearman"),
                moves.NameRecruit(0, "archer"),
                moves.PayBill(0, wood=1, stone=2, chi=1),
                DEPLOY,
                moves.SendToRest(0, "archer", "left"),
            ],
            {
                **DEPLOYED,
                "rest left archer": 1,
                "pool archer": -1,
                "wood": -1,
                "stone": -2,
                "chi": -1,
            },
        ),
    ),
    "ambush": (
        (wound("left", 0, 3), {"wounds scouts_left": 1}),
        (
            wound("left", 0, 3) + wound("left", 1, 8, 9),
            {"wounds scouts_left": 1, "wounds raiders_left": 2},
        ),
    ),
    "tea_with_the_emperor": (
        ([], {"tea": 1, "chi": 1}),
        ([], {"tea": 2, "chi": 1, "honor": 2}),
    ),
    "coordinated_assault": (
        (
            [
                moves.NamePlayer(0, 1),
                moves.Attack(1, "spearman", "rest", "left", 0, (3,)),
            ],
            {},
        ),
        (
            [
                moves.Attack(1, "spearman", "rest", "left", 0, (3,)),
                moves.Attack(0, "spearman", "rest", "left", 0, (8,)),
            ],
            {"rest left spearman": -1, "covered scouts_left": 1},
        ),
    ),
    "shared_granaries": (
        (
            [moves.DonateResource(0, "wood"), moves.DonateResource(0, "gold")],
            {"wood": -1, "gold": -1, "honor": 4, "stored wood": 1, "stored gold": 1},
        ),
        (
            [
                *[moves.TakeResource(2, "chi")] * 2,
                *[moves.TakeResource(1, "chi")] * 2,
                *[TAKE["wood"]] * 2,
            ],
            {"wood": 2},
        ),
    ),
    "public_works": (
        (
            [moves.StockResource(0, "wood"), moves.StockResource(0, "gold")],
            {"stored wood": 1, "stored gold": 1},
        ),
        (
            [moves.BuildWall(0, "left"), moves.PayBill(0, stone=1)],
            {"wall left": 1, "honor": 5, "stone": -1},
        ),
    ),
    "amnesty": (
        ([moves.ReturnShame(0, "spearman")], {"shame": -1, "pool spearman": 1}),
        ([moves.ReturnShame(0, "spearman")], {"shame": -1, "pool spearman": 1}),
    ),
    "relief_column": (
        (
            [
                moves.MoveSoldier(0, "spearman", "left", "center"),
                moves.MoveSoldier(0, "archer", "left", "center", fired=True),
            ],
            {
                "rest left spearman": -1,
                "rest center spearman": 1,
                "rest center archer": 1,
                "firing left": -1,
            },
        ),
        (
            [
                moves.NameRecruit(0, "spearman"),
                moves.NameRecruit(0, "spearman"),
                moves.PayBill(0, wood=4),
                DEPLOY,
                DEPLOY,
            ],
            {"rest left spearman": 2, "pool spearman": -2, "wood": -4},
        ),
    ),
    "imperial_messenger": (
        (
            [moves.NamePlayer(0, 1), *clerk("academy", "academy", seat=1)],
            {},
        ),
        ([moves.ReclaimCard(0, "economy")], {"hand": 1, "discard": -1}),
    ),
    "hold_the_gate": (
        ([moves.BuildBarricade(0, "left")], {"barricades left": 1}),
        (
            [moves.BuildBarricade(0, name) for name in ("left", "center", "right")],
            {"barricades left": 1, "barricades center": 1, "barricades right": 1},
        ),
    ),
    "flying_columns": (
        (
            [
                moves.MoveSoldier(0, "spearman", "left", "center"),
                moves.MoveSoldier(0, "spearman", "center", "right"),
            ],
            {"rest left spearman": -1, "rest right spearman": 1},
        ),
        (
            [
                moves.Attack(0, "spearman", "rest", "left", 0, (3,)),
                moves.Attack(0, "archer", "firing", "left", 1, (8,)),
            ],
            {
                "rest left spearman": -1,
                "covered scouts_left": 1,
                "honor": 1,
                "wounds raiders_left": 1,
            },
        ),
    ),
    "salt_monopoly": (
        ([], {"gold": 2}),
        ([moves.HireClerk(0)], {"gold": 1, "clerks": 1, "space": -1}),
    ),
    # M5, after recruiting
    "fresh_levies": (
        ([TAKE["wood"]], {"wood": 1, "honor": 1}),
        ([TAKE["wood"], TAKE["wood"]], {"wood": 2, "honor": 3}),
    ),
    "volunteer_militia": (
        (wound("left", 0, 3), {"wounds scouts_left": 1}),
        ([moves.NameRecruit(0, "spearman"), DEPLOY], DEPLOYED),
    ),
}
CASES = [
    pytest.param(
        card, boosted, *EFFECTS[card][boosted], id=f"{card}-{('basic', 'boosted')[boosted]}"
    )
    for card in EFFECTS
    for boosted in (False, True)
]


@for_each(("card", "boosted", "answers", "effect"), CASES)
def test_a_tactic_card_has_its_effect(card, boosted, answers, effect):
    """GW-9.3, GW-18.6"""
    tactic = decks.TACTICS[card]
    before = at_moment(tactic.window, card)
    new = after(before, moves.PlayTactic(0, card, boosted), *answers)
    assert new.agenda == []
    expected = {"tactics": 0, "chi": 0, **effect}
    expected["tactics"] -= 1
    expected["chi"] -= tactic.boost_cost.chi if boosted else 0
    assert change(before, new) == {name: count for name, count in expected.items() if count}
    assert new.tactic_discard == (card,)
    assert new.played == ()


def test_all_tactic_cards_are_played_here():
    """GW-9.3"""
    assert set(EFFECTS) == set(decks.TACTICS)


EVERYBODY = {
    "study_the_enemy": "tactics",
    "brothers_in_arms": "chi",
    "shared_granaries": "chi",
}


@for_each(("card", "name"), EVERYBODY.items())
def test_a_tactic_card_can_give_something_to_every_player(card, name):
    """GW-18.6"""
    before = at_moment(decks.TACTICS[card].window, card)
    answers, _ = EFFECTS[card][True]
    new = after(before, moves.PlayTactic(0, card, boosted=True), *answers)
    for seat in (1, 2):
        assert change(before, new, seat) == {name: 1 if name == "tactics" else 2}
