"""The one table of answers: what is offered, what is refused, against every move that there is."""

from __future__ import annotations

from itertools import chain, product
from typing import Any

import pytest

from domain.engine.errors import RuleBroken
from domain.engine.game import awaited, judge, legal_moves
from domain.engine.play import Move, Step, defined_in
from domain.games.chang_cheng import GAME, moves
from domain.games.chang_cheng.board import BOARDS, CARDS, CELLS, CHINA, MONGOL
from domain.games.chang_cheng.rules.answers import ANSWERS
from domain.games.chang_cheng.state import steps
from domain.games.chang_cheng.state.table import State
from tests.engine.table import contents
from tests.games.chang_cheng.situations import WAITING
from tests.games.chang_cheng.table import happens
from tests.games.record import record
from tests.games.seen import why

EVERY = pytest.mark.parametrize("state", WAITING.values(), ids=WAITING)


def every_move(seat: int) -> list[Move]:
    """All that can be said in this game, sense or nonsense."""
    one_word = (moves.EndAction, moves.AddWall, moves.DeclineCard, moves.DeclineNeutral)
    on_a_cell = (moves.BuildSingle, moves.BuildTower, moves.BuildNeutral, moves.DestroyWall)
    on_two = (moves.BuildDouble, moves.SwapWalls)
    said = (
        (kind(seat) for kind in one_word),
        (kind(seat, cell) for kind in on_a_cell for cell in CELLS),
        (kind(seat, cells) for kind in on_two for cells in product(CELLS, CELLS)),
        (moves.LayCard(seat, region, number) for region in CHINA for number in CARDS),
        (moves.ScoreFirst(seat, region) for region in CHINA),
        (moves.StrikeCard(seat, number) for number in CARDS),
        (moves.RemoveThreat(seat, region) for region in MONGOL),
        (moves.ChangeValue(seat, change) for change in (2, -2)),
        (moves.ExtendWall(seat, board, side) for board in BOARDS for side in ("left", "right")),
    )
    return list(chain.from_iterable(said))


def legal(state: State, move: Move) -> bool:
    try:
        judge(GAME, state, move)
    except RuleBroken:
        return False
    return True


def same(state: State) -> None:
    """What is offered is, without exception, what is allowed."""
    (seat,) = awaited(state)
    offered = legal_moves(GAME, state, seat)
    assert len(set(offered)) == len(offered)
    assert set(offered) == {move for move in every_move(seat) if legal(state, move)}
    assert offered


def test_every_kind_of_step_that_waits_is_tried_here():
    tried = {type(state.agenda[-1]) for state in WAITING.values()}
    assert tried == set(ANSWERS.otherwise)
    assert set(ANSWERS.steps) == set(defined_in(Step, steps))


def test_every_kind_of_move_can_be_said_here():
    assert {type(move) for move in every_move(0)} == set(defined_in(Move, moves))
    assert set(ANSWERS.moves) == set(defined_in(Move, moves))


@EVERY
def test_what_is_offered_is_all_that_is_allowed(state):
    """CC-3.1"""
    same(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_offered_throughout_a_game_is_all_that_is_allowed(seats):
    """CC-3.1"""
    for moment in record(GAME, seats, 5).some(9):
        same(moment.state)


@EVERY
def test_what_is_offered_is_carried_out(state):
    """Each legal move makes something happen, and what waits afterwards can be answered: CC-3.1."""
    (seat,) = awaited(state)
    for move in legal_moves(GAME, state, seat)[::3]:
        new = state.copy()
        assert happens(new, move) or new.agenda != state.agenda
        assert all(legal_moves(GAME, new, other) for other in awaited(new))


COURSE = {
    steps.FirstTurn: ("CC-3.2", {moves.BuildSingle}),
    steps.Turn: (
        "CC-3.1",
        {moves.BuildSingle, moves.BuildDouble, moves.BuildTower, moves.LayCard},
    ),
    steps.SecondSingle: ("CC-4.1", {moves.BuildSingle}),
    steps.AfterCard: ("CC-4.3", {moves.LayCard, moves.BuildSingle, moves.EndAction}),
    steps.OfferNeutral: ("CC-11.2", {moves.BuildNeutral, moves.DeclineNeutral}),
    steps.ForcedNeutral: ("CC-11.6", {moves.BuildNeutral}),
    steps.ChooseOrder: ("CC-6.2", {moves.ScoreFirst}),
    steps.UseCard: (
        "CC-7.1",
        {
            moves.DeclineCard,
            moves.StrikeCard,
            moves.DestroyWall,
            moves.RemoveThreat,
            moves.ChangeValue,
            moves.AddWall,
            moves.SwapWalls,
        },
    ),
    steps.Extend: ("CC-8.2", {moves.ExtendWall}),
}
"""For each step the rule that says what has to be done now, and the moves that do it."""


@EVERY
def test_any_other_move_is_refused_by_the_rule_of_the_step(state):
    """CC-3.1, CC-3.2, CC-4.1, CC-4.3, CC-6.2, CC-7.1, CC-8.2, CC-11.2, CC-11.6"""
    (seat,) = awaited(state)
    rule, answers = COURSE[type(state.agenda[-1])]
    before = contents(state)
    others = {type(move): move for move in every_move(seat) if type(move) not in answers}
    assert len(others) == len(ANSWERS.moves) - len(answers)
    for move in others.values():
        told = refused(state, move)
        assert (told.rule, told.fault) == (rule, "not_now")
        assert why(GAME, told).startswith("Now you have to ")
    assert contents(state) == before


def refused(state: State, move: Move) -> Any:
    with pytest.raises(RuleBroken) as caught:
        judge(GAME, state, move)
    return caught.value
