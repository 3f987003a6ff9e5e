"""Chapters 3 and 4: the turn and its actions."""

from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.events.course import TurnBegan, TurnEnded
from domain.games.hansa_teutonica.events.pieces import IncomeTaken, PieceDisplaced
from domain.games.hansa_teutonica.moves import (
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    ImproveAbility,
    LiftPiece,
    PlacePiece,
    PutPiece,
    TakeIncome,
    UseMarker,
)
from tests.games.hansa_teutonica.table import after, calm, happens, player, refusal
from tests.support.for_each import for_each


def test_turns_go_clockwise_with_as_many_actions_as_the_desk_says():
    """HT-3.1, HT-3.2, HT-3.6"""
    state = calm(player(), player(), player(levels={"actions": 3}), active=1, actions=2)
    events = happens(state, EndTurn(1))
    assert events == [TurnEnded(1, 2), TurnBegan(2, 11, 4)]
    assert seats_to_move(after(state, EndTurn(1))) == (2,)


def test_actions_may_be_repeated_and_left_unused():
    """HT-3.3"""
    state = calm(player("tt"), player(), player(), actions=2)
    state = after(state, PlacePiece(0, "trader", ("bremen--hamburg", 0)))
    state = after(state, PlacePiece(0, "trader", ("bremen--hamburg", 1)))
    assert refusal(state, TakeIncome(0, 3, 0)) == ("HT-3.2", "no_action_left")
    assert EndTurn(0) in legal_moves(GAME, state, 0)


def test_a_pending_step_is_finished_first():
    """HT-3.4"""
    state = calm(routes={"bremen--hamburg": ["0t", None, None, None]})
    state = after(state, LiftPiece(0, ("bremen--hamburg", 0)))
    assert refusal(state, EndTurn(0)) == ("HT-3.4", "unfinished")
    assert refusal(calm(), PutPiece(0, 0, "trader", ("bremen--hamburg", 0)))[0] == "HT-3.4"


def test_a_marker_is_used_between_actions_and_costs_none():
    """HT-3.5, HT-8.2"""
    state = calm(player(ready={"plus_3_actions": 1}), player(), player(), actions=0)
    state = after(state, UseMarker(0, "plus_3_actions"))
    assert state.actions == 3
    assert GAME.view(state, 0).players[0].used == {"plus_3_actions": 1}


@for_each(("level", "left"), [(0, 2), (1, 1), (2, 2), (4, 2)])
def test_better_actions_count_at_once(level, left):
    """HT-3.7"""
    seats = (player(levels={"actions": level}), player(), player())
    state = calm(*seats, routes={"gottingen--quedlinburg": ["0t", "0t", "0t"]}, actions=2)
    route = "gottingen--quedlinburg"
    assert after(state, ImproveAbility(0, route, "gottingen", "actions")).actions == left


def test_an_income_is_as_many_pieces_as_the_bag_says_in_any_mix():
    """HT-4.1"""
    one = {"supply": {"t": 2}, "stock": {"t": 8, "m": 2}, "levels": {"book": 1}}
    state = calm({**one, "supply": {"t": 3}}, player(), player())
    mixes = [m for m in legal_moves(GAME, state, 0) if isinstance(m, TakeIncome)]
    assert mixes == [TakeIncome(0, 3, 0), TakeIncome(0, 2, 1), TakeIncome(0, 1, 2)]
    assert happens(state, mixes[2])[1:] == [IncomeTaken(0, 1, 2)]
    assert refusal(state, TakeIncome(0, 2, 0)) == ("HT-4.1", "wrong_number")
    assert refusal(state, TakeIncome(0, 0, 3)) == ("HT-4.1", "not_in_stock")


def test_a_small_stock_comes_whole_and_an_empty_one_not_at_all():
    """HT-4.1"""
    small = calm({"supply": {"t": 9, "m": 1}, "stock": {"t": 2}, "levels": {}}, player(), player())
    assert refusal(small, TakeIncome(0, 1, 0))[1] == "wrong_number"
    empty = after(small, TakeIncome(0, 2, 0))
    assert refusal(empty, TakeIncome(0, 0, 0)) == ("HT-4.1", "stock_empty")


def test_up_to_that_many_with_the_option():
    """HT-13.7"""
    state = calm(options={"income": "up_to"})
    assert after(state, TakeIncome(0, 1, 0)).in_supply(0) == (1, 0)
    assert refusal(state, TakeIncome(0, 0, 0))[0] == "HT-4.1"


def test_a_piece_is_placed_on_a_free_post():
    """HT-4.2"""
    state = calm(player("tm"), player(), player(), routes={"kampen--osnabruck": ["1t", None]})
    assert refusal(state, PlacePiece(0, "trader", ("kampen--osnabruck", 0)))[1] == "occupied"
    for post in (2, -1):
        beyond = PlacePiece(0, "trader", ("kampen--osnabruck", post))
        assert refusal(state, beyond) == ("HT-1.3", "no_such_post")
    assert refusal(state, PlacePiece(0, "trader", ("kampen--bremen", 0)))[1] == "no_such_route"
    then = after(state, PlacePiece(0, "merchant", ("kampen--osnabruck", 1)))
    assert GAME.view(then, None).routes["kampen--osnabruck"] == ("1t", "0m")
    assert refusal(then, PlacePiece(0, "merchant", ("bremen--hamburg", 1)))[1] == "not_in_supply"


def test_displacing_costs_a_piece_more_for_a_trader_and_two_for_a_merchant():
    """HT-4.3, HT-5.1"""
    routes = {"kampen--osnabruck": ["1t", "1m"]}
    state = calm(player("tm"), player(), player(), routes=routes)
    trader, merchant = ("kampen--osnabruck", 0), ("kampen--osnabruck", 1)
    assert refusal(state, DisplacePiece(0, "trader", trader, 0, 0)) == ("HT-5.1", "wrong_payment")
    for pay in ((1, 1), (0, 2), (-1, 3), (3, -1)):
        assert refusal(state, DisplacePiece(0, "trader", merchant, *pay))[1] == "not_in_supply"
    events = happens(state, DisplacePiece(0, "merchant", trader, 1, 0))
    assert events[1] == PieceDisplaced(0, "merchant", trader, 1, 0, 1, "trader")


def test_only_pieces_of_others_are_displaced():
    """HT-4.3"""
    state = calm(player("ttt"), player(), player(), routes={"kampen--osnabruck": ["0t", None]})
    for post in (0, 1):
        move = DisplacePiece(0, "trader", ("kampen--osnabruck", post), 1, 0)
        assert refusal(state, move) == ("HT-4.3", "no_opponent")


def test_lifted_pieces_can_swap_posts():
    """HT-4.4"""
    routes = {"kampen--osnabruck": ["0t", "1t"], "bremen--hamburg": ["0m", None, None, None]}
    state = calm(routes=routes)
    state = after(
        state, LiftPiece(0, ("kampen--osnabruck", 0)), LiftPiece(0, ("bremen--hamburg", 0))
    )
    assert refusal(state, LiftPiece(0, ("kampen--osnabruck", 1)))[1] == "all_lifted"
    state = after(
        state,
        PutPiece(0, 0, "merchant", ("kampen--osnabruck", 0)),
        PutPiece(0, 0, "trader", ("bremen--hamburg", 0)),
    )
    shown = GAME.view(state, None).routes
    assert shown["kampen--osnabruck"] == ("0m", "1t")
    assert shown["bremen--hamburg"] == ("0t", None, None, None)
    assert state.actions == 1


def test_only_own_pieces_move_and_only_to_free_posts():
    """HT-4.4"""
    state = calm(routes={"kampen--osnabruck": ["0t", "1t"]})
    assert refusal(state, LiftPiece(0, ("kampen--osnabruck", 1)))[1] == "not_your_piece"
    assert refusal(state, LiftPiece(0, ("bremen--hamburg", 1)))[1] == "nothing_there"
    lifted = after(state, LiftPiece(0, ("kampen--osnabruck", 0)))
    assert refusal(lifted, PutPiece(0, 0, "trader", ("kampen--osnabruck", 1)))[1] == "occupied"
    assert refusal(lifted, PutPiece(0, 0, "merchant", ("kampen--osnabruck", 0)))[1] == "not_held"
    assert refusal(lifted, PutPiece(0, 7, "trader", ("kampen--osnabruck", 0)))[1] == "not_held"


def test_establishing_is_an_action():
    """HT-4.5, HT-6.1"""
    state = calm(routes={"kampen--osnabruck": ["0t", "0t"]}, actions=0)
    move = EstablishRoute(0, "kampen--osnabruck")
    assert refusal(state, move) == ("HT-3.2", "no_action_left")
