"""The box, and what lies on the table before the first turn."""

from __future__ import annotations

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import seats_to_move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.board import (
    CARDS,
    CELLS,
    EMPERORS,
    EVENT_CARDS,
    LAYOUTS,
    LENGTH,
    NOWHERE,
    PRESTIGE,
    SINGLES,
    THREATS,
    map_of,
    wall_of,
)
from domain.games.chang_cheng.state.setup import Options
from domain.games.chang_cheng.state.table import prestige_left, reserve, threats_left
from tests.engine.table import new_game
from tests.support.for_each import for_each

FACES = [pytest.param(face, id=f"face {face}") for face in LAYOUTS]


@pytest.mark.parametrize("face", FACES)
def test_each_cell_has_a_chinese_and_a_mongol_region(face):
    """CC-1.1"""
    the_map = map_of(LAYOUTS[face])
    assert len(the_map.china_of) == len(the_map.mongol_of) == len(CELLS) == 52
    assert [len(layout.china) for layout in LAYOUTS[face]] == [3] * 4
    assert [len(layout.mongol) for layout in LAYOUTS[face]] == [3] * 4
    assert {end - start for start, end in the_map.china} <= {3, 4, 5, 6}
    assert CELLS[0], CELLS[13] == ("b1:1", "b2:1")


@pytest.mark.parametrize("face", FACES)
def test_borders_meet_at_seams_only_and_are_one_cell_apart_inside(face):
    """CC-1.2"""
    for layout in LAYOUTS[face]:
        assert sum(layout.china) == sum(layout.mongol) == LENGTH
        for n in (1, 2):
            assert abs(sum(layout.china[:n]) - sum(layout.mongol[:n])) == 1


def test_boards_are_joined_in_the_order_in_which_they_lie():
    """CC-1.2"""
    wall = wall_of(LAYOUTS["a"], (2, 0))
    assert wall.cells == (*range(26, 39), *range(13))
    assert (wall.right[38], wall.left[0]) == (0, 38)
    assert (wall.left[26], wall.right[12], wall.right[13]) == (NOWHERE,) * 3


def test_the_box_is_complete():
    """CC-1.3, CC-1.4"""
    assert (SINGLES, CARDS, EMPERORS, len(EVENT_CARDS)) == (14, (1, 2, 3, 4, 5, 6), 3, 4)
    assert (sum(PRESTIGE), set(PRESTIGE)) == (15, {3})
    assert THREATS == {2: 5, 3: 5, 4: 5}


@for_each(("seats", "extensions", "neutral"), [(2, 1, 12), (3, 1, 0), (4, 2, 0)])
def test_what_lies_on_the_table_depends_on_the_players(seats, extensions, neutral):
    """CC-2.1, CC-2.3, CC-11.1"""
    state = new_game(GAME, seats, Luck(1))
    assert len(state.wall.row) == len(reserve(state)) == 2
    assert (state.extensions, state.singles[5]) == (extensions, neutral)
    assert list(state.singles[1 : seats + 1]) == [14] * seats
    view = GAME.view(state, 0)
    assert view.cards_in_hand[0] == CARDS
    assert view.hand_sizes == (6,) * seats
    assert view.scores == (0,) * seats
    assert view.colours == ("red", "blue", "green", "purple")[:seats]


def test_each_region_in_play_has_a_tile_and_the_others_are_in_the_piles():
    """CC-2.2"""
    state = new_game(GAME, 3, Luck(5))
    assert [bool(state.threats[region]) for region in state.wall.china] == [True] * 6
    assert sum(prestige_left(state)) == sum(threats_left(state)) == 9
    assert all(region.threat is None for region in GAME.view(state, None).mongol)


def test_boards_face_first_player_events_and_colours_can_be_chosen():
    """CC-2.1, CC-2.3, CC-2.4, CC-2.5, CC-12.1"""
    state = new_game(
        GAME,
        2,
        Luck(1),
        boards=("b4", "b2"),
        face="b",
        first_player="seat:1",
        chosen_events=("scout",),
        colours=("purple", "red"),
    )
    view = GAME.view(state, None)
    assert (view.boards, view.reserve, view.face) == (("b4", "b2"), ("b1", "b3"), "b")
    assert seats_to_move(state) == (1,)
    assert (view.events, view.colours) == (("scout",), ("purple", "red"))


def test_the_first_player_is_drawn_and_turns_go_by_number():
    """CC-2.4"""
    firsts = {seats_to_move(new_game(GAME, 3, Luck(seed))) for seed in range(20)}
    assert firsts == {(0,), (1,), (2,)}


def test_two_event_cards_are_drawn():
    """CC-12.1"""
    drawn = {new_game(GAME, 3, Luck(seed), events="random").events for seed in range(60)}
    assert len(drawn) == 6
    assert all(len(set(cards)) == 2 for cards in drawn)
    assert new_game(GAME, 3, Luck(0)).events == ()


@for_each(
    "options",
    [
        {"boards": ["b1", "b1"]},
        {"boards": ["b1"]},
        {"boards": ["b1", "b9"]},
        {"face": "c"},
        {"first_player": "seat:3"},
        {"chosen_events": ["scout", "scout"]},
        {"chosen_events": ["scout", "hegemon", "diplomat"]},
        {"colours": ["red", "red", "blue"]},
        {"colours": ["red"]},
        {"size": 3},
    ],
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(BadOptions):
        GAME.setup(json_codec.read_options(GAME, options), 3)


def test_the_match_keeps_the_layouts():
    """CC-2.1"""
    assert GAME.setup(Options(face="b"), 2).layouts == LAYOUTS["b"]
