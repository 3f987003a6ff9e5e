"""Chapters 12 and 13: who sees what, and who plays."""

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import BadMove
from domain.engine.game import advance, decide, fold, legal_moves, new_state, preview, seats_to_move
from domain.engine.play import redact
from domain.games.qin import GAME
from domain.games.qin.events import (
    GameEnded,
    ProvinceFounded,
    TileDrawn,
    TilePlaced,
    TilesDealt,
    TurnPassed,
)
from domain.games.qin.rules.places import can_place
from domain.games.qin.state.setup import Options
from domain.games.qin.view import imagine, view
from tests.games.qin.table import after, give_tile, lay, table, tile
from tests.support.for_each import for_each


def play_moves(seats, moves, seed=0, **options):
    """The table after this many random moves."""
    dice = Luck(seed)
    setup = GAME.setup(Options(**options), seats)
    state = new_state(GAME, setup, seats, dice)
    for _ in range(moves):
        if state.agenda:
            move = choose(dice, legal_moves(GAME, state, *seats_to_move(state)))
            advance(GAME, state, move, dice)
    return state


TABLES = [
    pytest.param((seats, moves, side), id=f"{side}-{seats}-{moves}")
    for seats in (2, 3, 4)
    for side in ("bird", "lion")
    for moves in (0, 12, 30, 45)
]


@pytest.fixture
def state(request):
    seats, moves, side = request.param
    return play_moves(seats, moves, seats, board=side)


def test_each_sees_their_own_hand_and_how_many_tiles_the_others_hold():
    """QIN-12.1"""
    state = table("B...", "....", hands=(("RR", "YB"), ("BB",)), pile=("YY", "YY"))
    seen = view(state, 1)
    assert seen.hands == (None, ("BB",))
    assert (seen.hand_sizes, seen.pile) == ((2, 1), 2)
    assert view(state, None).hands == (None, None)


def test_what_is_drawn_is_hidden_from_the_others():
    """QIN-12.1"""
    assert redact(TileDrawn(0, "RR"), 0) == TileDrawn(0, "RR")
    assert redact(TileDrawn(0, "RR"), 1) == TileDrawn(0, None)
    assert redact(TilesDealt(0, ("RR", "YB", "YB")), None) == TilesDealt(0, (None, None, None))
    assert redact(TurnPassed(0), 1) == TurnPassed(0)


def test_everything_else_is_public():
    """QIN-12.1"""
    state = after(table("rr.V", "....", owners=("11..", "....")), "BR", "c2", "c1")
    seen = view(state, None)
    assert seen.board == "custom"
    assert seen.cells == ("rrrV", "..b.")
    assert seen.owners == ("1111", "....")
    assert (seen.supply, seen.allotment, seen.scores) == ((24, 22), 24, (0, 2))
    assert seen.colours == ("green", "purple")
    assert (seen.last.seat, seen.last.kind) == (0, "BR")
    assert (seen.awaiting, seen.ended, seen.winners) == ((1,), None, ())


@pytest.mark.parametrize("state", TABLES, indirect=True)
def test_every_player_can_count_the_tiles_they_have_not_seen(state):
    """QIN-12.2"""
    for seat in range(len(state.hands)):
        seen = view(state, seat)
        assert sum(seen.unseen.values()) == seen.pile + sum(
            size for hand, size in zip(seen.hands, seen.hand_sizes, strict=True) if hand is None
        )
        assert all(seen.unseen[kind] <= 12 - seen.hands[seat].count(kind) for kind in seen.unseen)


def test_all_hands_are_shown_after_the_end():
    """QIN-12.3"""
    state = table("B...", "....", supply=(1, 9), hands=(("RR", "YB"), ("BB",)))
    then = after(state, "RR", "b1", "c1")
    assert view(then, None).hands == view(then, 1).hands == (("YB",), ("BB",))
    assert sum(view(then, None).unseen.values()) == sum(then.pile)


@pytest.mark.parametrize("state", TABLES, indirect=True)
def test_what_a_seat_cannot_know_makes_no_difference_to_it(state):
    """QIN-12.1: an imagined table has the same view, choices, previews and shown events."""
    for seat in range(len(state.hands)):
        other = imagine(state, seat, Luck(seat))
        assert view(other, seat) == view(state, seat)
        assert view(other, None) == view(state, None)
        moves = legal_moves(GAME, state, seat)
        assert legal_moves(GAME, other, seat) == moves
        for move in moves[::25]:
            assert preview(GAME, other, move) == preview(GAME, state, move)
            assert until_draw(other, move, seat) == until_draw(state, move, seat)


def until_draw(state, move, seat):
    """The events of a move as the seat sees them, without those that depend on hands of other
    seats.
    """
    shown = [redact(event, (seat + 1) % 2) for event in decide(GAME, state, move, Luck(1))]
    return [type(event) if isinstance(event, TileDrawn) else event for event in shown][:-1]


@pytest.mark.parametrize("state", TABLES, indirect=True)
def test_who_is_awaited_can_place_on_every_imagined_table(state):
    for seat in range(len(state.hands)):
        other = imagine(state, seat, Luck(7))
        assert all(can_place(other, active) for active in seats_to_move(other))
        assert [sum(hand) for hand in other.hands] == [sum(hand) for hand in state.hands]


def test_a_seat_knows_that_who_is_awaited_has_a_tile_that_fits():
    """QIN-9.3: RR would be a tie, so seat 0 must hold the other tile that is not seen."""
    owners, hands = ("11.00", "11.00"), (("YY",), ("RR",))
    state = table("rr.rr", "bb.bb", owners=owners, hands=hands, pile=("RR", "RR"))
    for seed in range(10):
        assert imagine(state, 1, Luck(seed)) == state


def test_a_preview_ends_before_the_draw_and_before_who_is_next():
    """QIN-12.1"""
    state = table("B...", "....")
    move = tile("RR", "b1", "c1")
    kinds = [type(event) for event in preview(GAME, give_tile(state, move), move)]
    assert kinds == [TilePlaced, ProvinceFounded]


def test_a_preview_of_a_victory_stops_before_the_end_shows_the_hands():
    state = table("B...", "....", supply=(1, 9))
    move = tile("RR", "b1", "c1")
    foreseen = preview(GAME, give_tile(state, move), move)
    assert not any(isinstance(event, GameEnded) for event in foreseen)
    assert isinstance(decide(GAME, give_tile(state, move), move, Luck(0))[-2], GameEnded)


def test_chance_decides_only_who_begins_and_what_is_drawn():
    """QIN-12.4: with the same tiles left, other dice change nothing but the draw."""
    state = table("rr..V", ".....", owners=("11...", "....."))
    move = tile("RR", "c1", "d1")
    state = give_tile(state, move)
    one, two = (
        [e for e in decide(GAME, state, move, Luck(seed)) if not isinstance(e, TileDrawn)]
        for seed in (1, 2)
    )
    assert one == two


def test_two_to_four_play():
    """QIN-13.1"""
    assert list(GAME.seats) == [2, 3, 4]


def test_who_plays_several_seats_sees_one_hand_at_a_time():
    """QIN-13.2"""
    state = play_moves(3, 4)
    for seat in range(3):
        assert [hand is not None for hand in view(state, seat).hands] == [
            other == seat for other in range(3)
        ]


@for_each(
    "data",
    [
        {},
        {"type": "PlaceTile", "kind": "RG", "halves": []},
        {"type": "PlaceTile", "kind": "RR", "halves": [{"row": 0, "col": 0, "color": "R"}]},
        {"type": "Pass"},
    ],
)
def test_what_is_no_move_is_refused(data):
    with pytest.raises(BadMove):
        json_codec.read_move(GAME, 0, data)


@pytest.mark.parametrize("state", TABLES, indirect=True)
def test_a_move_takes_little_space(state):
    for seat in seats_to_move(state):
        for move in legal_moves(GAME, state, seat)[::20]:
            assert len(json_codec.encode(decide(GAME, state, move, Luck(0)))) < 700


def test_a_redacted_event_is_not_folded():
    event = redact(lay(table("B...", "...."), "RR", "b1", "c1")[2], 1)
    with pytest.raises(AssertionError, match="redacted"):
        fold(table("B...", "...."), [event])
