"""Chapter 5: displaced pieces."""

import pytest

from domain.engine.errors import NotYourTurn
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS, board_of
from domain.games.hansa_teutonica.events.pieces import ExtrasDeclined, PieceHomeless
from domain.games.hansa_teutonica.moves import (
    DeclineExtras,
    DisplacePiece,
    EndTurn,
    RelocatePiece,
    UseMarker,
)
from domain.games.hansa_teutonica.rules.pieces.relocating import nearest
from domain.games.hansa_teutonica.state.steps import Turn
from tests.games.hansa_teutonica.table import after, happens, player, refusal, table

COELLEN = ("coellen--warburg", 0)
WARBURG = "paderborn--warburg"
KAMPEN = "kampen--osnabruck"


def displace(piece="t", *others, routes=None, seat_1=None):
    """Seat 0 has displaced a piece of seat 1 between Coellen and Warburg."""
    standing = {"coellen--warburg": [f"1{piece}", None, None, None], **(routes or {})}
    state = table(player("ttttt"), seat_1 or player(), player(), *others, routes=standing)
    return after(state, DisplacePiece(0, "trader", COELLEN, 1 + (piece == "m"), 0))


def relocate(source, post, piece="trader", lifted=None):
    return RelocatePiece(1, source, piece, post, lifted)


def test_the_owner_decides_at_once_and_the_active_player_waits():
    """HT-5.1, HT-5.2"""
    for piece, extras in (("t", 1), ("m", 2)):
        state = displace(piece)
        assert seats_to_move(state) == (1,)
        assert state.agenda[-1].extras == extras
        with pytest.raises(NotYourTurn):
            judge(GAME, state, EndTurn(0))
    assert refusal(displace("t"), relocate("displaced", COELLEN)) == ("HT-1.3", "occupied")
    wrong = relocate("displaced", (WARBURG, 0), "trader")
    assert refusal(displace("m"), wrong) == ("HT-5.3", "not_displaced")


def test_a_displaced_player_cannot_use_markers():
    """HT-5.2"""
    state = displace(seat_1=player(ready={"plus_3_actions": 1}))
    assert refusal(state, UseMarker(1, "plus_3_actions")) == ("HT-3.4", "unfinished")


def test_the_displaced_piece_must_be_placed_and_extras_may_be_declined():
    """HT-5.3, HT-5.8, HT-5.11"""
    state = displace()
    assert refusal(state, DeclineExtras(1)) == ("HT-5.8", "must_place")
    placed = after(state, relocate("displaced", (WARBURG, 0)))
    assert refusal(placed, relocate("displaced", (WARBURG, 1))) == ("HT-5.3", "not_displaced")
    assert happens(placed, DeclineExtras(1)) == [ExtrasDeclined(1, 1)]
    over = after(placed, DeclineExtras(1))
    assert over.agenda == [Turn((0,))]
    assert over.actions == 1


def test_extras_come_from_the_stock_then_the_supply_then_the_board():
    """HT-5.4"""
    rest = {"kampen--osnabruck": ["1t", "1t"], "bremen--hamburg": ["1t", "1t", "1t", "1t"]}
    rest |= {"emden--osnabruck": ["1t"] * 4}
    poor = {"supply": {"m": 1}, "stock": {}, "levels": {}}
    state = displace("t", routes=rest, seat_1=poor)
    first = after(state, relocate("displaced", (WARBURG, 0)))
    assert refusal(first, relocate("stock", (WARBURG, 1)))[1] == "wrong_source"
    lifted = ("kampen--osnabruck", 0)
    assert refusal(first, relocate("board", (WARBURG, 1), "trader", lifted))[1] == "wrong_source"
    assert after(first, relocate("supply", (WARBURG, 1), "merchant")).in_supply(1) == (0, 0)
    poorer = displace(
        "m",
        routes={**rest, "dortmund--duisburg": ["1t", None]},
        seat_1={"supply": {}, "stock": {}, "levels": {}},
    )
    placed = after(poorer, relocate("displaced", (WARBURG, 0), "merchant"))
    then = after(placed, relocate("board", (WARBURG, 1), "trader", lifted))
    assert GAME.view(then, None).routes["kampen--osnabruck"] == (None, "1t")
    assert refusal(placed, relocate("board", (WARBURG, 1), "merchant", lifted))[1] == "not_there"
    assert refusal(placed, relocate("board", (WARBURG, 1)))[1] == "not_lifted"


def test_the_nearest_routes_come_first_ring_by_ring():
    """HT-5.5, HT-5.6"""
    state = displace()
    far = relocate("displaced", ("minden--paderborn", 0))
    assert refusal(state, far) == ("HT-5.5", "too_far")
    assert refusal(state, relocate("displaced", ("coellen--warburg", 1))) == (
        "HT-5.6",
        "same_route",
    )
    beyond = displace(routes={WARBURG: ["2t", "2t", "2t"]})
    places = {move.post[0] for move in legal_moves(GAME, beyond, 1)}
    assert places == {"dortmund--paderborn", "hildesheim--paderborn", "minden--paderborn"}
    board = board_of(MAPS["board_2_3"])
    home = board.route_number["coellen--warburg"]
    assert all(home not in ring for ring in board.rings[home])


def test_pieces_may_be_spread_in_any_order():
    """HT-5.7, HT-5.9"""
    state = displace("m", routes={WARBURG: ["2t", "2t", "2t"]})
    state = after(state, relocate("stock", ("dortmund--paderborn", 0)))
    assert not state.agenda[-1].placed
    state = after(state, relocate("displaced", ("minden--paderborn", 1), "merchant"))
    assert state.in_supply(1) == (0, 0)
    assert refusal(state, EndTurn(1))[0] == "HT-3.4"


def test_an_extra_piece_leaves_the_last_post_to_the_displaced_one():
    """HT-5.7"""
    state = table(
        player("tttt"), player(), player(), routes={"coellen--warburg": ["1t", "2t", "2t", "2t"]}
    )
    state.posts[:] = bytes(5 if code == 0 else code for code in state.posts)
    state.posts[state.board.posts[0].start] = 0
    state = after(state, DisplacePiece(0, "trader", COELLEN, 1, 0))
    last = (state.setup.map.routes[0].id, 0)
    assert refusal(state, relocate("stock", last)) == ("HT-5.7", "last_post")
    assert after(state, relocate("displaced", last)).agenda == [Turn((0,))]


def test_an_extra_piece_from_a_post_leaves_one_to_the_displaced_piece():
    """HT-5.7: unless it comes from the route of the displacement, where it frees no useful post."""
    poor = {"supply": {}, "stock": {}, "levels": {}}
    rows = {route: ["1t"] * 4 for route in ("bremen--hamburg", "brunswiek--minden")}
    rows |= {"coellen--warburg": ["1t", "1t", "2t", "2t"], KAMPEN: ["1t", "1m"]}
    state = table(player("tttt"), poor, player(), routes=rows)
    last = state.board.posts[state.board.route_number[WARBURG]].start
    state.posts[:] = bytes(5 if code == 0 else code for code in state.posts)
    state.posts[last] = 0
    state = after(state, DisplacePiece(0, "trader", COELLEN, 1, 0))
    own = relocate("board", (WARBURG, 0), "trader", ("coellen--warburg", 1))
    assert refusal(state, own) == ("HT-5.7", "last_post")
    other = after(state, relocate("board", (WARBURG, 0), "trader", (KAMPEN, 0)))
    assert legal_moves(GAME, other, 1) == [relocate("displaced", (KAMPEN, 0))]


def test_the_nearest_routes_are_those_before_an_extra_piece_is_lifted():
    """HT-5.4, HT-5.5"""
    poor = {"supply": {}, "stock": {}, "levels": {}}
    full = {WARBURG: ["1t"] * 3, "bremen--hamburg": ["1t"] * 4}
    full |= {"brunswiek--minden": ["1t", "1t", "1t", "1m"]}
    state = displace(routes=full, seat_1=poor)
    state = after(state, relocate("displaced", ("minden--paderborn", 1)))
    lifted = (WARBURG, 0)
    own = relocate("board", lifted, "trader", lifted)
    assert refusal(state, own) == ("HT-1.3", "occupied")
    moved = after(state, relocate("board", ("minden--paderborn", 0), "trader", lifted))
    assert GAME.view(moved, None).routes[WARBURG] == (None, "1t", "1t")
    near = {move.post[0] for move in legal_moves(GAME, state, 1) if move != DeclineExtras(1)}
    assert near == {"dortmund--paderborn", "hildesheim--paderborn", "minden--paderborn"}


def test_on_a_full_board_the_displaced_piece_goes_to_the_stock():
    """HT-5.10"""
    state = table(
        player("tttt"), player(), player(), routes={"coellen--warburg": ["1t", "2t", "2t", "2t"]}
    )
    state.posts[:] = bytes(5 if code == 0 else code for code in state.posts)
    assert nearest(state, state.board.route_number["coellen--warburg"], 0) == ()
    events = happens(state, DisplacePiece(0, "trader", COELLEN, 1, 0))
    assert events[-1] == PieceHomeless(1, "trader")
