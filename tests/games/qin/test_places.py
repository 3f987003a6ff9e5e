"""Chapter 4: the search for all legal cells at once finds what the judge allows."""

from __future__ import annotations

from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from domain.engine.dice import Luck, choose
from domain.engine.errors import RuleBroken
from domain.engine.game import judge, legal_moves
from domain.games.qin import GAME
from domain.games.qin.board import FREE, KINDS, NUMBER_OF, Half
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.places import can_place
from domain.games.qin.state.setup import Options
from domain.games.qin.state.steps import Turn
from domain.games.qin.state.table import RUINED, bare
from tests.games.qin.table import holding, table, tile
from tests.support.for_each import for_each

SIGNS = ("......rrrrry", "....rryyybRYBV~#", "....rrrr", "...yB")
"""What cells of a table by chance hold: mostly grassland and halves of tiles of a colour or two."""
OWNERS = (1, 1, 2, 2, 3, 4, RUINED)


def table_by_chance(dice):
    """Random cells, owners of areas and a hand, also ones that no game has; seat 0 is active."""
    height, width, signs = 1 + dice.below(7), 1 + dice.below(7), choose(dice, SIGNS)
    cells = "".join(choose(dice, signs) for _ in range(height * width))
    layout = "".join("." if sign in "ryb" else sign for sign in cells)
    rows = tuple(layout[at : at + width] for at in range(0, len(layout), width))
    joining = choose(dice, ("forbidden", "mutual_removal"))
    state = bare(GAME.setup(Options(joining_majors=joining), 4), rows, 4)
    lay_cells(state, cells.upper())
    for area in range(len(state.sizes)):
        if state.sizes[area] > 1:
            state.owners[area] = choose(dice, OWNERS)
    state.hands[0] = [dice.below(2) for _ in KINDS]
    state.agenda = [Turn((0,))]
    return state


def lay_cells(state, cells):
    """What is of a colour becomes areas."""
    spaces = state.board.spaces
    coloured = [cell for cell, sign in enumerate(cells) if sign in NUMBER_OF]
    for cell in coloured:
        state.cover([(cell, NUMBER_OF[cells[cell]])])
    for cell in coloured:
        alike = [n for n in state.board.neighbours[cell] if cells[n] == cells[cell]]
        state.unite([spaces[other] for other in (cell, *alike)])


def conceivable(state):
    """A tile of each kind on each two cells, one or the other half first."""
    spaces, near = state.board.spaces, state.board.neighbours
    for kind, one in product(KINDS, range(len(spaces))):
        for other in near[one]:
            halves = zip(kind, (spaces[one], spaces[other]), strict=True)
            yield PlaceTile(0, kind, tuple(Half(*space, color) for color, space in halves))


def list_judged(state):
    """The moves of seat 0 that the judge allows; a tile of one colour turned round is the same."""
    return [alike(move) for move in conceivable(state) if not fault_of(state, move)]


def alike(move):
    return move.kind, frozenset(move.halves)


def fault_of(state, move):
    """The fault for which the rules refuse a move, or None."""
    try:
        judge(GAME, state, move)
    except RuleBroken as refusal:
        return refusal.fault
    return None


@given(seed=st.integers(0))
def test_what_is_found_is_what_the_judge_lets_pass(seed):
    """QIN-4.3, QIN-4.4, QIN-4.5, QIN-4.7, QIN-9.3: on any table, with any hand."""
    state = table_by_chance(Luck(seed))
    legal, judged = legal_moves(GAME, state, 0), set(list_judged(state))
    assert len(legal) == len(judged)
    assert {alike(move) for move in legal} == judged
    assert can_place(state, 0) == bool(legal)


def test_tables_by_chance_have_areas_that_may_not_be_joined():
    """So that what holds on them above says something."""
    tables = [table_by_chance(Luck(seed)) for seed in range(100)]
    faults = {fault_of(state, move) for state in tables for move in conceivable(state)}
    assert faults >= {None, "not_connected", "joins_ruined", "tied_absorb"}


BETWEEN_TIED = table(
    "rr.rr",
    "~~.~~",
    owners=("00.11", "....."),
)
"""A tile lies on c1 and c2 or nowhere, and no red half on c1: QIN-6.4."""


def test_no_player_can_place_where_every_pair_offends():
    """QIN-9.3, QIN-6.4"""
    state = holding(BETWEEN_TIED, 0, "RR")
    assert legal_moves(GAME, state, 0) == []
    assert not can_place(state, 0)


def test_no_player_can_place_without_tiles():
    """QIN-9.3"""
    state = holding(table("R..", "..."), 0)
    assert legal_moves(GAME, state, 0) == []
    assert not can_place(state, 0)


def test_areas_that_each_half_may_join_are_not_always_to_be_joined_by_both():
    """QIN-6.4, QIN-4.7: each half of RR touches one province, and these tie."""
    state = holding(table("rr..rr", owners=("00..11",)), 0, "RR", "RY")
    assert legal_moves(GAME, state, 0) == [tile("RY", "c1", "d1"), tile("RY", "d1", "c1")]


def test_a_third_province_can_allow_what_two_forbid():
    """QIN-6.3: with what is below d1, seat 1 has the most."""
    cells, owners = ["rr..rr", "###r##", "###r##"], ("00..11", "...1..", "...1..")
    state = holding(table(*cells, owners=owners), 0, "RR")
    assert legal_moves(GAME, state, 0) == [tile("RR", "c1", "d1")]


def flags(cells):
    """The cells as the table stores them: one byte each."""
    return sum(1 << 8 * cell for cell in cells)


@given(seed=st.integers(0))
def test_what_the_table_keeps_of_its_cells_is_what_lies_there(seed):
    """QIN-4.3, QIN-5.2: free grassland, and cells beside spaces of the same colour."""
    state = table_by_chance(Luck(seed))
    assert state.free == flags(n for n, what in enumerate(state.cells) if what == FREE)
    for colour in NUMBER_OF.values():
        near = Counter(
            n
            for c, what in enumerate(state.cells)
            if what == colour
            for n in state.board.neighbours[c]
        )
        assert state.once[colour] == flags(near)
        assert state.twice[colour] == flags(n for n in near if near[n] > 1)


def test_a_copy_keeps_its_places():
    """A placement on one table does not affect the other."""
    state = holding(table("R..", "..."), 0, "RY")
    before = legal_moves(GAME, state, 0)
    other = state.copy()
    other.cover([(1, NUMBER_OF["R"])])
    assert legal_moves(GAME, state, 0) == before != legal_moves(GAME, other, 0)


@for_each("seat", range(4))
def test_placements_are_those_of_the_seat(seat):
    state = holding(table("R..", "...", seats=4, active=seat), seat, "RY")
    assert {move.seat for move in legal_moves(GAME, state, seat)} == {seat}
