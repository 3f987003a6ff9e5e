"""Chapters 1, 2 and 12: the box, the setup, hidden information."""

import json
from collections import Counter

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions, BadPosition
from domain.engine.game import begin, new_state, preview, seats_to_move
from domain.engine.play import redact
from domain.engine.starting.starts import read_start
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import (
    ABILITIES,
    MAPS,
    MARKERS,
    PLAYER_COLOURS,
    VALUES,
    WHOLE_STOCK,
    board_of,
)
from domain.games.hansa_teutonica.events.course import MarkersDrawn, TavernsFilled
from domain.games.hansa_teutonica.moves import EndTurn, EstablishRoute
from domain.games.hansa_teutonica.state.setup import Options
from tests.games.hansa_teutonica.table import Top, after, happens, player, table
from tests.support.for_each import for_each

SEATS = (2, 3, 4, 5)


def begin_game(seats=3, seed=0, **options):
    setup = GAME.setup(Options(**options), seats)
    return new_state(GAME, setup, seats, Luck(seed))


@pytest.mark.parametrize(
    ("side", "routes", "posts", "offices", "coins"),
    [("board_2_3", 32, 101, 57, 6), ("board_4_5", 34, 107, 62, 4)],
)
def test_both_sides_show_27_cities(side, routes, posts, offices, coins):
    """HT-1.1, HT-1.9, HT-1.10"""
    board = board_of(MAPS[side])
    assert (len(board.offices), len(board.ends)) == (27, routes)
    assert (len(board.route_of), len(board.shapes), sum(board.coins)) == (posts, offices, coins)
    named = {c.name: c.ability for c in MAPS[side].cities if c.ability}
    assert named == {
        "Groningen": "book",
        "Stade": "privilege",
        "Lübeck": "bag",
        "Göttingen": "actions",
        "Halle": "keys",
    }
    assert [route.id for route in MAPS[side].routes if route.tavern] == [
        "bremen--osnabruck",
        "goslar--hildesheim",
        "luneburg--perleberg",
    ]


def test_offices_of_a_city_never_become_cheaper_to_the_right():
    """HT-1.2"""
    for side in ("board_2_3", "board_4_5"):
        board = board_of(MAPS[side])
        rows = [list(board.colours[span.start : span.stop]) for span in board.offices]
        assert all(1 <= len(row) <= 4 and row == sorted(row) for row in rows)


def test_routes_have_two_to_four_posts_and_are_adjacent_by_a_city():
    """HT-1.3"""
    board = board_of(MAPS["board_2_3"])
    assert {len(span) for span in board.posts} == {2, 3, 4}
    route = board.route_number["coellen--warburg"]
    assert board.rings[route][0] == (board.route_number["paderborn--warburg"],)


@for_each("seats", SEATS)
def test_every_player_has_27_traders_and_4_merchants(seats):
    """HT-1.4, HT-1.6, HT-2.4: one on the track, 15 and 3 on the desk, the others loose.""" ""
    state = begin_game(seats)
    assert state.setup.colours == PLAYER_COLOURS[:seats]
    loose = [
        [a + b for a, b in zip(state.in_supply(seat), state.in_stock(seat), strict=True)]
        for seat in range(seats)
    ]
    assert loose == [[27 - 1 - 15, 4 - 3]] * seats


def test_the_desk_has_the_printed_values():
    """HT-1.5"""
    assert dict(zip(ABILITIES, VALUES, strict=True)) == {
        "keys": (1, 2, 2, 3, 4),
        "actions": (2, 3, 3, 4, 4, 5),
        "privilege": (0, 1, 2, 3),
        "book": (2, 3, 4, 5),
        "bag": (3, 5, 7, WHOLE_STOCK),
    }


@pytest.mark.parametrize(
    ("mix", "counts"), [("2009", (5, 2, 2, 3, 2, 2)), ("big_box", (4, 3, 2, 2, 2, 2))]
)
def test_the_mix_of_markers(mix, counts):
    """HT-1.7, HT-13.6"""
    assert GAME.setup(Options(marker_mix=mix), 3).markers == counts


def test_the_track_may_be_passed():
    """HT-1.8: here by both ends of a route."""
    cities = {"kampen": {"offices": ["1t", None]}, "osnabruck": {"offices": ["1t", None, None]}}
    seats = (player(), player(prestige=19), player())
    state = table(*seats, routes={"kampen--osnabruck": ["0t", "0t"]}, cities=cities)
    assert after(state, EstablishRoute(0, "kampen--osnabruck")).prestige == [0, 21, 0]


@for_each("seats", SEATS)
def test_the_side_goes_by_the_number_of_players(seats):
    """HT-2.1, HT-2.6"""
    state = begin_game(seats)
    assert state.setup.map.id == ("board_2_3" if seats < 4 else "board_4_5")
    assert state.complete == 0
    assert bool(state.setup.provinces) == (seats == 2)


def test_a_match_keeps_the_map_it_began_with():
    """HT-2.1"""
    setup = GAME.setup(Options(), 3)
    assert json_codec.msgspec.json.decode(json_codec.encode(setup), type=GAME.setup_type) == setup


def test_starting_markers_lie_on_the_taverns_in_any_order():
    """HT-2.2, HT-2.3"""
    orders = set()
    for seed in range(20):
        events = begin(GAME, GAME.setup(Options(), 3), 3, Luck(seed))
        (filled,) = (e for e in events if isinstance(e, TavernsFilled))
        assert {m.kind for m in filled.markers} == {"extra_office", "swap_offices", "remove_three"}
        orders.add(tuple(m.kind for m in filled.markers))
    assert len(orders) > 3
    assert dict(zip(MARKERS, begin_game().pile, strict=True)) == {
        "extra_office": 4,
        "swap_offices": 1,
        "remove_three": 1,
        "improve_ability": 3,
        "plus_3_actions": 2,
        "plus_4_actions": 2,
    }


def test_later_players_have_more_traders():
    """HT-2.5"""
    state = begin_game(5, first_player="seat:3")
    assert seats_to_move(state) == (3,)
    assert [state.in_supply(seat) for seat in (3, 4, 0, 1, 2)] == [(n, 1) for n in range(5, 10)]
    assert [state.in_stock(seat) for seat in (3, 4, 0, 1, 2)] == [(n, 0) for n in (6, 5, 4, 3, 2)]
    assert {seats_to_move(begin_game(3, seed)) for seed in range(20)} == {(0,), (1,), (2,)}


@for_each(
    "options",
    [{"first_player": "seat:3"}, {"colours": ["red", "red", "blue"]}, {"colours": ["red"]}],
)
def test_options_that_do_not_fit_the_table_are_refused(options):
    """HT-1.4, HT-2.5"""
    with pytest.raises(BadOptions):
        GAME.setup(json_codec.read_options(GAME, options), 3)


def test_all_seats_see_the_same_table():
    """HT-12.1"""
    state = begin_game()
    seen = [json_codec.to_json(GAME.view(state, seat)) for seat in (None, 0, 1, 2)]
    for one in seen:
        one.pop("seat")
    assert seen == [seen[0]] * 4


def test_only_draws_are_random():
    """HT-12.2, HT-12.3: the order of the supply is nowhere, so no player can look at it."""
    state = table(
        pile=Counter(extra_office=2, plus_3_actions=1),
        markers={"bremen--hamburg": "extra_office", "bremen--minden": "extra_office"},
    )
    assert GAME.imagine(state, 0, Luck(1)) == state
    assert MarkersDrawn not in map(type, preview(GAME, state, EndTurn(0)))
    drawn = {happens(state, EndTurn(0), Luck(seed))[1].kinds for seed in range(20)}
    assert drawn == {("extra_office",), ("plus_3_actions",)}
    told = happens(state, EndTurn(0), Top(state, "plus_3_actions"))
    assert all(redact(event, seat) == event for event in told for seat in (None, 0, 1))
    assert "marker_supply" in json.loads(json_codec.encode(GAME.view(state, None)))


def test_no_piece_may_be_missing_or_too_many_in_a_position():
    """HT-1.6"""
    state = begin_game()
    data = GAME.write_position(state)
    data["seats"][0]["supply"]["t"] += 1
    with pytest.raises(BadPosition, match="Seat 0 has"):
        read_start(GAME, state.setup, data, 3)
