"""Chapters 8 and 13: markers, and the options that change them."""

import pytest

from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.events.course import GameEnded, MarkersDrawn, MarkersReturned
from domain.games.hansa_teutonica.events.pieces import PieceRemoved
from domain.games.hansa_teutonica.events.routes import ExtraOfficeOpened, OfficesSwapped
from domain.games.hansa_teutonica.moves import (
    EndTurn,
    EstablishRoute,
    LiftPiece,
    OpenExtraOffice,
    PlaceMarker,
    PutPiece,
    RemovePiece,
    StopRemoving,
    SwapOffices,
    UseImprovement,
    UseMarker,
)
from domain.games.hansa_teutonica.state.steps import PlaceMarkers, Turn
from tests.games.hansa_teutonica.table import Top, after, happens, player, refusal, table
from tests.support.for_each import for_each

KAMPEN = "kampen--osnabruck"
TWO = {"bremen--hamburg": "extra_office", "bremen--minden": "extra_office"}


def holding(kind, options=None, fresh=(), **position):
    """Seat 0 has this marker."""
    one = player(ready={kind: 1}, fresh=dict.fromkeys(fresh, 1))
    acted = {"acted": True, "actions": 1} if fresh else {}
    return table(one, player(), player(), options=options, **acted, **position)


def test_a_marker_that_was_taken_in_this_turn_must_wait():
    """HT-8.1, HT-13.2"""
    move = UseMarker(0, "plus_4_actions")
    assert (
        refusal(holding("plus_4_actions", fresh=["plus_4_actions"]), move)[1] == "marker_too_fresh"
    )
    early = holding("plus_4_actions", {"marker_use": "later_action"}, ["plus_4_actions"])
    assert after(early, move).actions == 5
    assert GAME.view(after(early, move), 0).fresh == {}
    assert refusal(table(), move) == ("HT-8.1", "no_such_marker")


def test_of_two_equal_markers_the_older_may_be_used():
    """HT-8.1"""
    kind = "plus_4_actions"
    one = player(ready={kind: 2}, fresh={kind: 1})
    once = after(table(one, player(), player(), acted=True, actions=1), UseMarker(0, kind))
    assert once.actions == 5
    assert refusal(once, UseMarker(0, kind)) == ("HT-8.1", "marker_too_fresh")


def test_the_marker_of_the_route_itself_is_no_extra_office_for_it():
    """HT-13.2"""
    state = table(
        routes={KAMPEN: ["0t", "0t"]},
        cities={"osnabruck": {"offices": ["1t", None, None]}},
        markers={KAMPEN: "extra_office"},
        options={"marker_use": "later_action"},
    )
    assert refusal(state, OpenExtraOffice(0, KAMPEN, "osnabruck", "trader"))[1] == "no_such_marker"


def test_an_extra_office_goes_to_the_left_of_all_others():
    """HT-8.3, HT-7.3"""
    state = holding(
        "extra_office",
        routes={KAMPEN: ["0t", "0t"]},
        cities={"osnabruck": {"offices": ["1t", None, None], "extra": ["2t"]}},
    )
    move = OpenExtraOffice(0, KAMPEN, "osnabruck", "trader")
    assert ExtraOfficeOpened(0, "osnabruck", "trader", (KAMPEN, 0)) in happens(state, move)
    assert GAME.view(after(state, move), None).cities["osnabruck"].extra == ("0t", "2t")
    assert refusal(state, OpenExtraOffice(0, KAMPEN, "kampen", "trader"))[1] == "city_empty"
    assert refusal(state, OpenExtraOffice(0, KAMPEN, "bremen", "trader")) == (
        "HT-8.3",
        "not_an_end",
    )
    assert refusal(state, OpenExtraOffice(0, KAMPEN, "osnabruck", "merchant"))[1] == "not_on_route"


def test_swapping_needs_two_neighbours_that_are_occupied():
    """HT-8.4"""
    state = holding("swap_offices", cities={"minden": {"offices": ["1t", "2t", None, None]}})
    assert happens(state, SwapOffices(0, "minden", 0))[1] == OfficesSwapped(0, "minden", 0)
    assert refusal(state, SwapOffices(0, "minden", 1))[1] == "not_occupied"
    assert refusal(state, SwapOffices(0, "minden", 3))[1] == "no_neighbours"


def test_with_the_option_one_of_the_two_must_be_yours():
    """HT-13.8"""
    cities = {"minden": {"offices": ["1t", "2t", "0t", None]}}
    state = holding("swap_offices", {"swap": "one_own"}, cities=cities)
    assert refusal(state, SwapOffices(0, "minden", 0)) == ("HT-13.8", "none_yours")
    assert GAME.view(after(state, SwapOffices(0, "minden", 1)), None).cities["minden"].offices == (
        "1t",
        "0t",
        "2t",
        None,
    )


def test_up_to_three_pieces_return_to_their_owners():
    """HT-8.5"""
    state = holding("remove_three", routes={KAMPEN: ["1m", "0t"]})
    state = after(state, UseMarker(0, "remove_three"))
    assert refusal(state, StopRemoving(0)) == ("HT-8.5", "must_remove")
    assert refusal(state, RemovePiece(0, ("bremen--hamburg", 0)))[1] == "nothing_there"
    assert happens(state, RemovePiece(0, (KAMPEN, 0))) == [
        PieceRemoved(0, 1, "merchant", (KAMPEN, 0))
    ]
    once = after(state, RemovePiece(0, (KAMPEN, 0)))
    assert once.in_supply(1) == (0, 1)
    assert after(once, StopRemoving(0)).agenda == [Turn((0,))]
    assert after(once, RemovePiece(0, (KAMPEN, 1))).agenda == [Turn((0,))]
    assert refusal(holding("remove_three"), UseMarker(0, "remove_three"))[1] == "nothing_there"


def test_with_the_option_pieces_of_others_are_moved():
    """HT-13.4"""
    routes = {KAMPEN: ["1m", "2t"], "bremen--hannover": ["0t", None, None]}
    state = after(
        holding("remove_three", {"remove_three": "move"}, routes=routes),
        UseMarker(0, "remove_three"),
        LiftPiece(0, (KAMPEN, 0)),
    )
    assert refusal(state, LiftPiece(0, ("bremen--hannover", 0))) == ("HT-13.4", "own_piece")
    assert refusal(state, LiftPiece(0, (KAMPEN, 0))) == ("HT-13.4", "nothing_there")
    state = after(
        state,
        LiftPiece(0, (KAMPEN, 1)),
        PutPiece(0, 2, "trader", (KAMPEN, 0)),
        PutPiece(0, 1, "merchant", ("bremen--hannover", 1)),
    )
    shown = GAME.view(state, None).routes
    assert (shown[KAMPEN], shown["bremen--hannover"]) == (("2t", None), ("0t", "1m", None))
    assert state.agenda == [Turn((0,))]
    assert state.actions == 2


def test_the_marker_does_not_move_only_your_pieces():
    """HT-13.4"""
    routes, marker = {KAMPEN: ["0m", None]}, UseMarker(0, "remove_three")
    moving = holding("remove_three", {"remove_three": "move"}, routes=routes)
    assert refusal(moving, marker) == ("HT-8.5", "nothing_there")
    assert after(holding("remove_three", routes=routes), marker).agenda[-1].left == 3


def test_any_ability_except_a_complete_one_is_improved():
    """HT-8.6"""
    state = holding("improve_ability")
    assert after(state, UseImprovement(0, "bag")).in_supply(0) == (1, 0)
    full = player(ready={"improve_ability": 1}, levels={"bag": 3})
    assert refusal(table(full, player(), player()), UseImprovement(0, "bag"))[0] == "HT-6.9"


@pytest.mark.parametrize(("kind", "more"), [("plus_3_actions", 3), ("plus_4_actions", 4)])
def test_more_actions(kind, more):
    """HT-8.7, HT-8.2"""
    then = after(holding(kind), UseMarker(0, kind))
    assert then.actions == 2 + more
    assert refusal(then, UseMarker(0, kind))[1] == "no_such_marker"
    assert refusal(holding("swap_offices"), UseMarker(0, "swap_offices"))[1] == "used_otherwise"


def test_the_board_is_filled_up_to_three():
    """HT-8.8"""
    state = table(markers=TWO, pile={"plus_3_actions": 1, "swap_offices": 1})
    events = happens(state, EndTurn(0), Top(state, "swap_offices"))
    assert MarkersDrawn(0, ("swap_offices",), 0) in events
    then = after(state, EndTurn(0))
    assert seats_to_move(then) == (0,)
    assert isinstance(then.agenda[-1], PlaceMarkers)


def test_a_new_marker_goes_to_a_route_without_marker_and_pieces_but_with_a_free_office():
    """HT-8.9"""
    cities = {"duisburg": {"offices": ["1t"]}, "dortmund": {"offices": ["1m", "2t"]}}
    state = table(
        markers=TWO, pile={"swap_offices": 1}, routes={KAMPEN: ["1t", None]}, cities=cities
    )
    state = after(state, EndTurn(0))
    faults = {
        "bremen--hamburg": "marker_there",
        KAMPEN: "piece_there",
        "dortmund--duisburg": "cities_complete",
    }
    for route, fault in faults.items():
        assert refusal(state, PlaceMarker(0, "swap_offices", route)) == ("HT-8.9", fault)
    assert refusal(state, PlaceMarker(0, "extra_office", "arnheim--kampen"))[1] == "not_drawn"
    then = after(state, PlaceMarker(0, "swap_offices", "arnheim--kampen"))
    assert seats_to_move(then) == (1,)
    assert len(legal_moves(GAME, state, 0)) == 32 - 2 - 1 - 1


def test_without_a_fit_route_the_marker_goes_to_the_bottom():
    """HT-8.10"""
    state = table(markers=TWO, pile={"swap_offices": 1, "plus_3_actions": 1})
    state.posts[:] = bytes(1 for _ in state.posts)
    events = happens(state, EndTurn(0), Top(state, "swap_offices"))
    assert MarkersReturned(0, ("swap_offices",)) in events
    then = after(state, EndTurn(0))
    assert then.drawable() == 2
    again = happens(then, EndTurn(1))
    assert MarkersDrawn in map(type, again)
    low = table(markers=TWO, bottom=["swap_offices", "plus_3_actions"])
    assert MarkersDrawn(0, ("swap_offices",), 1) in happens(low, EndTurn(0))
    assert GAME.view(after(low, EndTurn(0)), 0).bottom == ("plus_3_actions",)


@for_each(
    ("route", "fit"),
    [("dortmund--duisburg", False), ("bremen--minden", False), ("kampen--osnabruck", True)],
)
def test_neither_complete_cities_nor_another_marker_make_a_route_fit(route, fit):
    """HT-8.9, HT-8.10: this is the only route without a piece."""
    cities = {"duisburg": {"offices": ["1t"]}, "dortmund": {"offices": ["1m", "2t"]}}
    state = table(markers=TWO, pile={"swap_offices": 1}, cities=cities)
    free = state.board.posts[state.board.route_number[route]]
    state.posts[:] = bytes(post not in free for post in range(len(state.posts)))
    returned = MarkersReturned(0, ("swap_offices",)) in happens(state, EndTurn(0))
    assert returned != fit


def test_drawn_markers_are_laid_in_any_order():
    """HT-8.9: after the end of the turn, without actions."""
    state = table(
        markers={"bremen--hamburg": "extra_office"}, pile={"swap_offices": 1, "plus_3_actions": 1}
    )
    drawn = after(state, EndTurn(0))
    assert drawn.actions == 0
    for first, second in (("swap_offices", "plus_3_actions"), ("plus_3_actions", "swap_offices")):
        once = after(drawn, PlaceMarker(0, first, KAMPEN))
        assert once.agenda[-1].kinds == (second,)
        assert refusal(once, PlaceMarker(0, first, "bremen--minden"))[1] == "not_drawn"


def test_with_the_option_a_marker_that_cannot_be_replaced_ends_the_game_at_once():
    """HT-13.3"""
    position = {"routes": {KAMPEN: ["0t", "0t"]}, "markers": {**TWO, KAMPEN: "swap_offices"}}
    now = table(options={"marker_refill": "on_take"}, **position)
    assert GameEnded in map(type, happens(now, EstablishRoute(0, KAMPEN)))
    later = table(**position)
    assert GameEnded not in map(type, happens(later, EstablishRoute(0, KAMPEN)))
    enough = table(options={"marker_refill": "on_take"}, pile={"swap_offices": 1}, **position)
    assert GameEnded not in map(type, happens(enough, EstablishRoute(0, KAMPEN)))
