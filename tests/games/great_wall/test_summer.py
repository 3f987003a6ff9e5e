"""Summer: chapter 12."""

from domain.games.great_wall import moves
from domain.games.great_wall.events import course, supply
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import LaidCommand
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of, events_of_steps, kinds, of, plan_of
from tests.games.great_wall.table import table

HAND = ("attack_order", "raise_banners")
DISCARD = ("economy", "despotism", "work_harder", "betrayal")


def test_the_steps_of_summer_are_each_done_in_tea_order():
    """GW-1.3, GW-12.1"""
    order = plan_of(table(tea=(2, 0, 1)), steps.Summer())
    assert order == [*["Income"] * 3, *["ShedShame"] * 3, "ClearTrack", *["AskReclaim"] * 3, "Fall"]


def test_each_overseer_yields_its_level_and_then_abilities_answer():
    """GW-12.1"""
    own = {"overseers": {"quarry": 2, "temple": 3}, "active": ("temple_abbot",)}
    events = events_of_steps(table(own), steps.Income(seat=0))
    assert [event.resources for event in of(supply.ResourcesTaken, events)] == [
        {"stone": 2},
        {"chi": 3},
        {"chi": 2},
    ]


def test_shame_tokens_are_returned_for_two_chi_each():
    """GW-12.2"""
    own = {"shamed": {"spearman": 2}, "resources": {"chi": 3}}
    state = begin(table(own, shame=9), steps.ShedShame(seat=0))
    new = after(state, moves.ReturnShame(0, "spearman"))
    assert change(state, new) == {"chi": -2, "shame": -1, "pool spearman": 1}
    assert new.agenda == []
    poor = {"shamed": {"spearman": 2}, "resources": {"chi": 1}}
    assert begin(table(poor), steps.ShedShame(seat=0)).agenda == []


def test_the_track_is_cleared_into_the_discards():
    """GW-12.3"""
    laid = [(0, "economy"), (1, "betrayal"), (2, "economy")]
    state = begin(table({"discard": ("despotism",)}, track=laid), steps.ClearTrack())
    assert state.track == (None, None, None)
    assert [clan.discard for clan in state.clans] == [
        ("economy", "despotism"),
        ("betrayal",),
        ("economy",),
    ]


def test_the_card_of_the_reed_clan_comes_back_each_fall():
    """GW-12.3, GW-15.2"""
    laid = [(2, "reed_command"), (0, "economy"), (1, "economy")]
    events = events_of_steps(table(seats=2, track=laid), steps.ClearTrack())
    assert events == [course.TrackCleared((LaidCommand(0, "economy"), LaidCommand(1, "economy")))]


def reclaiming(**own):
    clan = {"hand": HAND, "discard": DISCARD, **own}
    return begin(table(clan), steps.AskReclaim(seat=0))


def test_all_command_cards_are_taken_back():
    """GW-12.4"""
    state = reclaiming()
    new = after(state, moves.ReclaimCards(0))
    assert change(state, new) == {"hand": 4, "discard": -4}
    assert len(new.clans[0].hand) == 6


def test_command_cards_left_in_the_discard_bring_honor():
    """GW-12.4"""
    state = reclaiming()
    assert change(state, after(state, moves.TakeHonor(0))) == {"honor": 8}
    again = begin(after(state, moves.TakeHonor(0)), steps.AskReclaim(seat=0))
    assert change(state, after(again, moves.TakeHonor(0))) == {"honor": 16}


def test_without_cards_in_the_discard_there_is_no_question():
    """GW-12.4"""
    assert reclaiming(discard=()).agenda == []


def test_abilities_answer_the_choice():
    """GW-12.4, GW-18.4"""
    state = reclaiming(active=("court_historian",))
    assert kinds(events_of(state, moves.TakeHonor(0))) == ["CommandsLeft", "HonorChanged"]
    assert kinds(events_of(state, moves.ReclaimCards(0))) == ["CommandsReclaimed"]
