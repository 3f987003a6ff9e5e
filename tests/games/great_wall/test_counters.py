"""The values of amounts and conditions on cards: chapter 18."""

from typing import get_args

from domain.games.great_wall.cards.amounts import Cost, Count, Counter, Limit
from domain.games.great_wall.cards.conditions import Condition
from domain.games.great_wall.rules.effects.conditions import holds
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.context import NOTHING, Context
from domain.games.great_wall.state.counters import count, value
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

RICH = {
    "active": ("spy",),
    "supporting": ("herald", "tea_master"),
    "overseers": {"quarry": 2, "temple": 3},
    "clerks_pool": 4,
    "clerks": {"quarry": 1, "academy": 2},
    "rest": {"left": {"spearman": 2, "archer": 1}},
    "firing": {"left": 2, "right": 1},
    "claimed": (Claim("scouts_left", shame=1), Claim("leader_right")),
    "tactics": ("volley", "ambush"),
    "hand": ("economy",),
    "discard": ("betrayal", "despotism", "work_harder"),
    "resources": {"wood": 1, "chi": 6},
    "shamed": {"spearman": 2},
}
BOARD = {
    "walls": {"left": 2, "center": 1, "right": 2},
    "hordes": {"left": [horde("scouts_right", by0=(2,)), horde("raiders_left")]},
    "track": [(0, "economy"), (1, "economy"), (2, "betrayal")],
    "slot": 3,
}
NOW = Context(killed=1, dying=2, shame=3, saved=4, recruited=5, last_wounds=6, level=7)


@for_each(
    ("counter", "number"),
    {
        "supporting_advisors": 2,
        "active_advisors": 1,
        "advisors": 3,
        "overseers": 2,
        "overseer_levels": 5,
        "clerks_owned": 7,
        "soldiers_fielded": 7,
        "archers_firing": 3,
        "sections_with_own_firing_archer": 2,
        "archers_on_highest_walls": 3,
        "hordes_claimed": 2,
        "vital_spots_claimed": 10,
        "tactics_in_hand": 2,
        "commands_in_hand": 1,
        "commands_in_discard": 3,
        "same_name_commands_on_track": 2,
        "resources_in_pool": 7,
        "shame_tokens": 3,
        "wall_levels_total": 5,
        "killed_now": 1,
        "about_to_die_now": 2,
        "shame_gained_now": 3,
        "saved_now": 4,
        "recruited_now": 5,
        "last_wounds_now": 6,
        "wall_level_now": 7,
        "lethality": 2,
        "year": 4,
        "players": 3,
        "hordes_on_board": 2,
    }.items(),
)
def test_a_counter_counts(counter, number):
    """GW-18.7"""
    assert count(table(RICH, **BOARD), 0, counter, NOW) == number


def test_all_counters_count():
    """GW-18.7"""
    state = table(RICH, **BOARD)
    assert all(count(state, 1, one) >= 0 for one in get_args(Counter) if one != "commands_on_track")


def test_cards_on_the_track_are_counted_by_their_name():
    """GW-7.4, GW-18.7"""
    state = table(RICH, **BOARD)
    assert value(state, 2, Count("commands_on_track", name="economy")) == 2
    assert value(state, 2, Count("commands_on_track", name="attack_order")) == 0


def test_cards_that_are_revealed_and_not_yet_placed_count():
    """GW-7.4"""
    state = table({"shown": "economy"}, {"shown": "economy"}, {"shown": "betrayal"})
    assert count(state, 1, "same_name_commands_on_track") == 2
    assert count(state, 2, "same_name_commands_on_track") == 1


def test_archers_without_a_wall_are_not_on_a_highest_wall():
    """GW-18.7"""
    assert count(table({"firing": {"left": 1}}), 0, "archers_on_highest_walls") == 0
    walls = {"left": 1, "right": 2}
    assert count(table(RICH, walls=walls), 0, "archers_on_highest_walls") == 1


@for_each(
    ("amount", "number"),
    [
        (4, 4),
        (Count("tactics_in_hand"), 2),
        (Count("tactics_in_hand", mul=3), 6),
        (Count("tactics_in_hand", plus=-5), 0),
        (Count("tactics_in_hand", mul=3, plus=1, times="overseers"), 13),
        (Count("tactics_in_hand", mul=3, plus=1, times="overseers", max=12), 12),
        (Count("commands_on_track", mul=2, plus=4, name="economy"), 8),
    ],
)
def test_an_amount_has_the_counted_value(amount, number):
    """GW-18.1"""
    assert value(table(RICH, **BOARD), 0, amount) == number


HERE = Context(hordes=("scouts_right",), sections=("left",), types=("archer", "horseman"))


@for_each(
    ("cond", "here", "elsewhere"),
    [
        (Condition(has=Cost(wood=1, chi=6)), True, True),
        (Condition(has=Cost(any_of_wsg=1)), True, True),
        (Condition(has=Cost(wood=1, any_of_wsg=1)), False, False),
        (Condition(has=Cost(honor=1)), False, False),
        (Condition(soldier_on_this_horde=True), True, False),
        (Condition(archer_in_this_section=True), True, False),
        (Condition(attacked_with=("spearman", "archer")), True, False),
        (Condition(attacked_with=("spearman",)), False, False),
        (Condition(own_clerk_in="academy"), True, True),
        (Condition(own_clerk_in="production"), True, True),
        (Condition(own_clerk_in="tea_house"), False, False),
        (Condition(count_at_least=Limit("overseers", n=2)), True, True),
        (Condition(count_at_least=Limit("overseers", n=3)), False, False),
        (Condition(count_at_most=Limit("overseers", n=2)), True, True),
        (Condition(count_at_most=Limit("overseers", n=1)), False, False),
        (
            Condition(
                all=(Condition(own_clerk_in="any"), Condition(soldier_on_this_horde=True)),
                archer_in_this_section=True,
            ),
            True,
            False,
        ),
        (Condition(own_clerk_in="tea_house", soldier_on_this_horde=True), False, False),
    ],
)
def test_a_condition_holds(cond, here, elsewhere):
    """GW-18.7, GW-18.11"""
    state = table(RICH, **BOARD)
    assert holds(state, 0, cond, HERE) is here
    assert holds(state, 0, cond, NOTHING) is elsewhere


def test_soldiers_of_others_do_not_count_as_yours():
    """GW-18.7"""
    state = table(RICH, {"firing": {"left": 1}}, **BOARD)
    assert not holds(state, 1, Condition(soldier_on_this_horde=True), HERE)
    assert holds(state, 1, Condition(archer_in_this_section=True), HERE)
    assert not holds(state, 2, Condition(archer_in_this_section=True), HERE)
