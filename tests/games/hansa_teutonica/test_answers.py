"""The table of answers: a menu has exactly the legal moves, and they cost what they should."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from domain.engine.errors import RuleBroken
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.engine.play import Move
from domain.games.hansa_teutonica import GAME, board, moves
from domain.games.hansa_teutonica.rules.answers import ANSWERS
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.state.table import State
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.table import after

EVERY = pytest.mark.parametrize("name", MOMENTS)


def conceivable(state: State, kind: type[Move], seat: int) -> Iterator[Move]:
    """All moves of a kind with fields that name anything on this table, and some values beyond."""
    chart = state.setup.map
    posts = [(route.id, post) for route in chart.routes for post in range(-1, route.posts + 1)]
    standing = [(name, at) for name, at in posts if at >= 0 and post_alike(state, (name, at))[1]]
    values: dict[str, Any] = {
        "traders": range(-1, 13),
        "merchants": range(-1, 5),
        "pay_traders": range(-1, 4),
        "pay_merchants": range(-1, 4),
        "piece": board.PIECES,
        "post": posts,
        "lifted": [None, posts[1], *standing],
        "source": ["displaced", "stock", "supply", "board"],
        "owner": range(-1, state.seats + 1),
        "country": sorted(set(state.board.lands)) if state.board.divided else [None],
        "route": [*state.board.route_number, "nowhere"],
        "city": [*state.board.city_number, "nowhere"],
        "ability": board.ABILITIES,
        "space": range(-1, 5),
        "kind": board.MARKERS,
        "left": range(-1, 4),
        "province": [*(each.id for each in state.setup.provinces), "P00"],
    }
    fields = kind.__struct_fields__[1:]
    return (kind(seat, *chosen) for chosen in product(*(values[field] for field in fields)))


def is_legal(state: State, move: Move) -> bool:
    try:
        judge(GAME, state, move)
    except RuleBroken:
        return False
    return True


def alike(state: State, move: Move) -> tuple[Any, ...]:
    """A move as its kind and fields; equal for interchangeable posts: HT-1.3."""
    fields = [getattr(move, name) for name in move.__struct_fields__]
    return (type(move), *(post_alike(state, value) for value in fields))


def post_alike(state: State, value: Any) -> Any:
    """A post as its route, its piece, and whether it is for merchants: HT-14.1."""
    if not isinstance(value, tuple):
        return value
    span = state.board.posts[state.board.route_number[value[0]]]
    at = span.start + value[1]
    if at not in span:
        return value
    return value[0], state.posts[at], at in state.board.reserved


def test_there_is_a_moment_for_every_step():
    """HT-3.4"""
    steps = {type(build().agenda[-1]) for build in MOMENTS.values()}
    assert steps == set(ANSWERS.fallbacks)


@EVERY
def test_the_menu_has_every_legal_move_once_and_no_other(name):
    """HT-1.3, HT-3.3: the judge decides about all conceivable moves."""
    state = MOMENTS[name]()
    (seat,) = seats_to_move(state)
    menu = [alike(state, move) for move in legal_moves(GAME, state, seat)]
    assert len(menu) == len(set(menu))
    kinds = ANSWERS.moves_for(type(state.agenda[-1]))
    asked = (move for kind in kinds for move in conceivable(state, kind, seat))
    assert set(menu) == {alike(state, move) for move in asked if is_legal(state, move)}


@pytest.mark.parametrize("name", [name for name in MOMENTS if name.startswith(("turn", "pawn"))])
def test_the_turn_continues_after_all_moves_except_its_end(name):
    """HT-3.3, HT-3.5"""
    state = MOMENTS[name]()
    for move in legal_moves(GAME, state, 0):
        then = after(state, move)
        goes_on = bool(then.agenda) and then.agenda[0] == Turn((0,))
        assert goes_on == (type(move) is not moves.EndTurn)


ACTIONS = (
    moves.TakeIncome,
    moves.PlacePiece,
    moves.DisplacePiece,
    moves.LiftPiece,
    moves.EstablishRoute,
    moves.OpenOffice,
    moves.OpenExtraOffice,
    moves.ImproveAbility,
    moves.TakeSpecialPrestige,
    moves.SendPawn,
)


@pytest.mark.parametrize("name", ["turn", "ability", "special prestige", "pawn"])
def test_actions_cost_one_action_and_other_moves_none(name):
    """HT-3.2, HT-3.5, HT-8.2, HT-11.6: some moves add actions."""
    state = MOMENTS[name]()
    for move in legal_moves(GAME, state, 0):
        gained = after(state, move).actions - state.actions
        if isinstance(move, moves.UseMarker) and move.kind.startswith("plus"):
            assert gained == int(move.kind[5])
        elif isinstance(move, moves.EndTurn):
            assert gained <= 0
        elif getattr(move, "ability", None) != "actions":
            assert gained == -isinstance(move, ACTIONS)
