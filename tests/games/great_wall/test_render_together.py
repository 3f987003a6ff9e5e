"""Pictures and text of the cooperative game: Requests, events, Shame, a proposed order."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import plain
from domain.games.great_wall.render.sentences import Table, summary
from domain.games.great_wall.render.tracks import DONE
from domain.games.great_wall.state.agenda.requests import AgreeOrder
from domain.games.great_wall.view import View, view
from tests.games.great_wall.course import begin
from tests.games.great_wall.game import GAME
from tests.games.great_wall.table import table
from tests.games.great_wall.test_render import names_to_touch, text_of, words_of_picture
from tests.games.test_pictures_on_a_telephone import faults

OPEN = ("emperors_guard", "royal_escort", "higher_wall")
"""Requests with long names, or long texts."""


def coop_table(seats: int = 3, **values: Any) -> Any:
    """A cooperative table with open Requests, two of them fulfilled."""
    shown = [{"shown": "economy"}, {"shown": "betrayal"}, {"shown": "economy"}][:seats]
    known = {"requests": OPEN, "fulfilled": ("rites", "gold_tribute"), "shame": 21}
    return table(*shown, seats=seats, mode="coop", **{**known, **values})


def count_ticks(shown: View) -> int:
    """How many boxes of the picture have a tick."""
    return GAME.render_svg(shown, GAME.words()).count(f'fill="{DONE}"')


@pytest.mark.parametrize(("seats", "goal"), [(2, 6), (3, 7), (4, 9), (5, 9)])
def test_the_numbers_of_fulfilled_and_needed_requests_are_shown(seats, goal):
    """GW-16.2"""
    state = coop_table(seats)
    assert f"Requests fulfilled: 2 of {goal}" in text_of(state)
    assert count_ticks(view(state, None)) == 2
    assert count_ticks(view(coop_table(seats, fulfilled=()), None)) == 0


def test_open_requests_show_their_needs_and_can_be_touched():
    """GW-16.11"""
    state = coop_table()
    assert {f"request:{one}" for one in OPEN} <= names_to_touch(state, None)
    assert "Warriors for Emperor's guard: Together sacrifice 3 Horsemen." in text_of(state)
    assert decks.REQUESTS["emperors_guard"].text in words_of_picture(state)


def test_only_events_with_lasting_effects_are_shown():
    """GW-16.14"""
    shown = replace(view(coop_table(), 0), events=("hard_frost", "night_of_fires", "war_drums"))
    text = " ".join(plain.text(shown, GAME.words()).split())
    assert "Events in effect: Hard frost, War drums" in text
    assert "War drums: From now on every Horde card has 1 more Offensive Power." in text
    seen = GAME.render_svg(shown, GAME.words())
    assert "Hard frost" in seen
    assert "Night of fires" not in seen


def test_the_shame_left_and_its_total_are_shown():
    """GW-16.7"""
    assert "Shame pool: 21 of 30" in text_of(coop_table())
    assert "21 of 30 left" in words_of_picture(coop_table())
    assert "of 30 left" not in " ".join(words_of_picture(table()))


def test_the_honor_and_the_defeated_horde_cards_are_shown():
    """GW-16.9, GW-16.12"""
    state = coop_table()
    state.clans[0].honor, state.clans[0].defeated = 7, ("looters_left", "vanguard_center")
    assert "7 honor" in words_of_picture(state)
    assert not [said for said in words_of_picture(state) if "in total" in said]
    assert "Seat 1 (dragon), you Honor: 7 General" in text_of(state)
    assert "Horde cards defeated: Looters, Vanguard" in text_of(state)


def test_a_proposed_order_is_on_the_track_and_can_be_touched():
    """GW-16.3"""
    state = begin(coop_table(), AgreeOrder((0,), order=(2, 0, 1), agreed=(2,), declined=(1,)))
    text = text_of(state)
    assert "1 seat 3 (monkey)'s Economy, proposed, 2 seat 1 (dragon)'s Economy, proposed" in text
    assert words_of_picture(state).count("proposed") == 3
    assert {"shown:0", "shown:1", "shown:2"} <= names_to_touch(state, 1)
    assert [said for said in words_of_picture(state) if "proposed order" in said] == [
        "Disagrees with the proposed order",
        "Agrees to the proposed order",
    ]
    assert not {"shown:0", "shown:1", "shown:2"} & names_to_touch(coop_table(), 1)


def test_the_reed_clan_is_in_the_order_too():
    """GW-15.5, GW-16.3"""
    state = begin(coop_table(2), AgreeOrder((0, 1), order=(0, 2, 1)))
    assert "2 the Reed Clan's Reed card, proposed" in text_of(state)
    assert "shown:2" in names_to_touch(state, 0)


def test_the_mode_is_in_the_title():
    """GW-1.1"""
    state = coop_table(2)
    assert "The Great Wall, cooperative" in words_of_picture(state)
    assert text_of(state).startswith("The Great Wall, cooperative ")
    said = summary(Table(view(state, 0), GAME.words("en")))
    assert said.startswith("2 players, cooperative, with the Reed Clan.")
    assert "Requests fulfilled: 2 of 6." in said


@pytest.mark.parametrize("language", GAME.resources.texts)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_all_texts_exist(language, seats):
    """GW-16.3"""
    state = begin(coop_table(seats), AgreeOrder((0,), order=tuple(range(min(seats, 3)))))
    shown = replace(view(state, 0), events=tuple(decks.EVENTS))
    seen = ElementTree.fromstring(GAME.render_svg(shown, GAME.words(language)))
    assert list(faults(seen)) == []


@pytest.mark.parametrize(
    ("reason", "winners", "said"),
    [
        ("requests", (0, 1, 2), "seat 1 (dragon), seat 2 (snake) and seat 3 (monkey) win (the Emp"),
        ("shame", (), "the game is lost (no Shame tokens are left)."),
    ],
)
def test_the_status_names_joint_victory_and_defeat(reason, winners, said):
    """GW-16.12"""
    state = coop_table()
    state.ended, state.winners = reason, winners
    assert f"Game over: {said}" in text_of(state)
    assert sum(", winner" in words for words in words_of_picture(state)) == len(winners)
