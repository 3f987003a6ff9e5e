"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, AutomaticStep, Fallback
from domain.engine.play import Step
from domain.games.qin import moves
from domain.games.qin.rules import places, placing, turns
from domain.games.qin.state import steps
from domain.games.qin.state.table import State

# The tables are aligned by hand, because people read them by column. Each table is a statement of
# its own so that mypy checks the types of every row.
# fmt: off
ROWS = (
    Answer(steps.Turn, moves.PlaceTile, places.placements, placing.check_placement, placing.place, exact=True),
)
FALLBACKS: dict[type[Step], Fallback] = {
    steps.Turn: Fallback("QIN-4.1", "not_now"),
}
AUTOMATIC_STEPS = (
    AutomaticStep(steps.Refill,   turns.refill),
    AutomaticStep(steps.NextTurn, turns.next_turn),
)
# fmt: on
ANSWERS = Answers[State](ROWS, FALLBACKS, AUTOMATIC_STEPS)
"""The moves of each step: QIN-4.1, QIN-4.2."""
