"""Which moves answer which steps, in the order of the menu."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, AutomaticStep, Fallback, allow_any, offer_only
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

UNFINISHED_ACTION = Fallback("HT-3.4", "unfinished")

# Readers compare the columns of these tables, so they are laid out by hand. Each table has a name,
# because only then the type checker checks every row. `action`, `choice` and `in_turn` make rows of
# the step `Turn`.
# fmt: off
ROWS = (
    Answer(  steps.Turn,         moves.EndTurn,             offer_only(moves.EndTurn),       allow_any,                    turns.end_turn,               exact=True),
    action(                      moves.TakeIncome,          actions.offer_incomes,           actions.check_income,         actions.take_income),
    action(                      moves.PlacePiece,          actions.offer_placings,          actions.check_place,          actions.place),
    action(                      moves.LiftPiece,           moving.offer_own_pieces,         moving.check_begin,           moving.begin),
    action(                      moves.DisplacePiece,       actions.offer_displacings,       actions.check_displace,       actions.displace),
    choice(                      moves.EstablishRoute,      establishing.offer_nothing,      allow_any,                    establishing.choose_nothing),
    choice(                      moves.OpenOffice,          offices.offer_offices,           offices.check_office,         offices.open_office),
    choice(                      moves.OpenExtraOffice,     offices.offer_extra_offices,     offices.check_extra_office,   offices.open_extra_office),
    choice(                      moves.ImproveAbility,      abilities.offer_improvements,    abilities.check_city,         abilities.improve_chosen),
    choice(                      moves.TakeSpecialPrestige, establishing.offer_prizes,       establishing.check_prize,     establishing.take_prize),
    in_turn(                     moves.SwapOffices,         markers.offer_swaps,             markers.check_swap,           markers.swap,                 markers.can_use_any),
    in_turn(                     moves.UseMarker,           markers.offer_uses,              markers.check_use,            markers.use,                  markers.can_use_any),
    in_turn(                     moves.UseImprovement,      markers.offer_improvements,      markers.check_improvement,    markers.improve,              markers.can_use_any),
    in_turn(                     moves.MovePawn,            pawn.offer_moves,                pawn.check_move,              pawn.move_freely,             pawn.is_in_play),
    in_turn(                     moves.SendPawn,            pawn.offer_sends,                pawn.check_send,              pawn.send,                    pawn.is_in_play),
    Answer(  steps.Relocate,     moves.DeclineExtras,       offer_only(moves.DeclineExtras), relocating.check_decline,     relocating.decline),
    Answer(  steps.Relocate,     moves.RelocatePiece,       relocating.offer_relocations,    relocating.check_relocate,    relocating.relocate,          exact=True),
    Answer(  steps.Moving,       moves.DeclineBonus,        offer_only(moves.DeclineBonus),  bonuses.check_decline_moving, bonuses.decline_moving),
    Answer(  steps.Moving,       moves.PutPiece,            moving.offer_puttings,           moving.check_put,             moving.put,                   exact=True),
    Answer(  steps.Moving,       moves.LiftPiece,           moving.offer_pieces_left,        moving.check_lift,            moving.lift,                  exact=True),
    Answer(  steps.Removing,     moves.StopRemoving,        offer_only(moves.StopRemoving),  markers.check_stop,           markers.stop),
    Answer(  steps.Removing,     moves.RemovePiece,         markers.offer_removals,          markers.check_remove,         markers.remove,               exact=True),
    Answer(  steps.Deploying,    moves.DeclineBonus,        offer_only(moves.DeclineBonus),  allow_any,                    bonuses.decline_deploying,    exact=True),
    Answer(  steps.Deploying,    moves.DeployPiece,         bonuses.offer_deployments,       bonuses.check_deploy,         bonuses.deploy),
    Answer(  steps.GreenOffice,  moves.DeclineBonus,        offer_only(moves.DeclineBonus),  allow_any,                    bonuses.decline_office,       exact=True),
    Answer(  steps.GreenOffice,  moves.OpenGreenOffice,     bonuses.offer_green_offices,     bonuses.check_green_office,   bonuses.open_green_office),
    Answer(  steps.PlaceMarkers, moves.PlaceMarker,         markers.offer_layings,           markers.check_laying,         markers.lay,                  exact=True),
    Answer(  steps.PlacePawn,    moves.PawnToStart,         pawn.offer_starts,               pawn.check_start,             pawn.start,                   exact=True),
)
FALLBACKS: dict[type[Step], Fallback] = {
    steps.Turn: Fallback("HT-3.4", "not_now"),
    steps.Relocate:     UNFINISHED_ACTION,
    steps.Moving:       UNFINISHED_ACTION,
    steps.Removing:     UNFINISHED_ACTION,
    steps.Deploying:    UNFINISHED_ACTION,
    steps.GreenOffice:  UNFINISHED_ACTION,
    steps.PlaceMarkers: UNFINISHED_ACTION,
    steps.PlacePawn: Fallback("HT-11.3", "pawn_first"),
}
AUTOMATIC_STEPS = (
    AutomaticStep(steps.CheckEnd, ends.check_end),
    AutomaticStep(steps.Refill,   markers.refill),
    AutomaticStep(steps.NextTurn, turns.next_turn),
)
# fmt: on
ANSWERS = Answers[State](ROWS, FALLBACKS, AUTOMATIC_STEPS)
"""The moves that answer each step; an action is finished with all its effects: HT-3.4."""
