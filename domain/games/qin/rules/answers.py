"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal
from domain.engine.play import Step
from domain.games.qin import moves
from domain.games.qin.rules import placing, turns
from domain.games.qin.state import steps
from domain.games.qin.state.table import State

# Tables are read by their columns, so they are laid out by hand. Each stands by itself: only so are
# the types of every row checked.
# fmt: off
ROWS = (
    Answer(steps.Turn, moves.PlaceTile, placing.placements, placing.check_placement, placing.place),
)
OTHERWISE: dict[type[Step], Refusal] = {
    steps.Turn: Refusal("QIN-4.1", "not_now"),
}
CHORES = (
    Chore(steps.Refill,   turns.refill),
    Chore(steps.NextTurn, turns.next_turn),
)
# fmt: on
ANSWERS = Answers[State](ROWS, OTHERWISE, CHORES)
"""What can be done when: QIN-4.1, QIN-4.2."""
