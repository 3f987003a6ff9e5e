"""Each move with all its events, in order."""

from __future__ import annotations

import pytest

from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME, moves
from domain.games.hansa_teutonica.events import course, pieces, routes
from tests.games.hansa_teutonica.table import (
    COELLEN,
    GOSLAR,
    HAMBURG,
    KAMPEN,
    THREE,
    WARBURG,
    Top,
    after,
    calm,
    happens,
    player,
    refusal,
    table,
)
from tests.support.for_each import for_each


def test_an_income_costs_an_action_and_brings_the_named_pieces():
    """HT-4.1, HT-3.2"""
    state = calm({"supply": {"t": 6}, "stock": {"t": 5, "m": 1}, "levels": {}}, player(), player())
    assert happens(state, moves.TakeIncome(0, 2, 1)) == [
        course.ActionSpent(0, 1),
        pieces.IncomeTaken(0, 2, 1),
    ]
    then = after(state, moves.TakeIncome(0, 2, 1))
    assert (then.in_supply(0), then.in_stock(0)) == ((8, 1), (3, 0))


@for_each(("level", "pieces"), [(0, 3), (1, 5), (2, 7), (3, 9)])
def test_the_bag_says_how_many_pieces_an_income_brings(level, pieces):
    """HT-4.1, HT-1.5: three, five, seven, or the whole stock."""
    supply = {"t": 2 + level, "m": 1}
    one = {"supply": supply, "stock": {"t": 9}, "levels": {"bag": level}}
    state = calm(one, player(), player())
    incomes = [m for m in legal_moves(GAME, state, 0) if isinstance(m, moves.TakeIncome)]
    assert incomes == [moves.TakeIncome(0, pieces, 0)]


def test_placing_costs_an_action_and_a_piece_of_the_supply():
    """HT-4.2"""
    state = calm(player("tm"), player(), player())
    assert happens(state, moves.PlacePiece(0, "merchant", (KAMPEN, 1))) == [
        course.ActionSpent(0, 1),
        pieces.PiecePlaced(0, "merchant", (KAMPEN, 1)),
    ]
    then = after(state, moves.PlacePiece(0, "merchant", (KAMPEN, 1)))
    assert then.in_supply(0) == (1, 0)
    assert GAME.view(then, None).routes[KAMPEN] == (None, "0m")


@for_each(
    ("there", "pay", "displaced"),
    [("1t", (1, 0), "trader"), ("1t", (0, 1), "trader"), ("1m", (2, 0), "merchant")],
)
def test_displacing_takes_the_post_and_the_payment_goes_to_the_stock(there, pay, displaced):
    """HT-4.3, HT-5.1"""
    state = calm(player("tttm"), player(), player(), routes={KAMPEN: [there, None]})
    stock = state.in_stock(0)
    move = moves.DisplacePiece(0, "trader", (KAMPEN, 0), *pay)
    assert happens(state, move) == [
        course.ActionSpent(0, 1),
        pieces.PieceDisplaced(0, "trader", (KAMPEN, 0), *pay, owner=1, displaced=displaced),
    ]
    then = after(state, move)
    assert then.in_supply(0) == (3 - 1 - pay[0], 1 - pay[1])
    assert then.in_stock(0) == (stock[0] + pay[0], stock[1] + pay[1])
    assert seats_to_move(then) == (1,)


def test_a_displaced_merchant_brings_two_extra_pieces_one_after_the_other():
    """HT-5.1, HT-5.3, HT-5.4, HT-5.11"""
    state = calm(player("ttt"), player(), player(), routes={COELLEN: ["1m", None, None, None]})
    state = after(state, moves.DisplacePiece(0, "trader", (COELLEN, 0), 2, 0))
    placed = moves.RelocatePiece(1, "displaced", "merchant", (WARBURG, 0))
    assert happens(state, placed) == [
        pieces.PieceRelocated(1, "displaced", "merchant", (WARBURG, 0), None)
    ]
    state = after(state, placed)
    for post, waits in ((1, (1,)), (2, (0,))):
        extra = moves.RelocatePiece(1, "stock", "trader", (WARBURG, post))
        assert happens(state, extra) == [
            pieces.PieceRelocated(1, "stock", "trader", (WARBURG, post), None)
        ]
        state = after(state, extra)
        assert seats_to_move(state) == waits
    assert (state.actions, state.in_supply(1)) == (1, (0, 0))


def test_a_third_extra_piece_is_refused_while_the_displaced_one_waits():
    """HT-5.1, HT-5.3"""
    state = calm(player("ttt"), player(), player(), routes={COELLEN: ["1m", None, None, None]})
    state = after(
        state,
        moves.DisplacePiece(0, "trader", (COELLEN, 0), 2, 0),
        moves.RelocatePiece(1, "stock", "trader", (WARBURG, 0)),
        moves.RelocatePiece(1, "stock", "trader", (WARBURG, 1)),
    )
    third = moves.RelocatePiece(1, "stock", "trader", (WARBURG, 2))
    assert refusal(state, third) == ("HT-5.3", "no_extra_left")
    last = moves.RelocatePiece(1, "displaced", "merchant", (WARBURG, 2))
    assert seats_to_move(after(state, last)) == (0,)


def test_declining_records_how_many_extra_pieces_were_left():
    """HT-5.8"""
    state = calm(player("ttt"), player(), player(), routes={COELLEN: ["1m", None, None, None]})
    state = after(
        state,
        moves.DisplacePiece(0, "trader", (COELLEN, 0), 2, 0),
        moves.RelocatePiece(1, "displaced", "merchant", (WARBURG, 0)),
    )
    assert happens(state, moves.DeclineExtras(1)) == [pieces.ExtrasDeclined(1, 2)]
    state = after(state, moves.RelocatePiece(1, "stock", "trader", (WARBURG, 1)))
    assert happens(state, moves.DeclineExtras(1)) == [pieces.ExtrasDeclined(1, 1)]


def test_lifting_and_putting_down_is_one_action():
    """HT-4.4: with the book at 2; the second piece stays where it was put."""
    state = calm(routes={KAMPEN: ["0t", "0m"]})
    first, second = moves.LiftPiece(0, (KAMPEN, 0)), moves.LiftPiece(0, (KAMPEN, 1))
    assert happens(state, first) == [
        course.ActionSpent(0, 1),
        pieces.PieceLifted(0, 0, "trader", (KAMPEN, 0)),
    ]
    state = after(state, first)
    assert happens(state, second) == [pieces.PieceLifted(0, 0, "merchant", (KAMPEN, 1))]
    state = after(state, second)
    down = moves.PutPiece(0, 0, "merchant", (HAMBURG, 0))
    assert happens(state, down) == [
        pieces.PiecePut(0, 0, "merchant", (HAMBURG, 0), lifted=(KAMPEN, 1))
    ]
    state = after(state, down)
    assert refusal(state, moves.LiftPiece(0, (HAMBURG, 0))) == ("HT-4.4", "all_lifted")
    state = after(state, moves.PutPiece(0, 0, "trader", (KAMPEN, 0)))
    assert (seats_to_move(state), state.actions) == ((0,), 1)


@pytest.mark.parametrize(("level", "pieces"), [(0, 2), (1, 3), (2, 4), (3, 5)])
def test_the_book_says_how_many_pieces_are_lifted(level, pieces):
    """HT-4.4, HT-1.5"""
    routes = {HAMBURG: ["0t"] * 4, KAMPEN: ["0t"] * 2}
    state = calm(player(levels={"book": level}), player(), player(), routes=routes)
    posts = [(HAMBURG, n) for n in range(4)] + [(KAMPEN, n) for n in range(2)]
    state = after(state, *(moves.LiftPiece(0, post) for post in posts[:pieces]))
    assert refusal(state, moves.LiftPiece(0, posts[pieces])) == ("HT-4.4", "all_lifted")


@for_each(("level", "more"), [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)])
def test_the_row_of_actions_is_2_3_3_4_4_5(level, more):
    """HT-1.5, HT-3.7"""
    one = player(levels={"actions": level}, ready={"improve_ability": 1})
    told = happens(calm(one, player(), player()), moves.UseImprovement(0, "actions"))
    assert told == [
        routes.MarkerUsed(0, "improve_ability"),
        routes.AbilityImproved(0, "actions", level + 1, "trader", more, "HT-8.6"),
    ]


def test_events_record_the_use_and_the_effect_of_markers():
    """HT-8.2, HT-8.4, HT-8.7"""
    ready = {"plus_3_actions": 1, "plus_4_actions": 1, "swap_offices": 1}
    cities = {"minden": {"offices": ["1t", "2t", None, None]}}
    state = calm(player(ready=ready), player(), player(), cities=cities)
    for kind, actions in (("plus_3_actions", 3), ("plus_4_actions", 4)):
        assert happens(state, moves.UseMarker(0, kind)) == [
            routes.MarkerUsed(0, kind),
            routes.ActionsGained(0, actions),
        ]
    assert happens(state, moves.SwapOffices(0, "minden", 0)) == [
        routes.MarkerUsed(0, "swap_offices"),
        routes.OfficesSwapped(0, "minden", 0),
    ]


def test_three_pieces_are_removed_one_by_one_and_no_fourth():
    """HT-8.5"""
    one = player(ready={"remove_three": 1})
    state = calm(one, player(), player(), routes={HAMBURG: ["1t", "1m", "2t", "0t"]})
    assert happens(state, moves.UseMarker(0, "remove_three")) == [
        routes.MarkerUsed(0, "remove_three")
    ]
    state = after(state, moves.UseMarker(0, "remove_three"))
    for post, owner, piece in ((0, 1, "trader"), (1, 1, "merchant"), (2, 2, "trader")):
        move = moves.RemovePiece(0, (HAMBURG, post))
        assert happens(state, move) == [pieces.PieceRemoved(0, owner, piece, (HAMBURG, post))]
        state = after(state, move)
    assert refusal(state, moves.RemovePiece(0, (HAMBURG, 3))) == ("HT-3.4", "not_now")
    assert (state.actions, state.in_supply(1), state.in_supply(2)) == (2, (1, 1), (1, 0))


def test_a_turn_ends_and_the_next_begins():
    """HT-3.1, HT-3.3, HT-3.6: clockwise, also from the last seat to the first."""
    state = calm(active=2, turn=7, actions=1)
    assert happens(state, moves.EndTurn(2)) == [
        course.TurnEnded(2, 1),
        course.TurnBegan(0, 8, 2),
    ]


def test_the_refill_draws_missing_markers_and_its_player_lays_them():
    """HT-8.8, HT-8.9, HT-3.6"""
    state = calm(markers={HAMBURG: "extra_office"}, pile={"swap_offices": 2, "plus_3_actions": 1})
    order = Top(state, "plus_3_actions", "swap_offices")
    drawn = ("plus_3_actions", "swap_offices")
    assert happens(state, moves.EndTurn(0), order) == [
        course.TurnEnded(0, 2),
        course.MarkersDrawn(0, drawn, 0),
    ]
    state = after(state, moves.EndTurn(0))
    first, second = state.agenda[-1].kinds
    lay = moves.PlaceMarker(0, first, KAMPEN)
    assert happens(state, lay) == [course.MarkerPlaced(0, first, KAMPEN)]
    assert happens(after(state, lay), moves.PlaceMarker(0, second, GOSLAR)) == [
        course.MarkerPlaced(0, second, GOSLAR),
        course.TurnBegan(1, 11, 2),
    ]


def test_markers_at_the_bottom_are_drawn_after_the_pile():
    """HT-8.10, HT-8.8"""
    state = calm(
        markers={HAMBURG: "extra_office"}, pile={"swap_offices": 1}, bottom=["remove_three"]
    )
    assert happens(state, moves.EndTurn(0))[1] == course.MarkersDrawn(
        0, ("swap_offices", "remove_three"), 1
    )


def test_just_enough_markers_do_not_end_the_game():
    """HT-9.3"""
    one = {HAMBURG: "extra_office"}
    enough = calm(markers=one, pile={"swap_offices": 1}, bottom=["remove_three"])
    assert seats_to_move(after(enough, moves.EndTurn(0))) == (0,)
    short = calm(markers=one, pile={"swap_offices": 1})
    assert happens(short, moves.EndTurn(0)) == [
        course.TurnEnded(0, 2),
        course.GameEnded("markers", (0, 1, 2), (0, 0, 0), "HT-9.3"),
    ]


def test_the_pawn_is_moved_freely_once_and_then_for_actions():
    """HT-11.6, HT-11.7"""
    state = table(player("tt"), player(), pawn="P10", markers=THREE)
    assert happens(state, moves.MovePawn(0, "P12")) == [
        course.PawnMoved(0, "P12", paid=False, closes=False)
    ]
    moved = after(state, moves.MovePawn(0, "P12"))
    assert happens(moved, moves.SendPawn(0, "P01")) == [
        course.ActionSpent(0, 1),
        course.PawnMoved(0, "P01", paid=True, closes=False),
    ]
    assert refusal(moved, moves.MovePawn(0, "P10")) == ("HT-11.6", "pawn_moved")


def test_the_second_player_places_the_pawn():
    """HT-11.3"""
    state = table(player(), player(), pending={"type": "PlacePawn", "seats": [1]}, pawn=None)
    assert happens(state, moves.PawnToStart(1, "P07"))[0] == course.PawnPlaced(1, "P07")
    assert refusal(state, moves.PawnToStart(1, "P17")) == ("HT-11.2", "no_such_province")
