"""What holds after every event and at every rest, for any choices."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine.dice import Luck
from domain.engine.game import begin, decide, legal_moves, seats_to_move
from domain.games.qin import GAME
from domain.games.qin.board import KIND_NUMBER, KINDS, TILES
from domain.games.qin.rules.villages import leader
from domain.games.qin.scoring import scoring
from domain.games.qin.state.setup import Options
from domain.games.qin.state.table import NOBODY, RUINED

OPTIONS = st.builds(
    Options,
    board=st.sampled_from(("bird", "lion")),
    joining_majors=st.sampled_from(("forbidden", "mutual_removal")),
)


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(st.data(), OPTIONS, st.integers(2, 4), st.integers(0, 999))
def test_the_table_is_in_order_throughout_a_game(data, options, seats, seed):
    """QIN-1.2, QIN-2.6, QIN-2.7, QIN-2.9, QIN-7.4"""
    dice, setup = Luck(seed), GAME.setup(options, seats)
    state, placed = GAME.blank_state(setup, seats), [0] * len(KINDS)
    apply_events(state, begin(GAME, setup, seats, dice))
    at_rest(state, placed)
    while seats_to_move(state):
        move = data.draw(st.sampled_from(legal_moves(GAME, state, *seats_to_move(state))))
        placed[KIND_NUMBER[move.kind]] += 1
        apply_events(state, decide(GAME, state, move, dice))
        at_rest(state, placed)
    assert scoring(state).winners == state.winners


def apply_events(state, events):
    """Apply the events one by one; supplies and board agree after each."""
    for event in events:
        event.apply(state)
        assert min(state.supply) >= 0
        for seat, line in enumerate(scoring(state).lines):
            assert state.supply[seat] + line.points == state.setup.allotment


def at_rest(state, placed):
    check_tiles(state, placed)
    check_areas(state)
    if not state.ended:
        check_weights(state)
        check_villages(state)


def check_tiles(state, placed):
    held = zip(state.pile, *state.hands, placed, strict=True)
    assert [sum(counts) for counts in held] == list(TILES)
    cells = zip(state.cells, state.board.ground, strict=True)
    assert sum(what != ground for what, ground in cells) == 2 * sum(placed)


def check_areas(state):
    """The stored areas equal those found by a walk over the board."""
    seen = set()
    for cell, what in enumerate(state.cells):
        if not 1 <= what <= 3:
            assert state.areas[cell] == 0
        elif cell not in seen:
            area = walk(state, cell)
            seen |= area
            assert {state.areas[c] for c in area} == {cell + 1}
            assert state.sizes[cell + 1] == len(area)
            assert (state.owners[cell + 1] == NOBODY) == (len(area) == 1)
    assert sum(state.sizes) == len(seen)


def walk(state, cell):
    found, todo = {cell}, [cell]
    while todo:
        for other in state.board.neighbours[todo.pop()]:
            if other not in found and state.cells[other] == state.cells[cell]:
                found.add(other)
                todo.append(other)
    return found


def check_weights(state):
    for size, owner, pagodas in zip(state.sizes, state.owners, state.pagodas, strict=True):
        owned = owner not in (NOBODY, RUINED)
        assert pagodas == (0 if not owned else 2 if size >= 5 else 1)


def check_villages(state):
    for village in state.board.villages:
        strongest = leader(state, village)
        assert strongest is None or state.villages[village] == strongest + 1
