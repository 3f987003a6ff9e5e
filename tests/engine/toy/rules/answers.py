"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal, always, only
from domain.engine.play import Step
from tests.engine.toy import moves
from tests.engine.toy.rules import challenges, rounds
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import State

# Tables are read by their columns, so they are laid out by hand. Each stands by itself: only so are
# the types of every row checked.
# fmt: off
ROWS = (
    Answer(steps.Choose,    moves.Seal,     rounds.cards,          rounds.check_card,          rounds.seal),
    Answer(steps.Challenge, moves.ShowCard, challenges.challenges, challenges.check_challenge, challenges.challenge),
    Answer(steps.Challenge, moves.Pass,     only(moves.Pass),      always,                     challenges.pass_on),
    Answer(steps.Respond,   moves.Counter,  challenges.counters,   challenges.check_counter,   challenges.counter),
    Answer(steps.Respond,   moves.GiveIn,   only(moves.GiveIn),    always,                     challenges.give_in),
)
OTHERWISE: dict[type[Step], Refusal] = {
    steps.Choose:    Refusal("TOY-2.2", "not_now"),
    steps.Challenge: Refusal("TOY-3.1", "not_now"),
    steps.Respond:   Refusal("TOY-3.2", "not_now"),
}
CHORES = (
    Chore(steps.Round,   rounds.next_round),
    Chore(steps.Reveal,  rounds.reveal),
    Chore(steps.Replace, challenges.replace),
    Chore(steps.Refill,  rounds.refill),
)
# fmt: on
ANSWERS = Answers[State](ROWS, OTHERWISE, CHORES)
"""What can be done when: TOY-2.2, TOY-3.1, TOY-3.2."""
