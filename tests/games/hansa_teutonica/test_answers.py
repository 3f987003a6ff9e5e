"""The table of answers: a menu has exactly the legal moves, and they cost what they should."""

from __future__ import annotations

import pytest

from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME, moves
from domain.games.hansa_teutonica.rules.answers import ANSWERS
from domain.games.hansa_teutonica.state.steps import Turn
from tests.games.hansa_teutonica.conceivable import alike, conceivable, find_fault
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.table import after
from tests.support.for_each import for_each

EVERY = pytest.mark.parametrize("name", MOMENTS)


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
    assert set(menu) == {alike(state, move) for move in asked if not find_fault(state, move)}


@for_each("name", [name for name in MOMENTS if name.startswith(("turn", "pawn"))])
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


@for_each("name", ["turn", "ability", "special prestige", "pawn"])
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
