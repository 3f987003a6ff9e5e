"""Positions as JSON: which the game reads, and which it refuses."""

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import seats_to_move
from domain.engine.starting.starts import read_start
from domain.games.qin import GAME
from domain.games.qin.board import KINDS
from domain.games.qin.state.setup import Options
from tests.games.qin.recording import replay_tables
from tests.games.qin.table import after, table
from tests.games.record import record
from tests.support.for_each import for_each


def read(seats=2, **changes):
    setup = GAME.setup(Options(), seats)
    data = {"cells": ["Brr.V", "....."], "owners": [".00..", "....."]} | changes
    return read_start(GAME, setup, data, seats)


def test_a_position_is_read():
    state = read(active=1, hands=[["RR"], ["YB", "YY"]], pile={"BB": 2}, supply=[3, 4])
    assert seats_to_move(state) == (1,)
    assert state.supply == [3, 4]
    assert GAME.view(state, 1).hands == (None, ("YY", "YB"))


def test_the_supply_follows_from_the_board():
    """QIN-2.9"""
    assert read().supply == [23, 24]


def test_hands_and_pile_follow_from_the_tiles_that_are_not_on_the_board():
    """QIN-1.2, QIN-9.2"""
    state = read()
    assert [sum(hand) for hand in state.hands] == [3, 3]
    left = [sum(counts) for counts in zip(state.pile, *state.hands, strict=True)]
    assert dict(zip(KINDS, left, strict=True))["RR"] == 11
    assert sum(left) == 71


@for_each(
    ("changes", "sentence"),
    [
        ({"cells": []}, "It has less than 1 item"),
        ({"cells": ["Brr.V"]}, "as many rows"),
        ({"cells": ["Brr.V", "...."]}, "all of the same length"),
        ({"cells": ["", ""], "owners": ["", ""]}, "1 to 13 signs"),
        ({"cells": ["Brr.V", "...Q."]}, "knows no 'Q'"),
        (
            {"owners": [".0...", "....."]},
            '`owners/0`: By the rest of the position, this is `".00.."`',
        ),
        ({"owners": [".....", "....."]}, "which seat has the area of b1"),
        ({"owners": ["000..", "....."]}, 'this is `".00.."`'),
        (
            {"owners": [".00..", "1...."]},
            '`owners/1`: By the rest of the position, this is `"....."`',
        ),
        ({"owners": [".22..", "....."]}, "which seat has the area of b1"),
        ({"owners": [".00.7", "....."]}, 'this is `".00.."`'),
        ({"owners": [".00.x", "....."]}, 'this is `".00.."`'),
        ({"owners": [".xx..", "....."]}, 'this is `"....."`'),
        ({"active": 2}, "`active`: There is no seat 2"),
        ({"first": -1}, "`first`: There is no seat -1"),
        ({"active": None}, "`active` must be the seat whose turn begins"),
        ({"winners": [0]}, "has `winners`"),
        ({"supply": [3]}, "`supply`: Expected 2 items, one for each seat"),
        ({"supply": [24, 24]}, "supply of seat 0 is 24, not 1 to 23"),
        ({"supply": [0, 24]}, "supply of seat 0 is 0, not 1 to 23"),
        ({"hands": [["RR"]]}, "`hands`: Expected 2 items, one for each seat"),
        ({"hands": [["RR"] * 4, []]}, "`hands/0`: It has more than 3 items"),
        ({"hands": [["RR"], ["RR"]], "pile": ["RR"] * 11}, "13 tiles RR"),
        ({"pile": dict.fromkeys(KINDS, 12)}, "more than 72 tiles"),
        ({"pile": {"RX": 1}}, "`pile`: Invalid enum value"),
        ({"pile": {"RR": -1}}, "It is less than the minimum of 0"),
        ({"hands": [[], ["RR"]], "pile": []}, "Seat 0 has no legal placement"),
        ({"colour": "red"}, "There is no such member"),
        ({"last": {"seat": 0}}, "`last/kind`: This is missing"),
    ],
)
def test_a_position_that_contradicts_itself_is_refused(changes, sentence):
    with pytest.raises(BadPosition, match=sentence.replace("(", r"\(").replace("[", r"\[")):
        read(**changes)


@for_each("owners", [".00.0", ".00.1", ".00.."])
def test_a_village_without_a_province_beside_it_has_no_owner(owners):
    """QIN-7.3, QIN-7.7"""
    if owners.endswith("."):
        assert read(owners=[owners, "....."]).villages[4] == 0
        return
    with pytest.raises(BadPosition, match="No province reaches the village e1: it has no owner"):
        read(owners=[owners, "....."])


@for_each("owner", ".01")
def test_a_village_belongs_to_its_only_strongest_player(owner):
    """QIN-7.3, QIN-7.4"""
    position = {"cells": ["BrrrV", "....."], "owners": [f".000{owner}", "....."]}
    if owner == "0":
        assert read(**position).villages[4] == 1
        return
    with pytest.raises(BadPosition, match="Seat 0 is strongest at the village e1, so it is theirs"):
        read(**position)


@for_each("owner", ".01")
def test_a_village_of_equals_may_have_any_owner(owner):
    """QIN-7.3, QIN-7.5"""
    read(cells=["BrrrV", "...yy"], owners=[f".000{owner}", "...11"])


def test_there_cannot_be_more_halves_of_a_colour_than_in_the_box():
    """QIN-1.2"""
    pile = {"RR": 12, "RY": 12, "BR": 12}
    with pytest.raises(BadPosition, match="more than 48 red halves"):
        read(pile=pile, hands=[[], []])


def test_a_pile_that_is_unknown_must_be_given():
    """QIN-1.2: in pairs, these would be sixteen tiles RR."""
    cells = ["rrrrrrrr..", "rrrrrrrr..", "rrrrrrrr..", "rrrrrrrr.B"]
    owners = ["00000000..", "00000000..", "00000000..", "00000000.."]
    with pytest.raises(BadPosition, match="give the `pile`"):
        read(cells=cells, owners=owners)
    assert sum(read(cells=cells, owners=owners, pile=["YY"] * 9).pile) == 3


def test_the_end_of_a_game_with_too_few_pagodas_is_read():
    """QIN-8.4: eight majors would carry sixteen, and each of four players has fifteen."""
    cells, owners = ["rrrrr.rrrrr", "." * 11] * 4, ["00000.00000", "." * 11] * 4
    over = {"active": None, "ended": "last_pagoda", "winners": [0], "supply": [0, 9, 9, 9]}
    position = {"cells": cells, "owners": owners, "hands": [[]] * 4, "pile": [], **over}
    state = GAME.read_position(GAME.setup(Options(), 4), position, 4)
    assert seats_to_move(state) == ()
    assert GAME.scoring(state).lines[0].points == 15


def test_the_end_of_a_game_is_written_and_read_back():
    ended = after(table("B...", "....", supply=(1, 9)), "RR", "b1", "c1")
    data = msgspec.json.decode(json_codec.encode(GAME.write_position(ended)))
    assert data["ended"] == "last_pagoda"
    assert GAME.read_position(ended.setup, data, 2) == ended


def test_a_written_position_is_read_back():
    state = read(active=1, hands=[["RR"], ["YB", "YY"]], pile={"BB": 2}, supply=[3, 4], first=0)
    setup = GAME.setup(Options(), 2)
    assert read_start(GAME, setup, GAME.write_position(state), 2) == state


def test_the_position_in_the_documentation_can_be_played():
    page = (Path(__file__).parents[3] / "docs" / "games" / "qin.md").read_text()
    example = re.findall(r"```json\n(.*?)```", page, re.DOTALL)[-1]
    state = read_start(GAME, GAME.setup(Options(), 2), msgspec.json.decode(example), 2)
    assert state.supply == [23, 22]


def test_a_match_starts_from_every_table_of_a_recorded_game():
    for state in replay_tables(every=5):
        data = msgspec.json.decode(msgspec.json.encode(GAME.write_position(state)))
        back = read_start(GAME, state.setup, data, len(state.supply))
        assert GAME.view(back, None).owners == GAME.view(state, None).owners
        assert replace(back, board=state.board, last=state.last) == state


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_a_match_starts_at_each_turn_of_a_game_but_not_at_its_end(seats, seed):
    """QIN-2.10: no choice comes within a turn."""
    played = record(GAME, seats, seed)
    for state in (*(moment.state for moment in played.moments), played.end):
        data = json_codec.json_round_trip(GAME.write_position(state))
        assert GAME.read_position(played.setup, data, seats) == state
        if state is not played.end:
            started = read_start(GAME, played.setup, data, seats)
            assert replace(started, last=state.last) == state
    with pytest.raises(BadPosition, match="The game has `ended`"):
        read_start(GAME, played.setup, data, seats)


@pytest.mark.parametrize("active", [0, 1])
def test_a_table_without_supplies_hands_and_pile_gets_likely_ones(active):
    """QIN-1.2, QIN-2.9: kind by kind, from the active player on, and without any chance."""
    state = read(active=active)
    hands = [state.hands[seat] for seat in state.turn_order(active)]
    assert hands == [[0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0]]
    assert read(active=active) == state


def test_with_only_hands_the_pile_is_the_rest():
    """QIN-1.2"""
    state = read(hands=[["YY"], ["BB", "BR"]])
    assert dict(zip(KINDS, state.pile, strict=True)) == {
        "RR": 11, "RY": 12, "YY": 11, "YB": 12, "BB": 11, "BR": 11,
    }  # fmt: skip


def test_with_only_a_pile_hands_are_dealt_from_it():
    """QIN-9.2: three tiles for each, as long as there are any."""
    state = read(pile=["RR", "YB", "YB", "BB"])
    assert [sum(hand) for hand in state.hands] == [2, 2]
    assert sum(state.pile) == 0


def test_spaces_that_hang_together_are_one_area_however_they_wind():
    """QIN-2.5"""
    cells = ["rrr.", "..r.", "rrrB", "r..."]
    owners = ["000.", "..0.", "000.", "0..."]
    state = read(cells=cells, owners=owners, supply=None)
    assert state.sizes[1] == 8
    assert state.supply == [22, 24]


@pytest.mark.parametrize("board", ["bird", "lion"])
def test_the_beginning_of_a_game_is_a_position(board):
    """QIN-3.1, QIN-3.8"""
    setup = GAME.setup(Options(board=board), 2)
    rows = list(setup.rows)
    state = read_start(GAME, setup, {"cells": rows, "owners": ["." * 13] * 13}, 2)
    assert state.board == GAME.blank_state(setup, 2).board
    assert state.areas == GAME.blank_state(setup, 2).areas
    assert GAME.view(state, None).board == board
