"""The cooperative game: chapter 16, without Requests and orders."""

import pytest

from domain.engine.dice import Luck
from domain.engine.play import Play
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.amounts import Count
from domain.games.great_wall.events import hordes, supply
from domain.games.great_wall.events.course import CommandsReclaimed
from domain.games.great_wall.rules import ending, invasion
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.rules.goods.shame import REDEMPTION
from domain.games.great_wall.scoring import breakdown, scoring
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.agenda import coop as coop_steps
from domain.games.great_wall.state.agenda import supply as supplies
from domain.games.great_wall.state.counters import value
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    new_table,
    of,
    plan_of,
    refusal_of,
)
from tests.games.great_wall.table import horde, participation_honor, table
from tests.support.for_each import for_each


def coop(*clans, **values):
    return table(*clans, mode="coop", **values)


# the setup


@for_each(
    ("seats", "shame", "cards", "requests"),
    [(2, 20, 3, 2), (3, 30, 4, 3), (4, 40, 5, 3), (5, 50, 6, 3)],
)
def test_the_setup(seats, shame, cards, requests):
    """GW-16.1"""
    state = new_table(seats, Luck(seats), mode="coop")
    assert (state.shame, sum(map(len, state.hordes)), state.artifacts) == (shame, cards, ())
    assert state.setup.table.requests_open == requests
    assert (state.events, len(state.event_deck)) == ((), 12)
    assert state.reed == (2 if seats == 2 else None)
    assert state.slot == (1 if seats == 5 else 0)


@pytest.mark.parametrize(("extended", "hordes_", "requests"), [(False, 24, 12), (True, 30, 14)])
def test_the_decks(extended, hordes_, requests):
    """GW-2.4, GW-16.1"""
    setup = new_table(3, mode="coop", extended_decks=extended).setup
    assert {decks.HORDES[card].set for card in setup.hordes} <= {"coop", "coop_extended"}
    assert (len(setup.hordes), len(setup.requests), len(setup.events)) == (hordes_, requests, 12)
    assert (len(setup.generals), len(setup.tactics)) == (13 + 8, 20 + 12)


def test_two_players_leave_four_requests_out_and_the_cards_of_the_left_section():
    """GW-2.5, GW-16.1"""
    setup = new_table(2, mode="coop").setup
    assert len(setup.requests) == 8
    assert len(setup.hordes) == 16


# command cards


def test_command_cards_are_not_taken_back_in_summer():
    """GW-16.4"""
    own = {"discard": ("economy", "betrayal")}
    order = plan_of(coop(own), steps.Summer())
    assert order == [*["Income"] * 3, *["ShedShame"] * 3, "ClearTrack", "Fall"]


def building(**own):
    """A turn in which the first seat builds a Wall part."""
    rich = {"resources": {"stone": 9}, "discard": ("economy", "betrayal"), "hand": (), **own}
    step = clerks.Build((0,), left=1, barricades=(), walls=("left",))
    return begin(coop(rich, active=0), step)


def test_the_builder_of_a_wall_part_may_take_one_command_card_back():
    """GW-16.4"""
    state = after(building(), moves.BuildWall(0, "left"))
    assert legal_moves_of(state, moves.ReclaimCard) == [
        moves.ReclaimCard(0, "economy"),
        moves.ReclaimCard(0, "betrayal"),
    ]
    new = after(state, moves.ReclaimCard(0, "betrayal"))
    assert (new.clans[0].hand, new.clans[0].discard) == (("betrayal",), ("economy",))
    assert new.agenda == []
    assert after(state, moves.Done(0)).clans[0].hand == ()
    assert of(CommandsReclaimed, events_of(state, moves.ReclaimCard(0, "betrayal"))) == [
        CommandsReclaimed(0, ("betrayal",), "GW-16.4")
    ]


def test_a_general_who_takes_cards_back_does_so_in_addition():
    """GW-16.4, GW-18.4"""
    state = after(building(general="di_qing", supporting=("spy",)), moves.BuildWall(0, "left"))
    state = after(state, moves.ReclaimCard(0, "economy"))
    state = after(state, moves.NamePlayer(0, 0), moves.ReclaimCard(0, "betrayal"))
    assert state.clans[0].discard == ()


def test_a_barricade_brings_no_card_back():
    """GW-16.4"""
    rich = {"resources": {"stone": 9}, "discard": ("economy",)}
    step = clerks.Build((0,), left=1, barricades=("left",), walls=())
    state = begin(coop(rich, barricades={}), step)
    assert after(state, moves.BuildBarricade(0, "left")).agenda == []


# Shame


def give_shame(count=1, shame=8, **own):
    """The first seat gets Shame tokens."""
    return begin(coop(own, shame=shame), supplies.GainShame(seat=0, left=count))


def test_shame_goes_under_soldiers_only():
    """GW-16.5"""
    state = give_shame(pool={"spearman": 1, "archer": 1}, defeated=("vanguard_left",))
    assert legal_moves_of(state, moves.PutShame) == [
        moves.PutShame(0, "spearman"),
        moves.PutShame(0, "archer"),
    ]
    onto = moves.PutShame(0, None, "vanguard_left")
    assert refusal_of(state, onto) == ("GW-16.5", "shame_on_card")


def test_we25_a_token_is_returned_at_once_for_ten_honor():
    """GW-16.6: the worked example WE25."""
    state = give_shame(honor=12)
    back = moves.ReturnShame(0)
    assert kinds(events_of(state, back)) == ["ShameTaken", "ShameReturned", "HonorChanged"]
    new = after(state, back)
    assert (new.shame, new.clans[0].honor, new.clans[0].shame) == (8, 2, 0)
    assert (new.clans[0].pool, new.agenda) == (state.clans[0].pool, [])


def test_a_token_returned_at_once_counts_as_received():
    """GW-16.6, GW-18.7"""
    own = {"honor": 12, "active": ("court_musician",), "shamed": {"spearman": 1}}
    state = after(give_shame(**own, resources={"chi": 5}), moves.ReturnShame(0))
    assert type(state.agenda[-1]).__name__ == "Consider"


def test_each_token_costs_ten_honor_to_return():
    """GW-16.6"""
    state = after(give_shame(3, honor=25, pool={"spearman": 9}), *[moves.ReturnShame(0)] * 2)
    assert (state.shame, state.clans[0].honor, state.clans[0].shamed) == (7, 5, (1, 0, 0))


def test_ten_honor_are_enough():
    """GW-16.6"""
    new = after(give_shame(honor=10), moves.ReturnShame(0))
    assert (new.shame, new.clans[0].honor) == (8, 0)


def test_with_less_honor_no_token_is_returned():
    """GW-16.6"""
    state = give_shame(honor=9)
    assert legal_moves_of(state, moves.ReturnShame) == []
    assert refusal_of(state, moves.ReturnShame(0)) == ("GW-16.6", "too_dear")


def test_no_other_token_is_returned_at_once():
    """GW-16.6"""
    state = give_shame(honor=12, shamed={"archer": 1})
    assert refusal_of(state, moves.ReturnShame(0, "archer")) == ("GW-16.6", "other_token")


def test_a_token_with_a_place_cannot_be_given_up():
    """GW-11.2, GW-16.6"""
    assert refusal_of(give_shame(honor=12), moves.Done(0)) == ("GW-11.2", "room")


def test_a_token_without_a_place_can_also_be_returned():
    """GW-11.2, GW-16.6"""
    state = give_shame(honor=12, pool={})
    assert legal_moves_of(state, moves.PutShame) == []
    assert after(state, moves.ReturnShame(0)).shame == 8
    events = events_of(state, moves.Done(0))
    assert events == [supply.ShameUnplaced(0, 5, False)]
    assert (
        events_of_steps(coop({"pool": {}, "honor": 9}, shame=8), supplies.GainShame(seat=0, left=1))
        == events
    )


def test_a_token_without_a_place_does_not_count_as_received():
    """GW-11.2, GW-18.7"""
    musician = {"active": ("court_musician",), "resources": {"chi": 5}, "shamed": {"archer": 1}}
    assert after(give_shame(honor=12, pool={}, **musician), moves.Done(0)).agenda == []


def test_in_summer_a_token_is_returned_for_ten_honor_and_not_for_chi():
    """GW-12.2, GW-16.6"""
    own = {"shamed": {"spearman": 2}, "resources": {"chi": 9}, "honor": 14}
    state = begin(coop(own, shame=9), steps.ShedShame(seat=0))
    new = after(state, moves.ReturnShame(0, "spearman"))
    assert change(state, new) == {"honor": -10, "shame": -1, "pool spearman": 1}
    assert new.agenda == []
    poor = {"shamed": {"spearman": 2}, "resources": {"chi": 9}, "honor": 9}
    assert begin(coop(poor), steps.ShedShame(seat=0)).agenda == []


def test_all_lose_at_once_when_a_token_is_due_and_none_is_left():
    """GW-16.7"""
    state = coop({"honor": 50}, shame=1, active=1, season="fall", tea=(0, 1, 2))
    waiting = (supplies.GainShame(seat=0, left=2), steps.EndTurn())
    state = begin(state, *waiting)
    new = after(state, moves.PutShame(0, "spearman"))
    assert (new.ended, new.winners, new.agenda, new.shame) == ("shame", (), [], 0)
    score = scoring(new)
    assert (score.won, score.winners) == (False, ())


def test_the_last_token_does_not_end_the_game_at_once():
    """GW-16.7, GW-16.12"""
    new = after(give_shame(shame=1), moves.PutShame(0, "spearman"))
    assert (new.ended, new.shame) == (None, 0)
    assert ending.reason(new) == "shame"
    assert begin(new, steps.EndCheck()).ended == "shame"


def test_a_raid_that_empties_the_pool_counts_in_winter():
    """GW-5.3, GW-16.7, GW-16.12"""
    full = {name: [horde(f"{kind}_{name}") for kind in KINDS] for name in board.SECTIONS}
    state = coop(hordes=full, shame=2, horde_deck=("foragers_left",), indicator="left")
    new = begin(state, steps.PlaceHordes(left=1))
    assert (new.shame, new.ended) == (0, None)


KINDS = ("tumen_host", "vanguard", "looters")


# Horde cards


@for_each("slot", range(1, 6))
def test_each_spring_one_more_horde_card_comes(slot):
    """GW-16.8"""
    placed = [count_planned_hordes(mode, slot) for mode in ("standard", "coop")]
    assert placed[1] == placed[0] + 1 == board.TIME_TRACK["2-3"][slot].new_hordes + 1


def count_planned_hordes(mode, slot):
    new = table(mode=mode, slot=slot - 1)
    new.agenda = []
    invasion.begin_spring(Play(new, Luck()), steps.Spring())
    return next(step.left for step in new.agenda if isinstance(step, steps.PlaceHordes))


def fill_horde(card):
    """A Horde card on which the second seat covers all Vital spots."""
    free = tuple(horde(card).free())
    new = horde(card)
    for spot in free:
        new = new.with_soldier(1, (spot,))
    return new


def defeat_horde(*clans, **values):
    state = coop(*clans, hordes={"left": [fill_horde("vanguard_left")]}, **values)
    step = soldiers.TakeAway(card="vanguard_left", defeater=1)
    return state, events_of_steps(state, step), begin(state, step)


def test_the_honor_of_a_claimed_horde_card_is_taken_at_once():
    """GW-16.9"""
    before, events, new = defeat_horde()
    assert kinds(events) == ["HordeTaken", "HonorChanged"]
    assert of(supply.HonorChanged, events) == [supply.HonorChanged(1, 5, "hordes", "GW-16.9")]
    assert change(before, new, 1)["honor"] == 5
    assert breakdown(new, 1)["hordes"] == 5
    assert [line.breakdown["hordes"] for line in scoring(new).lines] == [0, 5, 0]


def test_the_card_is_discarded_and_still_counts_as_claimed():
    """GW-16.9, GW-18.7"""
    _, _, new = defeat_horde()
    clan = new.clans[1]
    assert (clan.claimed, clan.defeated) == ((), ("vanguard_left",))
    assert new.horde_discard == ("vanguard_left",)
    assert [count(new, 1, name) for name in ("hordes_claimed", "vital_spots_claimed")] == [1, 9]
    assert count(new, 0, "hordes_claimed") == 0


def count(state, seat, name):
    return value(state, seat, Count(name))


def test_the_same_card_can_be_claimed_again():
    """GW-1.4, GW-16.9"""
    _, _, new = defeat_horde(
        {}, {"defeated": ("vanguard_left",), "honor": 5, "counted": participation_honor(5)}
    )
    assert new.clans[1].defeated == ("vanguard_left", "vanguard_left")
    assert new.clans[1].honor == 10


def test_no_clan_takes_the_honor_of_cards_that_the_reed_clan_defeats():
    """GW-15.8, GW-16.9"""
    laid = {"center": [fill_horde("tumen_host_center")]}
    state = coop(seats=2, hordes=laid)
    events = events_of_steps(state, soldiers.TakeAway(card="tumen_host_center", defeater=2))
    assert kinds(events) == ["HordeTaken"]
    assert of(hordes.HordeTaken, events)[0].clan is None


def test_in_a_tie_the_higher_in_tea_order_claims_it():
    """GW-16.3, GW-10.11"""
    card = horde("tumen_host_left", by0=(1,), by2=(2,), wounds=4)
    state = coop(hordes={"left": [card]}, tea=(2, 1, 0), active=0)
    new = begin(state, soldiers.DefeatCheck())
    assert (new.clans[2].defeated, new.clans[0].defeated) == (("tumen_host_left",), ())


# the end of a Winter


def test_the_order_of_a_winter():
    """GW-16.10"""
    plan = plan_of(coop(hordes={}), steps.Winter())
    assert [step for step in plan if step not in ("Shooting", "Assault")] == [
        "DefeatCheck",
        "EndWinter",
        "FulfilRequests",
        "EndCheck",
    ]
    assert plan_of(coop(), steps.EndCheck()) == [
        "BlameRequests",
        "RefillRequests",
        "EventStep",
        "Spring",
    ]


def test_complete_walls_end_nothing():
    """GW-16.12"""
    walls = dict.fromkeys(board.SECTIONS, board.TOP_LEVEL)
    assert ending.reason(coop(walls=walls)) is None


def test_honor_pays_for_shame():
    """GW-18.2, GW-16.6"""
    state = coop({"honor": 10})
    assert payments.can_pay(state, 0, REDEMPTION)
    assert not payments.can_pay(state, 1, REDEMPTION)


OPEN = ("timber_levy", "quarry_levy", "rites")


def test_an_event_is_drawn_only_while_the_deck_has_one():
    """GW-16.14"""
    state = coop(event_deck=(), events=tuple(decks.EVENTS))
    assert events_of_steps(state, coop_steps.EventStep()) == []
