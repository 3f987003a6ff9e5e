"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, AutomaticStep, Fallback, allow_any, offer_only
from domain.engine.play import Step
from domain.games.tigris_euphrates import moves
from domain.games.tigris_euphrates.rules import (
    catastrophes,
    endings,
    leaders,
    monuments,
    swaps,
    tiles,
    treasures,
    turns,
)
from domain.games.tigris_euphrates.rules.conflicts import conflicts, wars
from domain.games.tigris_euphrates.state import steps
from domain.games.tigris_euphrates.state.table import State

# The tables are aligned by hand, because people read them by column. Each table is a statement of
# its own so that mypy checks the types of every row.
# fmt: off
ROWS = (
    Answer(steps.Turn,           moves.PlaceTile,        tiles.places,                      tiles.check_place,        tiles.place,            exact=True),
    Answer(steps.Turn,           moves.PlaceLeader,      leaders.places,                    leaders.check_place,      leaders.place,          exact=True),
    Answer(steps.Turn,           moves.WithdrawLeader,   leaders.withdrawals,               leaders.check_withdrawal, leaders.withdraw,       exact=True),
    Answer(steps.Turn,           moves.PlaceCatastrophe, catastrophes.places,               catastrophes.check_place, catastrophes.place,     exact=True),
    Answer(steps.Turn,           moves.DiscardTile,      swaps.discards,                    swaps.check_discard,      swaps.begin,            exact=True),
    Answer(steps.Turn,           moves.Pass,             offer_only(moves.Pass),            allow_any,                turns.pass_by,          exact=True),
    Answer(steps.Swap,           moves.DiscardTile,      swaps.discards,                    swaps.check_discard,      swaps.put_another_away, exact=True),
    Answer(steps.Swap,           moves.DrawTiles,        offer_only(moves.DrawTiles),       allow_any,                swaps.end,              exact=True),
    Answer(steps.Reinforce,      moves.CommitTiles,      conflicts.support,                 conflicts.check_support,  conflicts.commit),
    Answer(steps.ChooseWar,      moves.ChooseColor,      wars.choices,                      wars.check_choice,        wars.choose,            exact=True),
    Answer(steps.OfferMonument,  moves.BuildMonument,    monuments.choices,                 monuments.check_choice,   monuments.build,        exact=True),
    Answer(steps.OfferMonument,  moves.DeclineMonument,  offer_only(moves.DeclineMonument), allow_any,                monuments.decline,      exact=True),
    Answer(steps.ChooseTreasure, moves.LeaveTreasure,    treasures.choices,                 treasures.check_choice,   treasures.leave,        exact=True),
)
FALLBACKS: dict[type[Step], Fallback] = {
    steps.Turn:           Fallback("TE-3.1", "no_such_decision"),
    steps.Swap:           Fallback("TE-8.1", "decision_pending"),
    steps.Reinforce:      Fallback("TE-9.3", "decision_pending"),
    steps.ChooseWar:      Fallback("TE-11.3", "decision_pending"),
    steps.OfferMonument:  Fallback("TE-12.2", "decision_pending"),
    steps.ChooseTreasure: Fallback("TE-13.2", "decision_pending"),
}
AUTOMATIC_STEPS = (
    AutomaticStep(steps.FindWars,     wars.find),
    AutomaticStep(steps.Resolve,      conflicts.resolve),
    AutomaticStep(steps.FindSquares,  monuments.find_squares),
    AutomaticStep(steps.ServeTraders, treasures.serve),
    AutomaticStep(steps.EndTurn,      endings.end_turn),
)
# fmt: on
ANSWERS = Answers[State](ROWS, FALLBACKS, AUTOMATIC_STEPS)
"""The moves of each step: TE-3.1, TE-3.3, TE-5.8, TE-11.3, TE-13.2."""
