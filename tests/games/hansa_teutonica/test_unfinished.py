"""Players finish a move before they do anything else."""

from __future__ import annotations

from domain.engine.game import seats_to_move
from domain.games.hansa_teutonica import moves
from tests.games.hansa_teutonica.begun import (
    deploying,
    east_moving,
    green_office,
    laying,
    moving,
    placing_the_pawn,
    relocating,
    removing,
)
from tests.games.hansa_teutonica.table import COELLEN, EMDEN, KAMPEN, calm, refusal
from tests.support.for_each import for_each

UNFINISHED = ("HT-3.4", "unfinished")

STEPS = {
    "relocating": (relocating, UNFINISHED, {moves.RelocatePiece, moves.DeclineExtras}),
    "moving": (moving, UNFINISHED, {moves.LiftPiece, moves.PutPiece, moves.DeclineBonus}),
    "removing": (removing, UNFINISHED, {moves.RemovePiece, moves.StopRemoving}),
    "moving by a bonus": (
        east_moving,
        UNFINISHED,
        {moves.LiftPiece, moves.PutPiece, moves.DeclineBonus},
    ),
    "deploying": (deploying, UNFINISHED, {moves.DeployPiece, moves.DeclineBonus}),
    "a green office": (green_office, UNFINISHED, {moves.OpenGreenOffice, moves.DeclineBonus}),
    "laying markers": (laying, UNFINISHED, {moves.PlaceMarker}),
    "the pawn": (placing_the_pawn, ("HT-11.3", "pawn_first"), {moves.PawnToStart}),
}


def samples(seat):
    """One move of each kind."""
    return (
        moves.TakeIncome(seat, 3, 0),
        moves.PlacePiece(seat, "trader", (KAMPEN, 0)),
        moves.DisplacePiece(seat, "trader", (KAMPEN, 0), 1, 0),
        moves.LiftPiece(seat, (KAMPEN, 0)),
        moves.PutPiece(seat, seat, "trader", (KAMPEN, 0)),
        moves.EstablishRoute(seat, KAMPEN),
        moves.OpenOffice(seat, KAMPEN, "kampen"),
        moves.OpenExtraOffice(seat, KAMPEN, "kampen", "trader"),
        moves.ImproveAbility(seat, EMDEN, "groningen", "book"),
        moves.TakeSpecialPrestige(seat, COELLEN, 0),
        moves.UseMarker(seat, "plus_3_actions"),
        moves.UseImprovement(seat, "bag"),
        moves.SwapOffices(seat, "minden", 0),
        moves.RemovePiece(seat, (KAMPEN, 0)),
        moves.StopRemoving(seat),
        moves.RelocatePiece(seat, "displaced", "trader", (KAMPEN, 0)),
        moves.DeclineExtras(seat),
        moves.DeployPiece(seat, "stock", "trader", (KAMPEN, 0)),
        moves.OpenGreenOffice(seat, "waren", "trader"),
        moves.DeclineBonus(seat),
        moves.PawnToStart(seat, "P01"),
        moves.MovePawn(seat, "P01"),
        moves.SendPawn(seat, "P01"),
        moves.PlaceMarker(seat, "swap_offices", KAMPEN),
        moves.EndTurn(seat),
    )


@for_each(("given", "told", "answers"), STEPS.values())
def test_a_pending_step_allows_no_other_move(given, told, answers):
    """HT-3.4, HT-5.2, HT-11.3"""
    state = given()
    (seat,) = seats_to_move(state)
    for move in samples(seat):
        if type(move) not in answers:
            assert refusal(state, move) == told


def test_in_a_turn_moves_of_other_steps_are_refused():
    """HT-3.4"""
    finishing = {
        moves.PutPiece,
        moves.RemovePiece,
        moves.StopRemoving,
        moves.RelocatePiece,
        moves.DeclineExtras,
        moves.DeployPiece,
        moves.OpenGreenOffice,
        moves.DeclineBonus,
        moves.PawnToStart,
        moves.PlaceMarker,
    }
    for move in samples(0):
        if type(move) in finishing:
            assert refusal(calm(), move) == ("HT-3.4", "not_now")
