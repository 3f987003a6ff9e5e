"""Which moves answer which steps, in the order of the menu."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal, always, only
from domain.engine.play import Step
from domain.games.hansa_teutonica import moves
from domain.games.hansa_teutonica.rules import (
    abilities,
    actions,
    bonuses,
    ends,
    establishing,
    markers,
    offices,
    pawn,
    turns,
)
from domain.games.hansa_teutonica.rules.establishing import choice
from domain.games.hansa_teutonica.rules.pieces import moving, relocating
from domain.games.hansa_teutonica.rules.turns import action, in_turn
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.table import State

UNFINISHED = Refusal("HT-3.4", "unfinished")

# Tables are read by their columns, so they are laid out by hand. Each stands by itself: only so are
# the types of every row checked. `action`, `choice` and `in_turn` make rows of the step `Turn`.
# fmt: off
ROWS = (
    Answer( steps.Turn,         moves.EndTurn,             only(moves.EndTurn),       always,                       turns.end_turn),
    action(                     moves.TakeIncome,          actions.incomes,           actions.check_income,         actions.take_income),
    action(                     moves.PlacePiece,          actions.placings,          actions.check_place,          actions.place),
    action(                     moves.LiftPiece,           moving.own_pieces,         moving.check_begin,           moving.begin),
    action(                     moves.DisplacePiece,       actions.displacings,       actions.check_displace,       actions.displace),
    choice(                     moves.EstablishRoute,      establishing.nothing,      always,                       establishing.choose_nothing),
    choice(                     moves.OpenOffice,          offices.offices,           offices.check_office,         offices.open_office),
    choice(                     moves.OpenExtraOffice,     offices.extra_offices,     offices.check_extra_office,   offices.open_extra_office),
    choice(                     moves.ImproveAbility,      abilities.improvements,    abilities.check_city,         abilities.improve_chosen),
    choice(                     moves.TakeSpecialPrestige, establishing.prizes,       establishing.check_prize,     establishing.take_prize),
    in_turn(                    moves.SwapOffices,         markers.swaps,             markers.check_swap,           markers.swap),
    in_turn(                    moves.UseMarker,           markers.uses,              markers.check_use,            markers.use),
    in_turn(                    moves.UseImprovement,      markers.improvements,      markers.check_improvement,    markers.improve),
    in_turn(                    moves.MovePawn,            pawn.ways,                 pawn.check_move,              pawn.move_freely),
    in_turn(                    moves.SendPawn,            pawn.far_ways,             pawn.check_send,              pawn.send),
    Answer( steps.Relocate,     moves.DeclineExtras,       only(moves.DeclineExtras), relocating.check_decline,     relocating.decline),
    Answer( steps.Relocate,     moves.RelocatePiece,       relocating.relocations,    relocating.check_relocate,    relocating.relocate),
    Answer( steps.Moving,       moves.DeclineBonus,        only(moves.DeclineBonus),  bonuses.check_decline_moving, bonuses.decline_moving),
    Answer( steps.Moving,       moves.PutPiece,            moving.puttings,           moving.check_put,             moving.put),
    Answer( steps.Moving,       moves.LiftPiece,           moving.pieces_left,        moving.check_lift,            moving.lift),
    Answer( steps.Removing,     moves.StopRemoving,        only(moves.StopRemoving),  markers.check_stop,           markers.stop),
    Answer( steps.Removing,     moves.RemovePiece,         markers.removals,          markers.check_remove,         markers.remove),
    Answer( steps.Deploying,    moves.DeclineBonus,        only(moves.DeclineBonus),  always,                       bonuses.decline_deploying),
    Answer( steps.Deploying,    moves.DeployPiece,         bonuses.deployments,       bonuses.check_deploy,         bonuses.deploy),
    Answer( steps.GreenOffice,  moves.DeclineBonus,        only(moves.DeclineBonus),  always,                       bonuses.decline_office),
    Answer( steps.GreenOffice,  moves.OpenGreenOffice,     bonuses.green_offices,     bonuses.check_green_office,   bonuses.open_green_office),
    Answer( steps.PlaceMarkers, moves.PlaceMarker,         markers.layings,           markers.check_laying,         markers.lay),
    Answer( steps.PlacePawn,    moves.PawnToStart,         pawn.starts,               pawn.check_start,             pawn.start),
)
OTHERWISE: dict[type[Step], Refusal] = {
    steps.Turn:         Refusal("HT-3.4", "not_now"),
    steps.Relocate:     UNFINISHED,
    steps.Moving:       UNFINISHED,
    steps.Removing:     UNFINISHED,
    steps.Deploying:    UNFINISHED,
    steps.GreenOffice:  UNFINISHED,
    steps.PlaceMarkers: UNFINISHED,
    steps.PlacePawn:    Refusal("HT-11.3", "pawn_first"),
}
CHORES = (
    Chore(steps.CheckEnd, ends.check_end),
    Chore(steps.Refill,   markers.refill),
    Chore(steps.NextTurn, turns.next_turn),
)
# fmt: on
ANSWERS = Answers[State](ROWS, OTHERWISE, CHORES)
"""What can be done when: an action, with all that comes of it, is finished first: HT-3.4."""
