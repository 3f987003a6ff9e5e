"""Chapter 11: two players, provinces and the pawn."""

import pytest

from domain.engine.dice import Luck
from domain.engine.game import legal_moves, new_state, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import PROVINCES, SOLDIERS
from domain.games.hansa_teutonica.events.course import PawnMoved
from domain.games.hansa_teutonica.moves import (
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    LiftPiece,
    MovePawn,
    PawnToStart,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    SendPawn,
    TakeIncome,
    UseMarker,
)
from domain.games.hansa_teutonica.state.setup import Options
from tests.games.hansa_teutonica.table import after, happens, player, refusal, table

THREE = {
    "bremen--hamburg": "extra_office",
    "kampen--osnabruck": "extra_office",
    "magdeburg--stendal": "extra_office",
}


def duel(one=None, two=None, pawn="P10", **position):
    """Two players, the pawn east of Minden."""
    return table(one or player("ttt"), two or player(), pawn=pawn, markers=THREE, **position)


def test_sixteen_provinces_and_four_soldiers():
    """HT-11.1, HT-11.2"""
    assert len(PROVINCES) == 16
    assert {frozenset(soldier.between) for soldier in SOLDIERS} == {
        frozenset(pair)
        for pair in (
            ("osnabruck", "munster"),
            ("munster", "dortmund"),
            ("luneburg", "brunswiek"),
            ("brunswiek", "goslar"),
        )
    }
    touched = [route for province in PROVINCES for route in province.routes]
    assert {touched.count(route) for route in touched} == {1, 2}
    assert refusal(table(), SendPawn(0, "P01"))[0] == "HT-11.1"
    assert refusal(duel(), MovePawn(0, "P17"))[0] == "HT-11.2"


def test_the_second_player_places_the_pawn_first():
    """HT-11.3"""
    setup = GAME.setup(Options(first_player="seat:1"), 2)
    state = new_state(GAME, setup, 2, Luck(0))
    assert seats_to_move(state) == (0,)
    assert len(legal_moves(GAME, state, 0)) == 16
    early = PlacePiece(0, "trader", ("emden--groningen", 0))
    assert refusal(state, early) == ("HT-11.3", "pawn_first")
    then = after(state, PawnToStart(0, "P07"))
    assert (then.pawn, seats_to_move(then)) == ("P07", (1,))


def test_placing_displacing_and_establishing_only_at_the_province():
    """HT-11.4"""
    routes = {"goslar--hildesheim": ["0t", "0t", "0t"], "goslar--magdeburg": ["1t", None]}
    state = duel(routes=routes)
    for move in (
        PlacePiece(0, "trader", ("emden--groningen", 0)),
        EstablishRoute(0, "goslar--hildesheim"),
        DisplacePiece(0, "trader", ("goslar--magdeburg", 0), 1, 0),
    ):
        assert refusal(state, move) == ("HT-11.4", "outside_province")
    assert after(state, PlacePiece(0, "trader", ("hannover--minden", 0))).actions == 1


def test_other_moves_do_not_need_the_pawn():
    """HT-11.5"""
    routes = {"emden--groningen": ["0t", None, None], "hannover--minden": ["1t", None, None]}
    state = duel(routes=routes)
    moved = after(
        state,
        LiftPiece(0, ("emden--groningen", 0)),
        PutPiece(0, 0, "trader", ("coellen--warburg", 0)),
    )
    assert after(moved, TakeIncome(0, 3, 0)).actions == 0
    pushed = after(state, DisplacePiece(0, "trader", ("hannover--minden", 0), 1, 0))
    far = RelocatePiece(1, "displaced", "trader", ("bremen--hannover", 0))
    assert after(pushed, far).posts.count(3) == 1


def test_one_free_move_over_one_border_or_two():
    """HT-11.6, HT-11.8: also past a soldier, but not across a city."""
    state = duel()
    free = {move.province for move in legal_moves(GAME, state, 0) if isinstance(move, MovePawn)}
    assert "P11" in free
    assert free == {"P04", "P05", "P11", "P12", "P01", "P02", "P06", "P13", "P09", "P15"}
    assert refusal(state, MovePawn(0, "P16")) == ("HT-11.6", "too_far")
    assert refusal(state, MovePawn(0, "P10")) == ("HT-11.6", "already_there")
    then = after(state, MovePawn(0, "P12"))
    assert refusal(then, MovePawn(0, "P10")) == ("HT-11.6", "pawn_moved")
    assert not then.closed


def test_a_free_move_after_an_action_closes_the_turn():
    """HT-11.6"""
    one = player("ttt", ready={"plus_3_actions": 1})
    state = after(duel(one), TakeIncome(0, 3, 0))
    assert happens(state, MovePawn(0, "P12")) == [PawnMoved(0, "P12", False, True)]
    closed = after(state, MovePawn(0, "P12"))
    assert legal_moves(GAME, closed, 0) == [EndTurn(0)]
    assert refusal(closed, UseMarker(0, "plus_3_actions")) == ("HT-11.6", "turn_closed")
    assert refusal(closed, TakeIncome(0, 3, 0)) == ("HT-11.6", "turn_closed")


@pytest.mark.parametrize("province", ["P01", "P16"])
def test_for_an_action_the_pawn_goes_anywhere_repeatedly(province):
    """HT-11.7"""
    state = after(duel(), SendPawn(0, province))
    assert (state.pawn, state.actions) == (province, 1)
    assert refusal(state, SendPawn(0, province)) == ("HT-11.7", "already_there")
    assert after(state, SendPawn(0, "P03")).actions == 0
