"""Chapter 4: how the game refuses an illegal placement, and what it offers instead."""

from __future__ import annotations

from itertools import product

import pytest

from domain.engine.dice import Luck, choose
from domain.engine.errors import RuleBroken
from domain.engine.game import advance, candidates, judge, legal_moves, seats_to_move
from domain.engine.play import Move
from domain.games.qin import GAME
from domain.games.qin.board import KINDS, Half
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.answers import ANSWERS
from domain.games.qin.rules.places import can_place
from domain.games.qin.state.steps import NextTurn, Refill, Turn
from tests.engine.table import new_game
from tests.games.qin.table import holding, table, tile
from tests.games.seen import find_refusal
from tests.support.for_each import for_each

OPTIONS = [
    {"board": board, "joining_majors": joining}
    for board in ("bird", "lion")
    for joining in ("forbidden", "mutual_removal")
]


def moments(options, seats=3):
    """Every eleventh table of a game of random placements; the first seat is to move."""
    dice = Luck(f"{options}")
    state = new_game(GAME, seats, dice, **options)
    for number in range(200):
        if not seats_to_move(state):
            return
        if number % 11 == 0:
            yield state.copy()
        move = choose(dice, legal_moves(GAME, state, *seats_to_move(state)))
        advance(GAME, state, move, dice)


def fault_of(state, move):
    """The fault of a refusal, or nothing if the placement is legal."""
    try:
        judge(GAME, state, move)
    except RuleBroken as refused:
        return refused.fault
    return ""


def every_placement(state, seat):
    """Each kind in the hand, on each two cells that share an edge, either way round."""
    for kind, (a, b) in product(KINDS, adjacent(state)):
        if state.hands[seat][KINDS.index(kind)]:
            yield tile_on(state, seat, kind, a, b)


def adjacent(state):
    return [(a, b) for a, near in enumerate(state.board.neighbours) for b in near]


def tile_on(state, seat, kind, a, b):
    one, two = (
        Half(*state.board.spaces[cell], color) for cell, color in zip((a, b), kind, strict=True)
    )
    return PlaceTile(seat, kind, (one, two))


def lying(move):
    """The colours by cell, in any order of the halves."""
    return move.kind, frozenset((half.row, half.col, half.color) for half in move.halves)


def test_a_placement_is_the_only_answer_to_a_turn():
    """QIN-4.1, QIN-9.4: all else is automatic."""
    assert [(row.step, row.move) for row in ANSWERS.rows] == [(Turn, PlaceTile)]
    assert [chore.step for chore in ANSWERS.automatic_steps] == [Refill, NextTurn]
    assert GAME.answers is ANSWERS


class Pass(Move):
    """A move that no rule knows."""


def test_anything_else_is_refused_by_the_rule_that_says_what_to_do():
    """QIN-4.1"""
    found = find_refusal(GAME, table("R..", "..."), Pass(0))
    assert found == ("QIN-4.1", "not_now", "Place a tile.")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_is_offered_is_all_that_is_legal_of_everything_one_could_do(options):
    """QIN-4.3, QIN-4.4, QIN-4.5, QIN-4.7"""
    for state in moments(options):
        (seat,) = seats_to_move(state)
        legal = {lying(move) for move in every_placement(state, seat) if not fault_of(state, move)}
        offered = legal_moves(GAME, state, seat)
        assert {lying(move) for move in offered} == legal
        assert len(offered) == len(legal)


@for_each("options", OPTIONS)
def test_of_what_is_offered_only_areas_can_be_wrong(options):
    """QIN-4.7: hand and spaces are in order, and so the next turn need not look at them again."""
    for state in moments(options):
        (seat,) = seats_to_move(state)
        faults = {fault_of(state, move) for move in candidates(GAME, state, seat)}
        assert faults <= {"", "joins_majors", "joins_ruined", "tied_absorb"}


@for_each("options", OPTIONS)
def test_a_player_who_has_a_legal_placement_can_place(options):
    """QIN-9.3: also those whose turn it is not."""
    for state in moments(options):
        for seat in range(len(state.hands)):
            asked = state.copy()
            asked.agenda = [Turn((seat,))]
            assert can_place(state, seat) == bool(legal_moves(GAME, asked, seat))


def test_pairs_are_found_at_the_edges_of_the_board_but_not_round_them():
    """QIN-2.3, QIN-4.3: the end of a row does not touch the beginning of the next."""
    state = table("..R", "...")
    right, down = map(state.board.cells_with, (state.right, state.down))
    assert [state.board.spaces[cell] for cell in right] == [(0, 0), (1, 1)]
    assert [state.board.spaces[cell] for cell in down] == [(0, 1)]


def test_the_first_thing_that_is_wrong_is_described():
    """QIN-4.1, QIN-1.2, QIN-4.3, QIN-4.4: each placement also has all faults of those below it."""
    state = holding(table("R.....", "..V...", "...~.."), 0, "RY")
    bad_tile = (Half(0, 9, "B"), Half(2, 3, "B"))
    wrong = [
        (PlaceTile(0, "RR", bad_tile), "tile_not_in_hand"),
        (PlaceTile(0, "RY", bad_tile), "not_this_tile"),
        (PlaceTile(0, "RY", (Half(0, 9, "R"), Half(2, 3, "Y"))), "off_board"),
        (tile("RY", "f1", "d3"), "not_adjacent"),
        (tile("RY", "e3", "d3"), "not_grassland"),
        (tile("RY", "e3", "f3"), "not_connected"),
        (tile("RY", "b1", "c1"), ""),
    ]
    assert [fault_of(state, move) for move, _ in wrong] == [fault for _, fault in wrong]


def test_of_two_halves_in_the_way_the_first_is_named():
    """QIN-4.3"""
    state = holding(table("R.....", "..V~.."), 0, "RY")
    village, water = (
        find_refusal(GAME, state, tile("RY", *at)) for at in (("c2", "d2"), ("d2", "c2"))
    )
    assert village == (
        "QIN-4.3",
        "not_grassland",
        "c2 is a village. Choose an empty grassland space.",
    )
    assert water == ("QIN-4.3", "not_grassland", "d2 is water. Choose an empty grassland space.")


@for_each("at", [(-1, 0), (0, -1), (13, 0), (0, 13), (10**9, 0), (-(10**9), 0)])
def test_a_half_beyond_the_board_is_refused_wherever_it_is(at):
    """QIN-4.3: also where counting from the other end would lead back to the board."""
    state = holding(new_game(GAME, 2, Luck(0), first_player="seat:0"), 0, "RY")
    inside = Half(0, 0, "Y")
    assert fault_of(state, PlaceTile(0, "RY", (Half(*at, "R"), inside))) == "off_board"
    assert fault_of(state, PlaceTile(0, "RY", (inside, Half(*at, "R")))) == "off_board"


def test_a_refused_placement_changes_nothing():
    state = holding(table("rr.rr", ".....", owners=("00.11", ".....")), 0, "RY")
    before = state.copy()
    assert fault_of(state, tile("RY", "c1", "c2")) == "tied_absorb"
    assert state == before
