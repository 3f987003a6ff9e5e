"""Spring: chapters 3, 4 and 5."""

from itertools import pairwise

from domain.engine.dice import Luck
from domain.games.great_wall.events import clerks, course, hordes
from domain.games.great_wall.rules.war.defeat import lethality
from domain.games.great_wall.state import steps
from tests.engine.table import Script
from tests.games.great_wall.course import begin
from tests.games.great_wall.game import events_of_steps, kinds, new_table, of, plan_of
from tests.games.great_wall.table import horde, table

HOLDERS = [{"hand": ("economy",)}] * 3
ADVISORS = ("herald", "spy", "tea_master", "carpenter")


def invade(cards, laid, count=1, dice=None, **values):
    """The events of placing Horde cards from this deck."""
    state = table(horde_deck=cards, hordes=laid, horde_discard=(), **values)
    return events_of_steps(state, steps.PlaceHordes(left=count), dice=dice)


def test_a_year_begins_with_spring_and_summer_except_the_first():
    """GW-3.1, GW-5.1"""
    state = table(*HOLDERS, slot=0, advisors=ADVISORS)
    events = events_of_steps(state, steps.Spring())
    assert events[0] == course.YearBegan(1, 2)
    seasons = [event.season for event in of(course.SeasonBegan, events)]
    assert seasons == ["spring", "summer", "fall"]


def test_the_time_track_says_how_many_horde_cards_come():
    """GW-4.1, GW-5.2"""
    for seats, slot, new in ((3, 1, 2), (3, 4, 3), (4, 1, 3), (4, 3, 4)):
        state = new_table(seats)
        state.slot = slot - 1
        state.advisors = state.advisor_deck[:4]
        state.advisor_deck = state.advisor_deck[4:]
        drawn = of(hordes.HordeDrawn, events_of_steps(state, steps.Spring()))
        assert len(drawn) == new


def test_lethality_is_that_of_the_slot_and_of_abilities():
    """GW-4.2, GW-18.8"""
    laid = [horde("shamans_left"), horde("shamans_right"), horde("ravagers_left")]
    state = table(hordes={"left": laid, "right": [horde("scouts_right")]}, slot=3)
    found = {place.horde.card: lethality(state, place) for place in state.hordes_on_board()}
    assert found == {"shamans_left": 4, "shamans_right": 4, "ravagers_left": 5, "scouts_right": 2}


def test_a_card_goes_to_the_first_empty_section_then_where_the_next_one_points():
    """GW-1.10, GW-5.2"""
    cards = ("axemen_left", "raiders_left", "scouts_right")
    laid = {
        "left": [horde("leader_left")],
        "right": [horde("leader_right"), horde("lancers_right")],
    }
    events = invade(cards, laid, 2, Script(0, 0, 0, 0), indicator="left")
    assert [event for event in events if not isinstance(event, hordes.HordeDrawn)] == [
        hordes.HordePlaced("axemen_left", "center", 0),
        hordes.HordePlaced("raiders_left", "right", 2),
    ]


def test_the_drawn_card_has_the_indicator_that_was_seen():
    """GW-1.10, GW-5.2"""
    for seed in range(5):
        cards = ("axemen_left", "raiders_center", "scouts_right", "lancers_right")
        drawn = of(hordes.HordeDrawn, invade(cards, {}, 3, Luck(seed), indicator="center"))
        assert drawn[0].card == "raiders_center"
        for before, after in pairwise(drawn):
            assert after.card.endswith(before.indicator)


def test_without_another_card_the_own_indicator_counts():
    """GW-5.2"""
    laid = {name: [horde(f"leader_{name}")] for name in ("left", "center", "right")}
    events = invade(("scouts_center",), laid)
    assert events[-1] == hordes.HordePlaced("scouts_center", "center", 1)


def test_the_discard_becomes_the_deck_when_the_next_card_is_looked_at():
    """GW-1.4, GW-5.2"""
    laid = {name: [horde(f"leader_{name}")] for name in ("left", "center", "right")}
    state = table(horde_deck=("scouts_center",), hordes=laid, horde_discard=("axemen_right",))
    events = events_of_steps(state, steps.PlaceHordes(left=1))
    assert kinds(events) == ["HordeDrawn", "HordesReshuffled", "HordePlaced"]
    assert events[-1] == hordes.HordePlaced("scouts_center", "right", 1)


def test_the_discard_becomes_the_deck_when_a_card_is_drawn():
    """GW-1.4, GW-5.2"""
    events = events_of_steps(
        table(horde_deck=(), horde_discard=("axemen_right",)), steps.PlaceHordes(left=1)
    )
    assert kinds(events) == ["HordesReshuffled", "HordeDrawn", "HordePlaced"]
    assert events[-1] == hordes.HordePlaced("axemen_right", "left", 0)


def test_no_horde_card_comes_if_there_is_none():
    """GW-1.4"""
    assert invade((), {}) == []


def test_a_full_section_is_raided():
    """GW-5.3"""
    laid = {
        "left": [horde("leader_left")],
        "center": [horde(f"leader_{name}") for name in ("center", "right")]
        + [horde("shamans_left")],
        "right": [horde("axemen_right")],
    }
    events = invade(("lancers_left", "scouts_center"), laid, 1, Script(0, 0), indicator="left")
    assert events[-1] == hordes.RaidMade("lancers_left", "center", 3)
    state = begin(
        table(horde_deck=("lancers_left", "scouts_center"), hordes=laid, indicator="left", shame=2),
        steps.PlaceHordes(left=1),
        dice=Script(0, 0),
    )
    assert (state.shame, state.horde_discard) == (0, ("lancers_left",))


def test_abilities_answer_once_the_horde_cards_have_come():
    """GW-5.4"""
    order = plan_of(table(advisors=ADVISORS, slot=0), steps.Spring())
    assert order == ["PlaceHordes", "Fire", "RenewAdvisors", "Summer"]


def test_two_advisors_leave_and_two_come():
    """GW-2.9, GW-5.5"""
    state = table(advisors=ADVISORS, advisor_deck=("librarian", "fletcher"))
    events = events_of_steps(state, steps.RenewAdvisors(), dice=Script(1, 0))
    assert events == [
        clerks.AdvisorsDiscarded(("herald", "spy")),
        clerks.AdvisorRevealed("fletcher"),
        clerks.AdvisorRevealed("librarian"),
    ]
    after = begin(state, steps.RenewAdvisors(), dice=Script(1, 0))
    assert after.advisors == ("tea_master", "carpenter", "fletcher", "librarian")


def test_discarded_advisors_come_back_when_the_deck_is_used_up():
    """GW-1.4"""
    state = table(advisors=ADVISORS, advisor_deck=("librarian",))
    events = events_of_steps(state, steps.RenewAdvisors(), dice=Script(0, 0))
    assert kinds(events)[1:] == ["AdvisorRevealed", "AdvisorsReshuffled", "AdvisorRevealed"]
