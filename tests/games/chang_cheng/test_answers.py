"""The table of answers: what it offers and refuses, checked with every move of the game."""

from __future__ import annotations

from itertools import chain, product
from typing import Any

import pytest

from domain.engine.errors import RuleBroken
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.engine.play import Move, Step, records_in
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
    """All moves that can be written in this game, legal or not."""
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
    """The offered moves are exactly the legal ones."""
    (seat,) = seats_to_move(state)
    offered = legal_moves(GAME, state, seat)
    assert len(set(offered)) == len(offered)
    assert set(offered) == {move for move in every_move(seat) if legal(state, move)}
    assert offered


def test_every_kind_of_step_that_waits_is_tried_here():
    tried = {type(state.agenda[-1]) for state in WAITING.values()}
    assert tried == set(ANSWERS.fallbacks)
    assert set(ANSWERS.steps) == set(records_in(Step, steps))


def test_every_kind_of_move_can_be_said_here():
    assert {type(move) for move in every_move(0)} == set(records_in(Move, moves))
    assert set(ANSWERS.moves) == set(records_in(Move, moves))


@EVERY
def test_what_is_offered_is_all_that_is_allowed(state):
    """CC-3.1"""
    same(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_offered_throughout_a_game_is_all_that_is_allowed(seats):
    """CC-3.1"""
    for moment in record(GAME, seats, 5).some(3):
        same(moment.state)


@EVERY
def test_what_is_offered_is_carried_out(state):
    """Each legal move has an event, and the next step has an answer: CC-3.1."""
    (seat,) = seats_to_move(state)
    for move in legal_moves(GAME, state, seat)[::3]:
        new = state.copy()
        assert happens(new, move) or new.agenda != state.agenda
        assert all(legal_moves(GAME, new, other) for other in seats_to_move(new))


COURSE = {
    steps.FirstTurn: ("CC-3.2", "Choose the cell for your first single wall.", {moves.BuildSingle}),
    steps.Turn: (
        "CC-3.1",
        "Choose a piece and a cell of the wall for it, or a card and a Chinese region.",
        {moves.BuildSingle, moves.BuildDouble, moves.BuildTower, moves.LayCard},
    ),
    steps.SecondSingle: (
        "CC-4.1",
        "Choose the cell for your second single wall.",
        {moves.BuildSingle},
    ),
    steps.AfterCard: (
        "CC-4.3",
        "Play a second card, or build a single wall in the region of the first card.",
        {moves.LayCard, moves.BuildSingle, moves.EndAction},
    ),
    steps.OfferNeutral: (
        "CC-11.2",
        "Choose the cell for a neutral single wall, or decline.",
        {moves.BuildNeutral, moves.DeclineNeutral},
    ),
    steps.ForcedNeutral: (
        "CC-11.6",
        "Choose the cell for a neutral single wall.",
        {moves.BuildNeutral},
    ),
    steps.ChooseOrder: ("CC-6.2", "Choose the region that is scored first.", {moves.ScoreFirst}),
    steps.UseCard: (
        "CC-7.1",
        "Choose what your card does first.",
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
    steps.Extend: (
        "CC-8.2",
        "Choose a board, then the end of the wall where you add it.",
        {moves.ExtendWall},
    ),
}
"""For each step, the rule that asks for it, what a refusal says, and the moves that answer it."""


@EVERY
def test_any_other_move_is_refused_by_the_rule_of_the_step(state):
    """CC-3.1, CC-3.2, CC-4.1, CC-4.3, CC-6.2, CC-7.1, CC-8.2, CC-11.2, CC-11.6"""
    (seat,) = seats_to_move(state)
    rule, reason, answers = COURSE[type(state.agenda[-1])]
    before = contents(state)
    others = {type(move): move for move in every_move(seat) if type(move) not in answers}
    assert len(others) == len(ANSWERS.moves) - len(answers)
    for move in others.values():
        refusal = find_refusal(state, move)
        assert (refusal.rule, refusal.fault) == (rule, "not_now")
        assert why(GAME, refusal) == reason
    assert contents(state) == before


def find_refusal(state: State, move: Move) -> Any:
    with pytest.raises(RuleBroken) as caught:
        judge(GAME, state, move)
    return caught.value
