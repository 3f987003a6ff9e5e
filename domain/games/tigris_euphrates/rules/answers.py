"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal, always, only
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

# Tables are read by their columns, so they are laid out by hand. Each stands by itself: only so are
# the types of every row checked.
# fmt: off
ROWS = (
    Answer(steps.Turn,           moves.PlaceTile,        tiles.places,                tiles.check_place,        tiles.place),
    Answer(steps.Turn,           moves.PlaceLeader,      leaders.places,              leaders.check_place,      leaders.place),
    Answer(steps.Turn,           moves.WithdrawLeader,   leaders.posted,              leaders.check_posted,     leaders.withdraw),
    Answer(steps.Turn,           moves.PlaceCatastrophe, catastrophes.places,         catastrophes.check_place, catastrophes.place),
    Answer(steps.Turn,           moves.DiscardTile,      swaps.discards,              swaps.check_discard,      swaps.begin),
    Answer(steps.Turn,           moves.Pass,             only(moves.Pass),            always,                   turns.pass_by),
    Answer(steps.Swap,           moves.DiscardTile,      swaps.discards,              swaps.check_discard,      swaps.put_another_away),
    Answer(steps.Swap,           moves.DrawTiles,        only(moves.DrawTiles),       always,                   swaps.end),
    Answer(steps.Reinforce,      moves.CommitTiles,      conflicts.support,           conflicts.check_support,  conflicts.commit),
    Answer(steps.ChooseWar,      moves.ChooseColor,      wars.choices,                wars.check_choice,        wars.choose),
    Answer(steps.OfferMonument,  moves.BuildMonument,    monuments.choices,           monuments.check_choice,   monuments.build),
    Answer(steps.OfferMonument,  moves.DeclineMonument,  only(moves.DeclineMonument), always,                   monuments.decline),
    Answer(steps.ChooseTreasure, moves.LeaveTreasure,    treasures.choices,           treasures.check_choice,   treasures.leave),
)
OTHERWISE: dict[type[Step], Refusal] = {
    steps.Turn:           Refusal("TE-3.1", "no_such_decision"),
    steps.Swap:           Refusal("TE-8.1", "decision_pending"),
    steps.Reinforce:      Refusal("TE-9.3", "decision_pending"),
    steps.ChooseWar:      Refusal("TE-11.3", "decision_pending"),
    steps.OfferMonument:  Refusal("TE-12.2", "decision_pending"),
    steps.ChooseTreasure: Refusal("TE-13.2", "decision_pending"),
}
CHORES = (
    Chore(steps.FindWars,     wars.find),
    Chore(steps.Resolve,      conflicts.resolve),
    Chore(steps.FindSquares,  monuments.find_squares),
    Chore(steps.ServeTraders, treasures.serve),
    Chore(steps.EndTurn,      endings.end_turn),
)
# fmt: on
ANSWERS = Answers[State](ROWS, OTHERWISE, CHORES)
"""What can be done when: TE-3.1, TE-3.3, TE-5.8, TE-11.3, TE-13.2."""
