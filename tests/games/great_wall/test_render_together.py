"""Pictures and text of the cooperative game: Requests, events, Shame, an order that is proposed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import picture, plain
from domain.games.great_wall.render.aims import DONE
from domain.games.great_wall.render.sentences import Table, summary
from domain.games.great_wall.state.steps.requests import AgreeOrder
from domain.games.great_wall.view import View, view
from tests.games.great_wall.course import begun
from tests.games.great_wall.game import GAME
from tests.games.great_wall.table import table
from tests.games.great_wall.test_render import drawn, told, touched
from tests.games.test_pictures_on_a_telephone import faults

OPEN = ("emperors_guard", "royal_escort", "higher_wall")
"""Requests of which the names are long, or the texts."""


def together(seats: int = 3, **values: Any) -> Any:
    """A table of the cooperative game; Requests lie open, and two are fulfilled."""
    shown = [{"shown": "economy"}, {"shown": "betrayal"}, {"shown": "economy"}][:seats]
    known = {"requests": OPEN, "fulfilled": ("rites", "gold_tribute"), "shame": 21}
    return table(*shown, seats=seats, mode="coop", **{**known, **values})


def ticked(shown: View) -> int:
    """How many boxes of the picture have the ground of what is done."""
    return picture.svg(shown).count(f'fill="{DONE}"')


@pytest.mark.parametrize(("seats", "goal"), [(2, 6), (3, 7), (4, 9), (5, 9)])
def test_how_many_requests_are_fulfilled_and_needed_is_shown(seats, goal):
    """GW-16.2"""
    state = together(seats)
    assert f"Requests fulfilled: 2 of {goal}" in told(state)
    assert ticked(view(state, None)) == 2
    assert ticked(view(together(seats, fulfilled=()), None)) == 0


def test_open_requests_say_what_they_need_and_can_be_touched():
    """GW-16.11"""
    state = together()
    assert {f"request:{one}" for one in OPEN} <= touched(state, None)
    assert "Warriors for Emperor's guard: Together sacrifice 3 Horsemen." in told(state)
    assert decks.REQUESTS["emperors_guard"].text in drawn(state)


def test_events_of_which_something_holds_are_shown_and_no_others():
    """GW-16.14"""
    shown = replace(view(together(), 0), events=("hard_frost", "night_of_fires", "war_drums"))
    text = " ".join(plain.text(shown).split())
    assert "Events in force: Hard frost, War drums" in text
    assert "War drums: From now on every Horde card has 1 more Offensive Power." in text
    seen = picture.svg(shown)
    assert "Hard frost" in seen
    assert "Night of fires" not in seen


def test_the_shame_that_is_left_is_shown_of_how_much():
    """GW-16.7"""
    assert "Shame pool: 21 of 30" in told(together())
    assert "21 of 30 left" in drawn(together())
    assert "left" not in " ".join(drawn(table()))


def test_the_honor_that_is_left_is_shown_and_which_horde_cards_were_defeated():
    """GW-16.9, GW-16.12"""
    state = together()
    state.clans[0].honor, state.clans[0].defeated = 7, ("looters_left", "vanguard_center")
    assert "7 honor" in drawn(state)
    assert not [said for said in drawn(state) if "in all" in said]
    assert "Seat 0 (dragon), you Honor: 7 General" in told(state)
    assert "Horde cards defeated: Looters, Vanguard" in told(state)


def test_an_order_that_is_proposed_lies_on_the_track_and_can_be_touched():
    """GW-16.3"""
    state = begun(together(), AgreeOrder((0,), order=(2, 0, 1), agreed=(2,), declined=(1,)))
    text = told(state)
    assert "1 Economy of seat 2 (monkey), proposed, 2 Economy of seat 0 (dragon), proposed" in text
    assert drawn(state).count("proposed") == 3
    assert {"shown:0", "shown:1", "shown:2"} <= touched(state, 1)
    assert [said for said in drawn(state) if "proposed order" in said] == [
        "Does not agree with the proposed order",
        "Agrees with the proposed order",
    ]
    assert not {"shown:0", "shown:1", "shown:2"} & touched(together(), 1)


def test_the_reed_clan_stands_in_the_order_too():
    """GW-15.5, GW-16.3"""
    state = begun(together(2), AgreeOrder((0, 1), order=(0, 2, 1)))
    assert "2 Reed card of the Reed Clan, proposed" in told(state)
    assert "shown:2" in touched(state, 0)


def test_how_the_game_is_played_stands_above_it():
    """GW-1.1"""
    state = together(2)
    assert drawn(state)[0] == "The Great Wall, together"
    assert told(state).startswith("The Great Wall, together ")
    said = summary(Table(view(state, 0), GAME.words("en")))
    assert said.startswith("2 players together, and the Reed Clan.")
    assert "Requests fulfilled: 2 of 6." in said


@pytest.mark.parametrize("language", GAME.texts)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_all_of_it_can_be_read(language, seats):
    """GW-16.3"""
    state = begun(together(seats), AgreeOrder((0,), order=tuple(range(min(seats, 3)))))
    shown = replace(view(state, 0), events=tuple(decks.EVENTS))
    seen = ElementTree.fromstring(picture.svg(shown, GAME.words(language)))
    assert list(faults(seen)) == []


@pytest.mark.parametrize(
    ("reason", "winners", "said"),
    [
        ("requests", (0, 1, 2), "the Emperor has got what he requested: seat 0 (dragon), seat 1"),
        ("shame", (), "no Shame token is left: it is lost."),
    ],
)
def test_whether_all_have_won_or_lost_is_told(reason, winners, said):
    """GW-16.12"""
    state = together()
    state.ended, state.winners = reason, winners
    assert f"The game is over, {said}" in told(state)
    assert sum(", winner" in words for words in drawn(state)) == len(winners)
