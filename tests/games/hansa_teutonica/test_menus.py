"""The whole menu of each step."""

from __future__ import annotations

from collections import Counter

from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME, moves
from tests.games.hansa_teutonica.begun import (
    deploying,
    east_moving,
    green_office,
    laying,
    moving,
    placing_the_pawn,
    relocating,
    removing,
)
from tests.games.hansa_teutonica.moments import DANZIG, VISBY, WISMAR
from tests.games.hansa_teutonica.table import (
    COELLEN,
    DUISBURG,
    EMDEN,
    HAMBURG,
    KAMPEN,
    THREE,
    WARBURG,
    after,
    calm,
    player,
    refusal,
    table,
)
from tests.support.for_each import for_each

ALL_READY = {
    "plus_3_actions": 1,
    "plus_4_actions": 1,
    "remove_three": 1,
    "improve_ability": 1,
    "swap_offices": 1,
}


def menu(state):
    """All moves of the seat that must decide."""
    (seat,) = seats_to_move(state)
    return legal_moves(GAME, state, seat)


def kinds(state):
    return Counter(type(move) for move in menu(state))


def test_an_empty_table_offers_income_posts_and_the_end_of_the_turn():
    """HT-3.3, HT-4.1, HT-4.2: one free post of each route, for each kind of piece."""
    state = calm(player("tm"), player(), player())
    assert kinds(state) == {moves.TakeIncome: 1, moves.PlacePiece: 2 * 32, moves.EndTurn: 1}


def test_without_actions_only_markers_and_the_end_are_left():
    """HT-3.2, HT-3.5, HT-8.1"""
    one = player("ttt", ready=ALL_READY)
    cities = {"minden": {"offices": ["1t", "2t", None, None]}}
    routes = {KAMPEN: ["0t", "0t"], HAMBURG: ["1t", None, None, None]}
    state = calm(one, player(), player(), actions=0, cities=cities, routes=routes)
    assert set(menu(state)) == {
        moves.EndTurn(0),
        moves.UseMarker(0, "plus_3_actions"),
        moves.UseMarker(0, "plus_4_actions"),
        moves.UseMarker(0, "remove_three"),
        moves.SwapOffices(0, "minden", 0),
        *(
            moves.UseImprovement(0, ability)
            for ability in ("keys", "actions", "privilege", "book", "bag")
        ),
    }


@for_each(
    "move",
    [
        moves.TakeIncome(0, 3, 0),
        moves.PlacePiece(0, "trader", (KAMPEN, 0)),
        moves.DisplacePiece(0, "trader", (HAMBURG, 0), 1, 0),
        moves.LiftPiece(0, (EMDEN, 0)),
        moves.EstablishRoute(0, EMDEN),
        moves.OpenOffice(0, EMDEN, "groningen"),
        moves.ImproveAbility(0, EMDEN, "groningen", "book"),
    ],
)
def test_each_action_needs_an_action(move):
    """HT-3.2, HT-4.5"""
    routes = {HAMBURG: ["1t", None, None, None], EMDEN: ["0t"] * 3}
    able = calm(player("tt"), player(), player(), routes=routes)
    assert move in menu(able)
    spent = calm(player("tt"), player(), player(), routes=routes, actions=0)
    assert refusal(spent, move) == ("HT-3.2", "no_action_left")


def test_displacing_offers_each_payment_once():
    """HT-4.3, HT-5.1"""
    state = calm(player("ttm"), player(), player(), routes={KAMPEN: ["1t", "1m"]})
    offered = {move for move in menu(state) if isinstance(move, moves.DisplacePiece)}
    assert offered == {
        moves.DisplacePiece(0, "trader", (KAMPEN, 0), 1, 0),
        moves.DisplacePiece(0, "trader", (KAMPEN, 0), 0, 1),
        moves.DisplacePiece(0, "merchant", (KAMPEN, 0), 1, 0),
        moves.DisplacePiece(0, "trader", (KAMPEN, 1), 1, 1),
        moves.DisplacePiece(0, "merchant", (KAMPEN, 1), 2, 0),
    }


def test_a_route_offers_nothing_offices_abilities_and_extra_offices():
    """HT-6.5"""
    one = player(ready={"extra_office": 1}, levels={"book": 1})
    cities = {"groningen": {"offices": ["1t", None]}}
    state = calm(one, player(), player(), routes={EMDEN: ["0t", "0m", "0t"]}, cities=cities)
    establishing = [m for m in menu(state) if getattr(m, "route", "") == EMDEN]
    assert set(establishing) == {
        moves.EstablishRoute(0, EMDEN),
        moves.OpenOffice(0, EMDEN, "emden"),
        moves.ImproveAbility(0, EMDEN, "groningen", "book"),
        moves.OpenExtraOffice(0, EMDEN, "groningen", "trader"),
        moves.OpenExtraOffice(0, EMDEN, "groningen", "merchant"),
    }


def test_special_prestige_is_offered_up_to_the_privilege():
    """HT-6.10"""
    one = player(levels={"privilege": 2})
    routes = {COELLEN: ["0m", "0t", "0t", "0t"]}
    other = player(levels={"privilege": 1})
    state = calm(one, other, player(), routes=routes, special=[None, "1m", None, None])
    offered = [m for m in menu(state) if isinstance(m, moves.TakeSpecialPrestige)]
    assert offered == [moves.TakeSpecialPrestige(0, COELLEN, space) for space in (0, 2)]


def test_the_displaced_piece_and_an_extra_one_go_to_the_routes_around():
    """HT-5.3, HT-5.4, HT-5.5"""
    assert set(menu(relocating())) == {
        moves.RelocatePiece(1, source, piece, (WARBURG, 0))
        for source, piece in (("displaced", "trader"), ("stock", "trader"), ("stock", "merchant"))
    }


def test_once_it_is_placed_the_extra_piece_may_be_declined():
    """HT-5.8"""
    state = after(relocating(), moves.RelocatePiece(1, "displaced", "trader", (WARBURG, 0)))
    assert set(menu(state)) == {
        moves.DeclineExtras(1),
        moves.RelocatePiece(1, "stock", "trader", (WARBURG, 1)),
        moves.RelocatePiece(1, "stock", "merchant", (WARBURG, 1)),
    }


def test_a_lifted_piece_goes_to_any_route_or_another_is_lifted():
    """HT-4.4"""
    state = moving()
    assert kinds(state) == {moves.LiftPiece: 1, moves.PutPiece: 32}
    assert moves.LiftPiece(0, (KAMPEN, 1)) in menu(state)
    assert moves.PutPiece(0, 0, "trader", (KAMPEN, 0)) in menu(state)
    down = after(state, moves.PutPiece(0, 0, "trader", (KAMPEN, 0)))
    assert down.actions == 1


def test_putting_down_ends_the_lifting():
    """HT-4.4: a player lifts all pieces before putting down the first."""
    routes = {KAMPEN: ["0t", "0t"], HAMBURG: ["0t", None, None, None]}
    state = calm(player(levels={"book": 1}), player(), player(), routes=routes)
    state = after(
        state,
        moves.LiftPiece(0, (KAMPEN, 0)),
        moves.LiftPiece(0, (KAMPEN, 1)),
        moves.PutPiece(0, 0, "trader", (EMDEN, 0)),
    )
    assert set(kinds(state)) == {moves.PutPiece}
    assert refusal(state, moves.LiftPiece(0, (HAMBURG, 0))) == ("HT-4.4", "all_lifted")


def test_the_menu_lists_each_kind_of_piece_on_a_route_once():
    """HT-8.5, HT-1.3"""
    state = removing()
    assert menu(state) == [
        moves.RemovePiece(0, (KAMPEN, 0)),
        moves.RemovePiece(0, (KAMPEN, 1)),
    ]
    once = after(state, moves.RemovePiece(0, (KAMPEN, 0)))
    assert set(menu(once)) == {moves.StopRemoving(0), moves.RemovePiece(0, (KAMPEN, 1))}


def test_a_drawn_marker_may_lie_on_every_free_route():
    """HT-8.9"""
    offered = menu(laying())
    assert len(offered) == 32 - 2
    assert {move.kind for move in offered} == {"swap_offices"}
    assert {HAMBURG, "bremen--minden"}.isdisjoint(move.route for move in offered)


def test_the_pawn_may_be_put_into_each_of_sixteen_provinces():
    """HT-11.3, HT-11.2"""
    provinces = [f"P{number:02}" for number in range(1, 17)]
    assert menu(placing_the_pawn()) == [moves.PawnToStart(1, name) for name in provinces]


def test_the_pawn_is_sent_to_any_other_province():
    """HT-11.7"""
    state = table(player(), player(), pawn="P10", markers=THREE)
    sent = [move.province for move in menu(state) if isinstance(move, moves.SendPawn)]
    assert sent == [f"P{number:02}" for number in range(1, 17) if number != 10]


def test_two_pieces_of_the_route_may_come_back_to_posts():
    """HT-14.7"""
    state = deploying()
    assert {(move.source, move.piece) for move in menu(state)[1:] if hasattr(move, "piece")} == {
        ("stock", "trader"),
        ("stock", "merchant"),
    }
    assert moves.DeclineBonus(0) in menu(state)
    wrong = moves.DeployPiece(0, "supply", "trader", (DANZIG, 0))
    assert refusal(state, wrong) == ("HT-14.7", "wrong_source")
    merchant = moves.DeployPiece(0, "stock", "merchant", (DANZIG, 3))
    once = after(state, merchant)
    again = moves.DeployPiece(0, "stock", "merchant", (DANZIG, 0))
    assert refusal(once, again) == ("HT-14.7", "not_of_route")


def test_a_green_office_takes_any_piece_of_the_supply_to_any_green_city():
    """HT-14.8, HT-14.10"""
    state = green_office()
    assert set(menu(state)) == {
        moves.DeclineBonus(0),
        *(moves.OpenGreenOffice(0, city, "trader") for city in ("belgard", "dresden", "waren")),
    }
    merchant = moves.OpenGreenOffice(0, "waren", "merchant")
    assert refusal(state, merchant) == ("HT-14.8", "not_in_supply")
    assert refusal(state, moves.OpenGreenOffice(0, "danzig", "trader")) == ("HT-14.8", "not_green")
    nowhere = moves.OpenGreenOffice(0, "paris", "trader")
    assert refusal(state, nowhere) == ("HT-1.9", "no_such_city")


def test_a_bonus_lifts_pieces_of_any_owner_or_none():
    """HT-14.5"""
    state = east_moving()
    assert set(menu(state)) == {moves.DeclineBonus(0), moves.LiftPiece(0, (VISBY, 0))}
    lifted = after(state, moves.LiftPiece(0, (VISBY, 0)))
    assert refusal(lifted, moves.DeclineBonus(0)) == ("HT-14.5", "must_put")
    assert refusal(lifted, moves.LiftPiece(0, (WISMAR, 0))) == ("HT-14.5", "nothing_there")


def test_a_piece_on_another_route_does_not_help_this_one():
    """HT-6.1, HT-6.6, HT-6.10, HT-8.3: the merchant is one route further."""
    one = player(ready={"extra_office": 1}, levels={"privilege": 1})
    routes = {
        COELLEN: ["0t"] * 4,
        DUISBURG: ["0t", "0t"],
        "hamburg--luneburg": ["0m", None, None, None],
    }
    cities = {"dortmund": {"offices": [None, None]}, "warburg": {"offices": ["1t", None]}}
    state = calm(one, player(), player(), routes=routes, cities=cities)
    office = moves.OpenOffice(0, DUISBURG, "dortmund")
    assert refusal(state, office) == ("HT-6.6", "wrong_shape")
    assert refusal(state, moves.TakeSpecialPrestige(0, COELLEN, 0)) == ("HT-6.10", "no_merchant")
    extra = moves.OpenExtraOffice(0, COELLEN, "warburg", "merchant")
    assert refusal(state, extra) == ("HT-8.3", "not_on_route")


def test_a_trader_and_a_merchant_of_wales_leave_room_for_each_other():
    """HT-13.4, HT-14.1, HT-14.13: each stays in Wales, though England has free posts."""
    isle, near = "conway--isle_of_man", "conway--montgomery"
    options = {"map": "britannia", "remove_three": "move"}
    one = player(ready={"remove_three": 1})
    rows = {isle: ["1m", "2m", "2t"], near: ["1t", "2t", "2t"]}
    other_routes = ("cardiff--montgomery", "cardiff--pembroke", "chester--conway")
    rows |= {key: ["1t", "2t", "1t"] for key in (*other_routes, "hereford--montgomery")}
    rows["montgomery--pembroke"] = ["2t", "2t", "2t"]
    loose = player(levels={"book": 3})
    state = table(one, loose, loose, options=options, routes=rows)
    held = after(
        state,
        moves.UseMarker(0, "remove_three"),
        moves.LiftPiece(0, (isle, 0)),
        moves.LiftPiece(0, (near, 0)),
    )
    taken = moves.PutPiece(0, 1, "merchant", (near, 0), "Wales")
    assert refusal(held, taken) == ("HT-14.13", "no_room")
    done = after(
        held,
        moves.PutPiece(0, 1, "merchant", (isle, 0), "Wales"),
        moves.PutPiece(0, 1, "trader", (near, 0), "Wales"),
    )
    assert (seats_to_move(done), done.actions) == ((0,), 2)


def test_an_extra_piece_may_take_the_last_post_of_england_while_wales_has_one():
    """HT-5.7, HT-14.13: the displaced piece of Wales can still stay there."""
    wales, england = "cardiff--pembroke", "cardiff--coventry"
    options = {"map": "britannia"}
    gateway = {"offices": ["1t", "0t", None, None, None]}
    seats = (player("tttt", levels={"book": 3}), *(player() for _ in range(3)))
    routes = {wales: ["1t", None, None]}
    state = table(*seats, options=options, routes=routes, cities={"cardiff": gateway})
    free = {("cardiff--montgomery", 0), (england, 0)}
    numbers = {state.board.posts[state.board.route_number[name]].start + at for name, at in free}
    for post, code in enumerate(state.posts):
        if not code and post not in numbers:
            state.posts[post] = 1 + 2 * 2 + (post in state.board.reserved)
    state = after(state, moves.DisplacePiece(0, "trader", (wales, 0), 1, 0))
    extra = moves.RelocatePiece(1, "stock", "trader", (england, 0))
    assert extra in menu(state)
    last = moves.RelocatePiece(1, "displaced", "trader", ("cardiff--montgomery", 0))
    assert menu(after(state, extra)) == [last]


def test_each_pair_of_neighbouring_offices_may_be_swapped():
    """HT-8.4: three pairs in a city of four."""
    one = player(ready={"swap_offices": 1})
    cities = {"minden": {"offices": ["1t", "2t", "1t", "2t"]}}
    state = calm(one, player(levels={"book": 3}), player(levels={"book": 3}), cities=cities)
    offered = [move for move in menu(state) if isinstance(move, moves.SwapOffices)]
    assert offered == [moves.SwapOffices(0, "minden", left) for left in (0, 1, 2)]


def test_an_extra_piece_comes_from_its_source():
    """HT-5.4: a stock of traders has no merchant."""
    seat_1 = {"supply": {"m": 1}, "stock": {"t": 10}, "levels": {}}
    state = calm(player("ttt"), seat_1, player(), routes={COELLEN: ["1t", None, None, None]})
    state = after(state, moves.DisplacePiece(0, "trader", (COELLEN, 0), 1, 0))
    merchant = moves.RelocatePiece(1, "stock", "merchant", (WARBURG, 0))
    assert refusal(state, merchant) == ("HT-5.4", "not_there")
