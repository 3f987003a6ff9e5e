"""What a first touch leads to, and what the prompt of a turn names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.game import (
    describe_step,
    describe_touch,
    judge,
    legal_moves,
    seats_to_move,
    touch_tree,
)
from domain.engine.play import Move
from domain.engine.resolve_touches import resolve_touches
from domain.engine.touches import Touch
from domain.games.hansa_teutonica import GAME, moves
from domain.games.hansa_teutonica.board import PIECES
from domain.games.hansa_teutonica.rules.pieces import sets
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.state.table import State
from tests.games.hansa_teutonica.table import DUISBURG, EMDEN, HAMBURG, after, calm, player
from tests.games.record import record
from tests.games.seen import why
from tests.support.for_each import for_each

MOMENTS = 16
NAMED = {
    moves.PlacePiece: "place a piece",
    moves.DisplacePiece: "displace another player's piece",
    moves.LiftPiece: "move your pieces",
    moves.TakeIncome: "take income",
    moves.EstablishRoute: "establish a route",
    moves.MovePawn: "move the pawn",
    moves.SendPawn: "move the pawn",
    moves.UseMarker: "use a marker",
    moves.UseImprovement: "use a marker",
    moves.SwapOffices: "use a marker",
}
"""By kind of move what the prompt says if one is legal, and only then."""
ACTIONS = (*NAMED,)[:5]
"""Without one of these the prompt names the end of the turn."""
SEATS = (2, 3, 4)


def touch(state: State, *names: str) -> Any:
    """The move that these touches make, or what they ask for next."""
    return touch_each(state)(*names)


def touch_each(state: State) -> Callable[..., Any]:
    """The same for many touches in one state."""
    seat = seats_to_move(state)[0]
    view = GAME.view(state, seat)
    legal = touch_tree(GAME, view, legal_moves(GAME, state, seat))

    def one(*names: str) -> Any:
        path = [Touch(name) for name in names]
        try:
            return resolve_touches(GAME, state, seat, view, path, legal)
        except IncompleteMove as several:
            return set(several.choices)

    return one


def refusal_of(state: State, name: str) -> str:
    with pytest.raises(RuleBroken) as refused:
        touch(state, name)
    return why(GAME, refused.value)


def label(state: State, name: str) -> str:
    view = GAME.view(state, seats_to_move(state)[0])
    return GAME.words().say(describe_touch(GAME, Touch(name), view))


def ask(state: State) -> str:
    seat = seats_to_move(state)[0]
    spoken = describe_step(GAME, state.agenda[-1], GAME.view(state, seat), seat)
    return GAME.words().line(spoken)


def test_a_free_post_takes_the_only_kind_of_piece_or_asks_which():
    for number in range(4):
        at = f"post:{HAMBURG}:{number}"
        placed = moves.PlacePiece(0, "trader", (HAMBURG, number))
        assert touch(calm(player("tt"), player(), player()), at) == placed
        assert touch(calm(player("tm"), player(), player()), at) == {
            "supply:trader",
            "supply:merchant",
        }


def test_a_free_post_without_pieces_to_place_says_what_to_do_first():
    state = calm(player(), player(), player())
    assert refusal_of(state, f"post:{HAMBURG}:0").endswith("Take income first.")


def test_another_players_piece_asks_for_the_piece_that_displaces_it_and_then_for_the_pay():
    state = calm(player("ttm"), player(), player(), routes={HAMBURG: ["1t", "1t", "1m", None]})
    for number in (0, 1):  # the list has only the first
        at = f"post:{HAMBURG}:{number}"
        assert touch(state, at) == {"supply:trader", "supply:merchant"}
        assert touch(state, at, "supply:trader") == {"pay:1:0", "pay:0:1"}
        paid = moves.DisplacePiece(0, "trader", (HAMBURG, number), 0, 1)
        assert touch(state, at, "supply:trader", "pay:0:1") == paid
    merchant = touch(state, f"post:{HAMBURG}:2", "supply:merchant")
    assert merchant == moves.DisplacePiece(0, "merchant", (HAMBURG, 2), 2, 0)


def test_an_own_piece_is_lifted_unless_its_route_is_complete():
    row = ["0t", "0t", "0t", None]
    state = calm(player("t"), player(), player(), routes={HAMBURG: row, DUISBURG: ["0t", "0t"]})
    for number in range(3):
        lifted = moves.LiftPiece(0, (HAMBURG, number))
        assert touch(state, f"post:{HAMBURG}:{number}") == lifted
    for number in range(2):
        choices = touch(state, f"post:{DUISBURG}:{number}")
        assert choices == {"lift", f"establish:{DUISBURG}"}
        lifted = moves.LiftPiece(0, (DUISBURG, 0))  # the list has only the first
        assert touch(state, f"post:{DUISBURG}:{number}", "lift") == lifted


@for_each(
    "first",
    [
        f"establish:{DUISBURG}",
        f"route:{DUISBURG}",
        "city:dortmund",
        "city:duisburg",
        f"post:{DUISBURG}:0",
        f"post:{DUISBURG}:1",
    ],
)
def test_a_complete_route_is_established_from_its_posts_cities_line_and_by_a_word(first):
    state = calm(player(), player(), player(), routes={DUISBURG: ["0t", "0t"]})
    word = f"establish:{DUISBURG}"
    begun = [first] if first in (word, f"route:{DUISBURG}") else [first, word]
    assert touch(state, *begun, "nothing") == moves.EstablishRoute(0, DUISBURG)
    at_an_end = ["open:office"] if first == "city:duisburg" else ["city:duisburg"]
    opened = touch(state, *begun, *at_an_end)
    assert opened == moves.OpenOffice(0, DUISBURG, "duisburg")
    assert label(state, word) == "establish Dortmund–Duisburg"


def test_a_city_of_two_complete_routes_asks_which():
    routes = {DUISBURG: ["0t", "0t"], "arnheim--duisburg": ["0t", "0t", "0t"]}
    state = calm(player(), player(), player(), routes=routes)
    words = {f"establish:{route}" for route in routes}
    assert touch(state, "city:duisburg") == words


def test_a_city_without_a_complete_route_names_the_one_with_most_own_pieces():
    state = calm(player("t"), player(), player(), routes={EMDEN: ["0t", "0t", None]})
    for name in ("city:groningen", "city:emden", "office:emden:0"):
        assert refusal_of(state, name).startswith("You do not hold all posts of Emden–Groningen")


def test_an_ability_and_special_prestige_say_which_route_brings_them():
    state = calm(player("t"), player(), player(), routes={EMDEN: ["0t", "0t", None]})
    assert refusal_of(state, "ability:book") == (
        "A route of a city with this sign improves the ability book. "
        "You do not hold all posts of Emden–Groningen. Fill them first."
    )
    assert refusal_of(state, "prize:0").startswith("The route Coellen–Warburg gives special prest")


def test_the_stock_takes_income():
    income = moves.TakeIncome(0, 3, 0)
    assert touch(calm(player("m"), player(), player()), "stock:trader") == income


def test_the_pawn_says_what_it_costs_and_the_panel_and_the_prompt_agree_after_it():
    """HT-11.6, HT-11.7."""
    state = calm(player("ttt"), player())
    assert label(state, "pawn:move") == "move the pawn 1 or 2 provinces (free)"
    assert label(state, "pawn:send") == "move the pawn anywhere (1 action)"
    assert label(state, "end") == "end the turn (loses 2 actions)"
    [place, *_] = [one for one in legal_moves(GAME, state, 0) if isinstance(one, moves.PlacePiece)]
    state = after(state, place)
    assert label(state, "pawn:move").endswith("(free, but ends your actions)")
    spent = state.copy()
    spent.actions = 0
    assert label(spent, "pawn:move") == "move the pawn 1 or 2 provinces (free)"
    [pawn, *_] = [one for one in legal_moves(GAME, state, 0) if isinstance(one, moves.MovePawn)]
    state = after(state, pawn)
    assert ask(state) == "End your turn: the pawn moved after an action."
    assert label(state, "end") == "end the turn"
    picture = GAME.render_svg(GAME.view(state, 0), GAME.words())
    assert "no actions left" in picture
    assert "1 action left" not in picture


@pytest.mark.parametrize("seats", SEATS)
def test_the_prompt_of_a_turn_names_what_is_possible(seats):
    for moment in record(GAME, seats, 0).some(MOMENTS):
        if not isinstance(moment.state.agenda[-1], Turn) or moment.state.closed:
            continue
        said = ask(moment.state)
        legal = {type(move) for move in legal_moves(GAME, moment.state, moment.move.seat)}
        for words in set(NAMED.values()):
            possible = any(kind in legal for kind, name in NAMED.items() if name == words)
            assert (words in said) == possible, (words, said)
        assert ("end the turn" in said) == legal.isdisjoint(ACTIONS)


@pytest.mark.parametrize("seats", SEATS)
def test_each_post_where_a_turn_can_begin_leads_on(seats):
    """Judged move by move, also those that the list leaves out."""
    for moment in record(GAME, seats, 0).some(3):
        state, seat = moment.state, moment.move.seat
        if not isinstance(state.agenda[-1], Turn):
            continue
        touched = touch_each(state)
        for post in sets.ground_of(state.board).names:
            begun = [moves.LiftPiece(seat, post), *(_moves_to(seat, post))]
            name = f"post:{post[0]}:{post[1]}"
            if any(is_legal(state, move) for move in begun):
                led = touched(name)
                assert led in begun if isinstance(led, Move) else len(led) > 1
            else:
                with pytest.raises(RuleBroken):
                    touched(name)


def _moves_to(seat: int, post: tuple[str, int]) -> list[Any]:
    """Each way to place a piece on a post, or to displace one there."""
    pays = [pay for pay in product(range(3), repeat=2) if sum(pay) in (1, 2)]
    placed = [moves.PlacePiece(seat, piece, post) for piece in PIECES]
    return placed + [
        moves.DisplacePiece(seat, piece, post, *pay) for piece in PIECES for pay in pays
    ]


def is_legal(state: State, move: Any) -> bool:
    try:
        judge(GAME, state, move)
    except RuleBroken:
        return False
    return True
