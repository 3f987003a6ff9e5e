"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal
from domain.games.qin import moves
from domain.games.qin.rules import placing, turns
from domain.games.qin.state import steps
from domain.games.qin.state.table import State

# A table is read by its columns, so it is laid out by hand.
# fmt: off
ANSWERS = Answers[State](
    (
        Answer(steps.Turn, moves.PlaceTile, placing.placements, placing.check_placement, placing.place),
    ),
    otherwise={
        steps.Turn: Refusal("QIN-4.1", "not_now", "Place a tile."),
    },
    chores=(
        Chore(steps.Refill,   turns.refill),
        Chore(steps.NextTurn, turns.next_turn),
    ),
)
"""What can be done when: QIN-4.1, QIN-4.2."""
# fmt: on
