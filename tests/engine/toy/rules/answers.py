"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, AutomaticStep, Fallback, allow_any, offer_only
from domain.engine.play import Step
from tests.engine.toy import moves
from tests.engine.toy.rules import challenges, rounds
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import State

# Readers compare the columns of these tables, so a person lays them out. They are separate
# constants because mypy then checks the types of every row.
# fmt: off
ROWS = (
    Answer(steps.Choose,    moves.Seal,     rounds.cards,             rounds.check_card,          rounds.seal),
    Answer(steps.Challenge, moves.ShowCard, challenges.challenges,    challenges.check_challenge, challenges.challenge),
    Answer(steps.Challenge, moves.Pass,     offer_only(moves.Pass),   allow_any,                  challenges.pass_on),
    Answer(steps.Respond,   moves.Counter,  challenges.counters,      challenges.check_counter,   challenges.counter),
    Answer(steps.Respond,   moves.GiveIn,   offer_only(moves.GiveIn), allow_any,                  challenges.give_in),
)
FALLBACKS: dict[type[Step], Fallback] = {
    steps.Choose:    Fallback("TOY-2.2", "not_now"),
    steps.Challenge: Fallback("TOY-3.1", "not_now"),
    steps.Respond:   Fallback("TOY-3.2", "not_now"),
}
AUTOMATIC_STEPS = (
    AutomaticStep(steps.Round,   rounds.next_round),
    AutomaticStep(steps.Reveal,  rounds.reveal),
    AutomaticStep(steps.Replace, challenges.replace),
    AutomaticStep(steps.Refill,  rounds.refill),
)
# fmt: on
ANSWERS = Answers[State](ROWS, FALLBACKS, AUTOMATIC_STEPS)
"""The moves of each step: TOY-2.2, TOY-3.1, TOY-3.2."""
