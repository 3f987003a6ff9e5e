"""The legal moves found by sets of posts are those that the judge allows."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME, board
from domain.games.hansa_teutonica.rules.answers import ANSWERS
from domain.games.hansa_teutonica.rules.pieces import places, relocating, sets
from domain.games.hansa_teutonica.state.setup import Options
from domain.games.hansa_teutonica.state.table import blank, owner_of
from tests.games.hansa_teutonica.conceivable import alike, conceivable, find_fault
from tests.games.hansa_teutonica.moments import EAST, MOMENTS
from tests.games.hansa_teutonica.odd import some_table
from tests.games.hansa_teutonica.table import COELLEN, KAMPEN, WARBURG, player, table
from tests.support.for_each import for_each

TABLES = (*range(8), 14, 18, 59, 76, 102, 118, 333, 369)
"""Seeds of random tables; the last ones have what is rare."""


def examine(seed: int, *, every_post: bool = False) -> set[Any]:
    """Check that the menu of a random table has what the judge allows of all conceivable moves, and
    return the faults of the others.
    """
    state = some_table(Luck(seed))
    (seat,) = seats_to_move(state)
    menu = [alike(state, move) for move in legal_moves(GAME, state, seat)]
    kinds = ANSWERS.moves_for(type(state.agenda[-1]))
    allowed, faults = set(), set()
    tried = (conceivable(state, kind, seat, every_post=every_post) for kind in kinds)
    for move in chain.from_iterable(tried):
        if fault := find_fault(state, move):
            faults.add(fault)
        else:
            allowed.add(alike(state, move))
    assert len(menu) == len(set(menu)), seed
    assert set(menu) == allowed, seed
    return faults


@pytest.mark.slow
def test_on_any_table_the_menu_has_what_the_judge_allows():
    """For random posts, all options, all maps, and each kind of step. Each reason to refuse a post
    occurs, so that this means something.
    """
    assert set().union(*map(examine, TABLES)) >= {
        ("HT-4.4", "not_your_piece"),
        ("HT-5.4", "not_there"),
        ("HT-5.7", "last_post"),
        ("HT-8.1", "marker_too_fresh"),
        ("HT-8.4", "not_occupied"),
        ("HT-11.4", "outside_province"),
        ("HT-13.4", "own_piece"),
        ("HT-13.8", "none_yours"),
        ("HT-14.1", "no_room"),
        ("HT-14.1", "only_merchants"),
        ("HT-14.12", "no_permission"),
        ("HT-14.13", "no_room"),
        ("HT-14.13", "wrong_country"),
    }


@pytest.mark.long
def test_so_it_is_on_many_tables():
    for seed in range(400):
        examine(seed, every_post=True)


@for_each("name", MOMENTS)
def test_at_each_moment_of_a_game_and_after_reading_it_again(name):
    """Nothing outside the position makes a difference."""
    state = MOMENTS[name]()
    (seat,) = seats_to_move(state)
    again = GAME.read_position(state.setup, GAME.write_position(state), state.seats)
    assert legal_moves(GAME, state, seat) == legal_moves(GAME, again, seat)


def test_a_change_to_a_copy_leaves_the_menu_of_the_original():
    """States share these lists, but not what is on their tables."""
    state = MOMENTS["turn"]()
    (seat,) = seats_to_move(state)
    before = legal_moves(GAME, state, seat)
    other = state.copy()
    other.posts[:] = bytes(len(other.posts))
    legal_moves(GAME, other, seat).clear()
    assert legal_moves(GAME, state, seat) == before != legal_moves(GAME, other, seat)


def test_a_menu_names_the_first_of_posts_that_are_alike():
    """HT-1.3, HT-14.1: on a route with a post for merchants, one post of each kind."""
    chart = table(player(), player(), player(), options=EAST).board
    ground = sets.ground_of(chart)
    named = list(sets.each(sets.one_of_each(ground, ground.every)))
    for span in chart.posts:
        first = {}
        for post in span:
            first.setdefault(post in chart.reserved, sets.set_of_one(post))
        assert [one for one in named if one & sets.all_of(span)] == sorted(first.values())


def test_pieces_of_a_kind_are_named_once_for_a_route():
    """HT-1.3, HT-4.4: a trader and a merchant of a seat, regardless of their number."""
    rows = {COELLEN: ["0t", "1t", "0t", "0m"], KAMPEN: ["1t", "1t"]}
    state = table(player(), player(), player(), routes=rows)
    names = sets.ground_of(state.board).names
    mine = [names[at] for at, _ in places.find_standing(state, sets.OWN[0])]
    theirs = [names[at] for at, _ in places.find_standing(state, sets.OTHERS[0])]
    assert sorted(mine) == [(COELLEN, 0), (COELLEN, 3)]
    assert sorted(theirs) == [(COELLEN, 1), (KAMPEN, 0)]
    owners = {owner_of(code) for _, code in places.find_standing(state, sets.ALL_PIECES)}
    assert owners == {0, 1}


@for_each("side", board.MAPS)
def test_rings_around_a_route_reach_all_others_where_a_piece_may_go(side):
    """HT-5.5, HT-5.6, HT-14.13: the rings reach every other route, and not the route itself."""
    chart = board.board_of(board.MAPS[side])
    ground = sets.ground_of(chart)
    for route, land in enumerate(chart.lands):
        assert ground.around[route] == ground.reach[land] & ~ground.routes[route]
        assert sum(map(int.bit_count, ground.rings[route])) == ground.around[route].bit_count()


def test_the_nearest_posts_are_those_of_the_nearest_routes():
    """HT-5.5: free ones, for a piece of this kind."""
    rows = {WARBURG: ["0t", None, "0t"], COELLEN: ["1t", None, None, None]}
    state = table(player(), player(), player(), routes=rows)
    route = state.board.route_number[COELLEN]
    near = relocating.nearest(state, route, 0)
    posts = sets.marks(sets.ground_of(state.board), relocating.nearest_posts(state, route, 0))
    free = {post for at in near for post in state.board.posts[at] if not state.posts[post]}
    assert {post for post, chosen in enumerate(posts) if chosen} == free
    assert state.board.route_number[WARBURG] in near


def test_maps_of_two_matches_are_distinct():
    """A list of moves belongs to one map: with provinces, a side is another map."""
    two = blank(GAME.setup(Options(), 2), 2)
    three = blank(GAME.setup(Options(), 3), 3)
    assert two.setup.map == three.setup.map
    assert two.board is not three.board
    assert len(two.board.provinces) == 16
    assert three.board.provinces == ()
