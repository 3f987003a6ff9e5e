"""The bots of The Great Wall against Qin Jiushao, and in the cooperative game: GW-14, GW-16."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import advance, judge, new_state, seats_to_move
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.bot import coop, demands, solo, worth
from domain.games.great_wall.bot.hasty import appeal, hasty_bot
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state.agenda import coop as coop_steps
from domain.games.great_wall.state.agenda import requests as request_steps
from domain.games.great_wall.state.agenda import soldiers
from domain.games.great_wall.state.agenda import supply as supplies
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import begin
from tests.games.great_wall.game import new_table
from tests.games.great_wall.table import horde, participation_honor, table
from tests.support.for_each import for_each

HUMAN, QIN = 0, 2
TAKING = supplies.TakeResources((0,), left=1, resources=("wood", "stone", "gold", "chi"))


def coop_table(*clans: dict[str, Any], requests: tuple[str, ...] = (), **values: Any) -> State:
    """A cooperative table of three, with these Requests open."""
    return table(*clans, mode="coop", requests=requests, **values)


def solo_table(**own: Any) -> State:
    """A table against Qin where the human has these belongings."""
    return table(own, seats=1, mode="solo")


def choose(state: State, seat: int = 0) -> Any:
    """The move with the highest appeal to a seat."""
    move = hasty_bot(bot_view(GAME, state, seat, Luck(1)))
    judge(GAME, state, move)
    return move


def number(study: Any, name: str, state: State) -> float:
    found: float = study.compute_features(state)[study.FEATURES.index(name)]
    return found


# the features


@pytest.mark.parametrize(("study", "state"), [(solo, solo_table()), (coop, coop_table())])
def test_each_feature_has_a_name_and_a_weight(study, state):
    assert len(study.compute_features(state)) == len(study.FEATURES) == len(set(study.FEATURES))
    assert set(study.WEIGHTS) == set(study.FEATURES)


def test_against_qin_the_lead_counts():
    """GW-14.14"""
    ahead, even = (solo_table(counted=participation_honor(honor)) for honor in (25, 0))
    assert solo.current_lead(ahead) == solo.current_lead(even) + 25
    assert solo.evaluate(ahead) - solo.evaluate(even) == pytest.approx(25)
    assert worth.evaluate(ahead, HUMAN) == solo.evaluate(ahead)


def test_more_honor_than_qin_wins_and_no_shame_left_loses():
    """GW-14.14"""
    won = new_table(1, mode="solo")
    won.clans[HUMAN].counted = (300, *won.clans[HUMAN].counted[1:])
    won.ended, won.agenda = "time", []
    assert scoring(won).won
    assert worth.evaluate(won, HUMAN) > solo.VICTORY_VALUE
    won.ended = "shame"
    assert worth.evaluate(won, HUMAN) < -solo.VICTORY_VALUE


def test_his_overseers_are_bad_for_the_human():
    """GW-14.7"""
    state = solo_table()
    assert number(solo, "levels of Qin", state) == 4
    raised = (replace(one, level=3) for one in state.clans[QIN].overseers if one)
    better, state = state, state.copy()
    state.clans[QIN].overseers = tuple(raised)
    assert solo.evaluate(state) < solo.evaluate(better)


def test_in_a_cooperative_game_all_seats_have_the_same_value():
    """GW-16.2"""
    state = new_table(4, mode="coop")
    assert len({worth.evaluate(state, seat) for seat in range(4)}) == 1


def test_a_fulfilled_request_is_worth_one_and_the_goal_all():
    """GW-16.2, GW-16.12"""
    none, one = coop_table(), coop_table(fulfilled=("rites",))
    assert coop.evaluate(one) - coop.evaluate(none) == pytest.approx(1)
    assert coop.evaluate(coop_table(ended="requests", agenda=[])) > 10
    assert coop.evaluate(coop_table(ended="time", agenda=[])) < -10


def test_shame_in_the_pool_is_good_for_the_table():
    """GW-16.7"""
    assert coop.evaluate(coop_table(shame=25)) > coop.evaluate(coop_table(shame=5))


@pytest.mark.parametrize(("mode", "seats", "much"), [("solo", 1, 20), ("coop", 2, 2)])
def test_the_value_before_the_deal_expects_what_is_dealt(mode, seats, much):
    """GW-2.8, GW-2.11"""
    state, dice = new_table(seats, mode=mode), Luck("dealt")
    before = worth.evaluate(state, 0)
    for seat in seats_to_move(state):
        advance(GAME, state, hasty_bot(bot_view(GAME, state, seat, dice)), dice)
    assert state.clans[0].hand
    assert worth.evaluate(state, 0) == pytest.approx(before, abs=much)


@for_each(
    ("better", "worse"),
    [
        (moves.MoveClerk(0, "quarry"), moves.MoveClerk(0, "temple")),
        (moves.PlayCommand(0, "economy"), moves.PlayCommand(0, "attack_order")),
        (moves.TakeHonor(0), moves.ReclaimCards(0)),
    ],
)
def test_other_moves_look_good_against_qin(better, worse):
    for state, good in (
        (solo_table(discard=("economy",) * 4), True),
        (table({"discard": ("economy",) * 4}), False),
    ):
        assert (appeal(state, 0, better) > appeal(state, 0, worse)) == good


def test_a_solo_bot_likes_to_fill_a_location():
    """GW-6.3"""
    places = {"clerks": {"temple": 3}}
    temple = moves.MoveClerk(0, "temple")
    assert appeal(solo_table(**places), 0, temple) - appeal(solo_table(), 0, temple) > 3


# what Requests ask for


@for_each(
    ("request_", "clans", "progress"),
    [
        ("timber_levy", [{"resources": {"wood": 2}}] * 3, 1),
        ("timber_levy", [{"resources": {"wood": 2}}, {"resources": {"wood": 1}}], 0.5),
        ("glory_belongs", [{"honor": 20}, {"honor": 1}], 0.7),
        ("veterans_home", [], 1),
        ("learned_council", [{"active": ("tax_collector", "a", "b")}] * 3, 1),
        ("clean_hands", [{"shamed": {"spearman": 3}}] * 3, 0.5),
        ("higher_wall", [], 0),
        ("full_granaries", [], 0.5),
    ],
)
def test_the_progress_of_a_request_is_measured(request_, clans, progress):
    """GW-18.10"""
    state = coop_table(*clans, warehouse={"wood": 3})
    assert demands.measure_progress(state, request_) == pytest.approx(progress)


def test_the_demands_of_open_requests_add_up():
    """GW-18.10"""
    state = coop_table(requests=("timber_levy", "rites", "glory_belongs"))
    asked = demands.find_demand(state)
    assert (asked.resources, asked.honor) == ((2, 0, 0, 3), 10)
    assert demands.find_shortage(state, 0) == (2, 0, 0, 3)
    for request, name, count in (
        ("learned_council", "advisors", 3),
        ("royal_escort", "resting", 2),
        ("higher_wall", "walls", 4),
    ):
        assert getattr(demands.find_demand(coop_table(requests=(request,))), name) == count


# the appeal of moves


@pytest.mark.parametrize(("request_", "resource"), [("timber_levy", "wood"), ("rites", "chi")])
def test_bots_take_what_a_request_asks_for(request_, resource):
    state = begin(coop_table(requests=(request_,)), TAKING)
    assert choose(state).resource == resource


def test_bots_keep_what_a_request_asks_for():
    """GW-8.5, GW-16.11"""
    levy = ("timber_levy",)
    gift = moves.DonateResource(0, "wood")
    for wood, good in ((2, False), (3, True)):
        state = coop_table({"resources": {"wood": wood}}, requests=levy)
        assert (appeal(state, 0, gift) > appeal(state, 0, moves.Done(0))) == good


def test_clerks_go_where_they_bring_what_a_player_lacks():
    """GW-6.2, GW-16.11"""
    plain, asked = coop_table(), coop_table(requests=("quarry_levy",))
    quarry, mill = moves.MoveClerk(0, "quarry"), moves.MoveClerk(0, "lumber_mill")
    assert appeal(plain, 0, quarry) == appeal(plain, 0, mill)
    assert appeal(asked, 0, quarry) > appeal(asked, 0, mill)
    own = {"resources": {"stone": 2}}
    helping = coop_table(own, {"clerks": {"quarry": 1}}, requests=("quarry_levy",))
    looks = appeal(helping, 0, quarry) - appeal(
        coop_table(own, {"clerks": {"quarry": 1}}), 0, quarry
    )
    assert looks > 0


@for_each(
    ("request_", "move"),
    [
        ("learned_council", moves.MoveClerk(0, "embassy")),
        ("higher_wall", moves.MoveClerk(0, "builders")),
        ("royal_escort", moves.MoveClerk(0, "barracks")),
        ("royal_escort", moves.SendToRest(0, "spearman", "left")),
        ("higher_wall", moves.BuildWall(0, "left")),
    ],
)
def test_moves_towards_a_request_look_better(request_, move):
    """GW-18.10"""
    rich = {"resources": {"wood": 5, "stone": 5}}
    assert appeal(coop_table(rich, requests=(request_,)), 0, move) > appeal(
        coop_table(rich), 0, move
    )


def test_bots_do_not_spend_payments_on_soldiers_clerks_and_walls():
    """GW-16.11"""
    poor = {"resources": {"wood": 2, "stone": 2, "gold": 2}}
    levies = ("timber_levy", "quarry_levy", "gold_tribute")
    for move in (
        moves.NameRecruit(0, "spearman"),
        moves.HireClerk(0),
        moves.HireAdvisor(0, "tax_collector", active=True),
        moves.BuildBarricade(0, "left"),
    ):
        kept, free = coop_table(poor, requests=levies), coop_table(poor)
        assert appeal(kept, 0, move) < appeal(kept, 0, moves.Done(0)) < appeal(free, 0, move)


@for_each(
    "move",
    [
        moves.BuildWall(0, "left"),
        moves.BuildBarricade(0, "left"),
        moves.MoveClerk(0, "builders"),
    ],
)
def test_bots_build_first_where_a_breach_threatens(move):
    """GW-13.6, GW-16.7: also if a Request asks for what it costs."""
    due = {"requests": ("timber_levy", "quarry_levy", "gold_tribute"), "barricades": {}}
    means = {"resources": {"wood": 2, "stone": 2, "gold": 2}}
    threat = {"left": [horde("heavy_cavalry_left")]}
    calm, near = coop_table(means, **due), coop_table(means, hordes=threat, **due)
    assert appeal(near, 0, move) >= appeal(calm, 0, move) + 2
    assert appeal(near, 0, moves.BuildWall(0, "left")) > appeal(
        near, 0, moves.BuildWall(0, "right")
    )


def test_bots_do_not_pay_requested_honor_for_shame():
    """GW-16.6"""
    rich = {"honor": 15, "shamed": {"spearman": 1}}
    back = moves.ReturnShame(0, "spearman")
    for requests, good in ((("rites",), True), (("glory_belongs",), False)):
        state = coop_table(rich, requests=requests)
        assert (appeal(state, 0, back) > appeal(state, 0, moves.Done(0))) == good


def test_bots_agree_declare_and_pay():
    """GW-16.3, GW-16.11"""
    wood = {"resources": {"wood": 2}}
    state = begin(
        coop_table(wood, wood, wood, requests=("timber_levy",)), request_steps.FulfilRequests()
    )
    assert choose(state) == moves.DeclareRequest(0, "timber_levy")
    advance(GAME, state, choose(state), Luck(1))
    while waiting := seats_to_move(state):
        assert isinstance(choose(state, waiting[0]), moves.AgreeToPay)
        advance(GAME, state, choose(state, waiting[0]), Luck(1))
    assert state.fulfilled == ("timber_levy",)
    agreeing = begin(coop_table(), request_steps.AgreeOrder((0, 1, 2), order=(2, 0, 1)))
    assert choose(agreeing, 1) == moves.AgreeToOrder(1, (2, 0, 1))


@for_each("level", GAME.levels)
def test_bots_of_all_levels_agree_at_once(level):
    """GW-16.3, GW-16.11"""
    wood = {"resources": {"wood": 2}}
    order = begin(coop_table(wood), request_steps.AgreeOrder((0, 1, 2), order=(2, 0, 1)))
    paying = begin(
        coop_table(*[wood] * 3, requests=("timber_levy",)), request_steps.FulfilRequests()
    )
    advance(GAME, paying, moves.DeclareRequest(0, "timber_levy"), Luck(1))
    for number in range(12):
        agreed, paid = (
            level.bot(bot_view(GAME, state, 1, Luck(number))) for state in (order, paying)
        )
        assert (agreed, paid) == (
            moves.AgreeToOrder(1, (2, 0, 1)),
            moves.AgreeToPay(1, "timber_levy"),
        )


def test_joint_payments_are_shared_by_means():
    """GW-16.11"""
    clans = [{"honor": honor} for honor in (5, 31, 24)]
    state = begin(coop_table(*clans, requests=("glory_belongs",)), request_steps.FulfilRequests())
    advance(GAME, state, moves.DeclareRequest(0, "glory_belongs"), Luck(1))
    while waiting := seats_to_move(state):
        advance(GAME, state, choose(state, waiting[0]), Luck(1))
    assert state.fulfilled == ("glory_belongs",)
    assert [clan.honor for clan in state.clans[:3]] == [2, 15, 13]


def test_soldiers_rest_and_shame_goes_where_most_soldiers_are_left():
    """GW-16.5"""
    state = begin(
        coop_table({"pool": {"spearman": 9, "horseman": 2}}, requests=("rites",), shame=9),
        supplies.PlaceShame((0,)),
    )
    assert choose(state) == moves.PutShame(0, "spearman")


def test_bots_keep_the_tea_order_of_players():
    """GW-16.3"""
    state = coop_table(requests=("rites",))
    state.agenda.append(coop_steps.OrderPlayers((0,), waiting=(1, 2)))
    assert appeal(state, 0, moves.NamePlayer(0, 2)) < appeal(state, 0, moves.Done(0))
    state.agenda[-1] = soldiers.DefeatCheck()
    assert appeal(state, 0, moves.NamePlayer(0, 2)) > appeal(state, 0, moves.Done(0))


# whole matches


@pytest.mark.parametrize(("mode", "seats"), [("solo", 1), ("coop", 2), ("coop", 5)])
def test_bots_play_to_the_end(mode, seats):
    dice = Luck(f"{mode} {seats}")
    state = new_state(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, dice)
    for _ in range(3_000):
        if not (waiting := seats_to_move(state)):
            break
        move = hasty_bot(bot_view(GAME, state, waiting[0], dice))
        judge(GAME, state, move)
        advance(GAME, state, move, dice)
    assert scoring(state).won in (True, False)
    assert abs(worth.evaluate(state, 0)) >= 20


@pytest.mark.parametrize("level", GAME.levels, ids=lambda level: level.key)
def test_every_level_chooses_in_either_mode(level):
    for mode, seats in (("solo", 1), ("coop", 3)):
        state = new_state(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, Luck(3))
        judge(GAME, state, level.bot(bot_view(GAME, state, seats_to_move(state)[0], Luck(2))))
