"""Whole games: invariants, positions on the way, undo in the middle."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.game import advance, judge, legal_moves, new_state, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import COMPLETE, COVERED_BY, SIDES
from domain.games.hansa_teutonica.moves import (
    DeclineBonus,
    DeployPiece,
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    PlacePiece,
)
from domain.games.hansa_teutonica.state.steps import Deploying, Moving, PlaceMarkers, Relocate
from domain.games.hansa_teutonica.state.table import FREE, State, code_of
from tests.games.hansa_teutonica.table import table
from tests.match.table import Table

SEATS = (2, 3, 4, 5)
MOVES_PER_LOOK = 5
"""How often a whole game is looked at for what stays wrong: cities and markers. Pieces are counted
at every move, because a piece in the hand of a player could be missing for one move only.
"""
TABLES = [(seats, name) for name, sides in SIDES.items() for players in sides for seats in players]
MOST_SEATS = [(max(players), name) for name, sides in SIDES.items() for players in sides]


def begin(seats: int, dice: Any, **options: Any) -> State:
    setup = GAME.setup(GAME.options(**options), seats)
    return new_state(GAME, setup, seats, dice)


def pieces_of(state: State, seat: int, placed: Counter[int]) -> list[int]:
    """All traders and merchants of a seat, those placed on the board and all others."""
    counts = [1, 0]
    for ability, piece in enumerate(COVERED_BY):
        counts[piece] += COMPLETE[ability] - state.level(seat, ability)
    step = state.agenda[-1] if state.agenda else None
    for piece in range(2):
        code = code_of(seat, piece)
        counts[piece] += placed[code] + state.supply[code] + state.stock[code]
        if isinstance(step, Moving):
            counts[piece] += step.held.count(code)
        if isinstance(step, Relocate) and step.seats == (seat,) and not step.placed:
            counts[piece] += step.piece == ("trader", "merchant")[piece]
    return counts


def markers_in(state: State) -> int:
    """All markers, wherever they are."""
    step = state.agenda[-1] if state.agenda else None
    drawn = len(step.kinds) if isinstance(step, PlaceMarkers) else 0
    on_board = sum(marker > 0 for marker in state.markers)
    return state.drawable() + drawn + on_board + sum(state.ready) + sum(state.used)


def has_all_pieces(state: State) -> None:
    """Check 27 traders and 4 merchants each."""
    placed = Counter(chain(state.posts, state.offices, state.special, *state.extras))
    assert [pieces_of(state, seat, placed) for seat in range(state.seats)] == [
        [27, 4]
    ] * state.seats


def holds_together(state: State) -> None:
    """Check the pieces, 16 markers, no skipped office, the count of cities."""
    has_all_pieces(state)
    assert markers_in(state) == sum(state.setup.markers)
    full = 0
    for span, extra in zip(state.board.offices, state.extras, strict=True):
        row = state.offices[span.start : span.stop]
        assert FREE not in row or not any(row[row.index(FREE) :])
        full += FREE not in row and bool(row or extra)
    assert state.complete == full


@pytest.mark.parametrize(("seats", "name"), TABLES)
def test_pieces_and_markers_are_never_lost_or_made(seats, name):
    """HT-1.6, HT-1.7, HT-6.6, HT-6.8, HT-14.2"""

    @settings(max_examples=2, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 999), data=st.data())
    def play(seed: int, data: Any) -> None:
        dice = Luck(seed)
        state = begin(seats, dice, map=name)
        for _ in range(40):
            if not seats_to_move(state):
                break
            (seat,) = seats_to_move(state)
            menu = legal_moves(GAME, state, seat)
            advance(GAME, state, data.draw(st.sampled_from(menu)), dice)
            holds_together(state)

    play()


def play_out(seats: int, seed: int, **options: Any) -> State:
    """A game of the weakest bot with random moves, with its invariants checked."""
    dice = Luck(f"{seats} {seed}")
    state = begin(seats, dice, **options)
    for made in range(3000):
        if not seats_to_move(state):
            break
        (seat,) = seats_to_move(state)
        if dice.below(3):
            move = GAME.levels[0].bot(bot_view(GAME, state, seat, dice))
        else:
            move = choose(dice, legal_moves(GAME, state, seat))
        advance(GAME, state, move, dice)
        has_all_pieces(state)
        if made % MOVES_PER_LOOK == 0:
            holds_together(state)
    holds_together(state)
    return state


@pytest.mark.parametrize(
    ("seats", "name"),
    [pytest.param(*one, marks=[] if one in MOST_SEATS else [pytest.mark.long]) for one in TABLES],
)
def test_whole_games_keep_their_invariants_and_end(seats, name):
    """HT-9.1, HT-14.2: with the default options, and where most play with all others."""
    assert play_out(seats, 0, map=name).ended
    if (seats + 1, name) in TABLES:
        return
    others = {
        "ability_choice": "any",
        "marker_use": "later_action",
        "marker_refill": "on_take",
        "remove_three": "move",
        "tie_break": "actions_then_network",
        "marker_mix": "big_box",
        "income": "up_to",
        "swap": "one_own",
    }
    assert play_out(seats, 1, map=name, **others).ended


@pytest.mark.parametrize(("seats", "name"), MOST_SEATS)
def test_bots_that_plan_find_legal_moves_on_each_side(seats, name):
    """HT-14.1, HT-14.13: also where pieces cannot go everywhere."""
    dice = Luck(f"{seats} {name}")
    state = begin(seats, dice, map=name)
    for made in range(100):
        (seat,) = seats_to_move(state)
        level = GAME.levels[2 if made > 90 else 0]
        move = level.bot(bot_view(GAME, state, seat, dice))
        judge(GAME, state, move)
        advance(GAME, state, move, dice)


@pytest.mark.long
@pytest.mark.parametrize(("seats", "name"), TABLES)
def test_many_games_keep_their_invariants(seats, name):
    assert all(play_out(seats, seed, map=name).ended for seed in range(2, 250))


def test_undo_in_the_middle_of_a_permanent_bonus():
    """HT-14.4: the effect of the bonus can be undone freely, and the route one step later."""
    options = {"map": "east", "first_player": "seat:0"}
    state = begin(3, Luck(0), **options)
    data = json_codec.msgspec.json.decode(json_codec.encode(GAME.write_position(state)))
    data["routes"] = {"danzig--malmo": ["0t", "0t", "0t", "0m"]}
    data["seats"][0]["supply"] = {"t": 2, "m": 0}
    match = Table("ann bob cid", game=GAME, options=options, position=data)
    match.move(EstablishRoute(0, "danzig--malmo"))
    asked = match.match.state.copy()
    assert isinstance(asked.agenda[-1], Deploying)
    match.move(DeployPiece(0, "stock", "trader", ("halle--wittenberg", 0)))
    match.undo("ann")
    assert match.match.state == asked
    match.move(DeclineBonus(0))
    assert isinstance(match.legal()[0], EndTurn)


def test_undo_in_the_middle_of_a_displacement():
    """HT-5.2: the owner can undo what they placed; the displacement needs consent."""
    match = Table("ann bob cid", game=GAME, options={"first_player": "seat:0"})
    match.move(PlacePiece(0, "trader", ("dortmund--duisburg", 0)))
    match.move(EndTurn(0))
    match.move(DisplacePiece(1, "trader", ("dortmund--duisburg", 0), 1, 0))
    before = match.match.state.copy()
    assert match.match.seats_to_move == (0,)
    menu = [move for move in match.legal() if move.source == "displaced"]
    match.move(menu[0])
    assert isinstance(match.match.state.agenda[-1], Relocate)
    match.undo("ann")
    assert match.match.state == before
    match.redo("ann")
    assert match.match.state.agenda[-1].placed
    match.undo("bob")
    assert match.match.undo_request is not None
    match.answer("ann")
    match.answer("cid")
    assert match.match.seats_to_move == (1,)
    assert isinstance(match.legal()[0], EndTurn)


@pytest.mark.parametrize(("markers", "asks"), [(2, True), (3, False)])
def test_a_drawn_marker_prevents_a_free_undo(markers, asks):
    """HT-8.8: a player who saw it can go back only with the consent of the others."""
    routes = ("bremen--hamburg", "bremen--minden", "bremen--hannover")[:markers]
    state = table(markers=dict.fromkeys(routes, "extra_office"), pile={"swap_offices": 1})
    position = json_codec.msgspec.json.decode(json_codec.encode(GAME.write_position(state)))
    match = Table("ann bob cid", game=GAME, position=position)
    match.move(EndTurn(0))
    match.undo("ann")
    assert (match.match.undo_request is not None) == asks
    assert (match.match.state == state) != asks
