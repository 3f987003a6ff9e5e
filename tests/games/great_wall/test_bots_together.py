"""The bots of The Great Wall alone against Qin Jiushao, and all together: GW-14, GW-16."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.bots import sight_of
from domain.engine.dice import Luck
from domain.engine.game import advance, awaited, judge, new_state
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.bot import coop, demands, solo, worth
from domain.games.great_wall.bot.hasty import appeal, hasty
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state.steps import coop as coop_steps
from domain.games.great_wall.state.steps import requests as request_steps
from domain.games.great_wall.state.steps import soldiers
from domain.games.great_wall.state.steps import supply as supplies
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import begun
from tests.games.great_wall.game import new_table
from tests.games.great_wall.table import participated, table

HUMAN, QIN = 0, 2
TAKING = supplies.TakeResources((0,), left=1, resources=("wood", "stone", "gold", "chi"))


def together(*clans: dict[str, Any], requests: tuple[str, ...] = (), **values: Any) -> State:
    """A table of three that plays together, with these Requests open."""
    return table(*clans, mode="coop", requests=requests, **values)


def alone(**own: Any) -> State:
    """A table against Qin at which the human owns this."""
    return table(own, seats=1, mode="solo")


def chosen(state: State, seat: int = 0) -> Any:
    """The move that looks best to a seat."""
    move = hasty(sight_of(GAME, state, seat, Luck(1)))
    judge(GAME, state, move)
    return move


def number(study: Any, name: str, state: State) -> float:
    found: float = study.numbers(state)[study.NAMES.index(name)]
    return found


# what is weighed


@pytest.mark.parametrize(("study", "state"), [(solo, alone()), (coop, together())])
def test_each_number_has_a_name_and_a_weight(study, state):
    assert len(study.numbers(state)) == len(study.NAMES) == len(set(study.NAMES))
    assert set(study.WEIGHTS) == set(study.NAMES)


def test_against_qin_it_is_the_lead_that_counts():
    """GW-14.14"""
    ahead, even = (alone(counted=participated(honor)) for honor in (25, 0))
    assert solo.margin(ahead) == solo.margin(even) + 25
    assert solo.value(ahead) - solo.value(even) == pytest.approx(25)
    assert worth.evaluate(ahead, HUMAN) == solo.value(ahead)


def test_who_has_more_than_qin_has_won_and_who_has_no_shame_left_has_lost():
    """GW-14.14"""
    won = new_table(1, mode="solo")
    won.clans[HUMAN].counted = (300, *won.clans[HUMAN].counted[1:])
    won.ended, won.agenda = "time", []
    assert scoring(won).won
    assert worth.evaluate(won, HUMAN) > solo.WON
    won.ended = "shame"
    assert worth.evaluate(won, HUMAN) < -solo.WON


def test_his_overseers_are_bad_for_the_human():
    """GW-14.7"""
    state = alone()
    assert number(solo, "levels of Qin", state) == 4
    raised = (replace(one, level=3) for one in state.clans[QIN].overseers if one)
    better, state = state, state.copy()
    state.clans[QIN].overseers = tuple(raised)
    assert solo.value(state) < solo.value(better)


def test_all_who_play_together_are_equally_well_off():
    """GW-16.2"""
    state = new_table(4, mode="coop")
    assert len({worth.evaluate(state, seat) for seat in range(4)}) == 1


def test_a_fulfilled_request_is_worth_one_and_the_goal_all():
    """GW-16.2, GW-16.12"""
    none, one = together(), together(fulfilled=("rites",))
    assert coop.value(one) - coop.value(none) == pytest.approx(1)
    assert coop.value(together(ended="requests", agenda=[])) > 10
    assert coop.value(together(ended="time", agenda=[])) < -10


def test_shame_in_the_pool_is_good_for_the_table():
    """GW-16.7"""
    assert coop.value(together(shame=25)) > coop.value(together(shame=5))


@pytest.mark.parametrize(("mode", "seats", "much"), [("solo", 1, 20), ("coop", 2, 2)])
def test_what_is_dealt_at_the_beginning_is_expected_before(mode, seats, much):
    """GW-2.8, GW-2.11"""
    state, dice = new_table(seats, mode=mode), Luck("dealt")
    before = worth.evaluate(state, 0)
    for seat in awaited(state):
        advance(GAME, state, hasty(sight_of(GAME, state, seat, dice)), dice)
    assert state.clans[0].hand
    assert worth.evaluate(state, 0) == pytest.approx(before, abs=much)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (moves.MoveClerk(0, "quarry"), moves.MoveClerk(0, "temple")),
        (moves.PlayCommand(0, "economy"), moves.PlayCommand(0, "attack_order")),
        (moves.TakeHonor(0), moves.ReclaimCards(0)),
    ],
)
def test_against_qin_other_moves_look_good_than_against_each_other(better, worse):
    for state, good in (
        (alone(discard=("economy",) * 4), True),
        (table({"discard": ("economy",) * 4}), False),
    ):
        assert (appeal(state, 0, better) > appeal(state, 0, worse)) == good


def test_who_plays_alone_likes_to_fill_a_location():
    """GW-6.3"""
    places = {"clerks": {"temple": 3}}
    temple = moves.MoveClerk(0, "temple")
    assert appeal(alone(**places), 0, temple) - appeal(alone(), 0, temple) > 3


# what Requests ask for


@pytest.mark.parametrize(
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
def test_how_much_of_a_request_is_there(request_, clans, progress):
    """GW-18.10"""
    state = together(*clans, warehouse={"wood": 3})
    assert demands.progress(state, request_) == pytest.approx(progress)


def test_what_all_open_requests_ask_for_is_added_up():
    """GW-18.10"""
    state = together(requests=("timber_levy", "rites", "glory_belongs"))
    asked = demands.demand(state)
    assert (asked.resources, asked.honor) == ((2, 0, 0, 3), 10)
    assert demands.lacking(state, 0) == (2, 0, 0, 3)
    for request, name, count in (
        ("learned_council", "advisors", 3),
        ("royal_escort", "resting", 2),
        ("higher_wall", "walls", 4),
    ):
        assert getattr(demands.demand(together(requests=(request,))), name) == count


# what looks good


@pytest.mark.parametrize(("request_", "resource"), [("timber_levy", "wood"), ("rites", "chi")])
def test_what_a_request_asks_for_is_taken(request_, resource):
    state = begun(together(requests=(request_,)), TAKING)
    assert chosen(state).resource == resource


def test_what_a_request_asks_for_is_not_given_away():
    """GW-8.5, GW-16.11"""
    levy = ("timber_levy",)
    gift = moves.DonateResource(0, "wood")
    for wood, good in ((2, False), (3, True)):
        state = together({"resources": {"wood": wood}}, requests=levy)
        assert (appeal(state, 0, gift) > appeal(state, 0, moves.Done(0))) == good


def test_clerks_go_where_they_bring_what_is_lacking_to_oneself_or_to_others():
    """GW-6.2, GW-16.11"""
    plain, asked = together(), together(requests=("quarry_levy",))
    quarry, mill = moves.MoveClerk(0, "quarry"), moves.MoveClerk(0, "lumber_mill")
    assert appeal(plain, 0, quarry) == appeal(plain, 0, mill)
    assert appeal(asked, 0, quarry) > appeal(asked, 0, mill)
    own = {"resources": {"stone": 2}}
    helping = together(own, {"clerks": {"quarry": 1}}, requests=("quarry_levy",))
    looks = appeal(helping, 0, quarry) - appeal(together(own, {"clerks": {"quarry": 1}}), 0, quarry)
    assert looks > 0


@pytest.mark.parametrize(
    ("request_", "move"),
    [
        ("learned_council", moves.MoveClerk(0, "embassy")),
        ("higher_wall", moves.MoveClerk(0, "builders")),
        ("royal_escort", moves.MoveClerk(0, "barracks")),
        ("royal_escort", moves.SendToRest(0, "spearman", "left")),
        ("higher_wall", moves.BuildWall(0, "left")),
    ],
)
def test_what_brings_the_table_nearer_to_a_request_looks_better(request_, move):
    """GW-18.10"""
    rich = {"resources": {"wood": 5, "stone": 5}}
    assert appeal(together(rich, requests=(request_,)), 0, move) > appeal(together(rich), 0, move)


def test_what_is_to_be_paid_is_not_spent_on_soldiers_clerks_and_walls():
    """GW-16.11"""
    poor = {"resources": {"wood": 2, "stone": 2, "gold": 2}}
    levies = ("timber_levy", "quarry_levy", "gold_tribute")
    for move in (
        moves.NameRecruit(0, "spearman"),
        moves.HireClerk(0),
        moves.HireAdvisor(0, "tax_collector", active=True),
        moves.BuildBarricade(0, "left"),
    ):
        kept, free = together(poor, requests=levies), together(poor)
        assert appeal(kept, 0, move) < appeal(kept, 0, moves.Done(0)) < appeal(free, 0, move)


def test_honor_that_is_requested_is_not_paid_for_shame():
    """GW-16.6"""
    rich = {"honor": 15, "shamed": {"spearman": 1}}
    back = moves.ReturnShame(0, "spearman")
    for requests, good in ((("rites",), True), (("glory_belongs",), False)):
        state = together(rich, requests=requests)
        assert (appeal(state, 0, back) > appeal(state, 0, moves.Done(0))) == good


def test_bots_agree_declare_and_pay():
    """GW-16.3, GW-16.11"""
    wood = {"resources": {"wood": 2}}
    state = begun(
        together(wood, wood, wood, requests=("timber_levy",)), request_steps.FulfilRequests()
    )
    assert chosen(state) == moves.DeclareRequest(0, "timber_levy")
    advance(GAME, state, chosen(state), Luck(1))
    while waiting := awaited(state):
        assert isinstance(chosen(state, waiting[0]), moves.AgreeToPay)
        advance(GAME, state, chosen(state, waiting[0]), Luck(1))
    assert state.fulfilled == ("timber_levy",)
    agreeing = begun(together(), request_steps.AgreeOrder((0, 1, 2), order=(2, 0, 1)))
    assert chosen(agreeing, 1) == moves.AgreeToOrder(1, (2, 0, 1))


@pytest.mark.parametrize("level", GAME.levels, ids=lambda level: level.key)
def test_bots_of_all_levels_agree_and_keep_nobody_waiting(level):
    """GW-16.3, GW-16.11"""
    wood = {"resources": {"wood": 2}}
    order = begun(together(wood), request_steps.AgreeOrder((0, 1, 2), order=(2, 0, 1)))
    paying = begun(together(*[wood] * 3, requests=("timber_levy",)), request_steps.FulfilRequests())
    advance(GAME, paying, moves.DeclareRequest(0, "timber_levy"), Luck(1))
    for number in range(12):
        agreed, paid = (
            level.bot(sight_of(GAME, state, 1, Luck(number))) for state in (order, paying)
        )
        assert (agreed, paid) == (
            moves.AgreeToOrder(1, (2, 0, 1)),
            moves.AgreeToPay(1, "timber_levy"),
        )


def test_what_is_paid_together_is_shared_by_what_each_has():
    """GW-16.11"""
    clans = [{"honor": honor} for honor in (5, 31, 24)]
    state = begun(together(*clans, requests=("glory_belongs",)), request_steps.FulfilRequests())
    advance(GAME, state, moves.DeclareRequest(0, "glory_belongs"), Luck(1))
    while waiting := awaited(state):
        advance(GAME, state, chosen(state, waiting[0]), Luck(1))
    assert state.fulfilled == ("glory_belongs",)
    assert [clan.honor for clan in state.clans[:3]] == [2, 15, 13]


def test_soldiers_rest_and_shame_lies_where_most_are_left():
    """GW-16.5"""
    state = begun(
        together({"pool": {"spearman": 9, "horseman": 2}}, requests=("rites",), shame=9),
        supplies.PlaceShame((0,)),
    )
    assert chosen(state) == moves.PutShame(0, "spearman")


def test_bots_leave_the_order_of_players_as_it_is():
    """GW-16.3"""
    state = together(requests=("rites",))
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
        if not (waiting := awaited(state)):
            break
        move = hasty(sight_of(GAME, state, waiting[0], dice))
        judge(GAME, state, move)
        advance(GAME, state, move, dice)
    assert scoring(state).won in (True, False)
    assert abs(worth.evaluate(state, 0)) >= 20


@pytest.mark.parametrize("level", GAME.levels, ids=lambda level: level.key)
def test_every_level_chooses_in_either_mode(level):
    for mode, seats in (("solo", 1), ("coop", 3)):
        state = new_state(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, Luck(3))
        judge(GAME, state, level.bot(sight_of(GAME, state, awaited(state)[0], Luck(2))))
