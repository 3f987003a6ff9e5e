"""Which moves answer which steps."""

from __future__ import annotations

from domain.engine.answers import Answer, Answers, Chore, Refusal, always, only
from tests.engine.toy import moves
from tests.engine.toy.rules import challenges, rounds
from tests.engine.toy.state import steps
from tests.engine.toy.state.table import State

# A table is read by its columns, so it is laid out by hand.
# fmt: off
ANSWERS = Answers[State](
    (
        Answer(steps.Choose,    moves.Seal,     rounds.cards,          rounds.check_card,          rounds.seal),
        Answer(steps.Challenge, moves.ShowCard, challenges.challenges, challenges.check_challenge, challenges.challenge),
        Answer(steps.Challenge, moves.Pass,     only(moves.Pass),      always,                     challenges.pass_on),
        Answer(steps.Answer,    moves.Counter,  challenges.counters,   challenges.check_counter,   challenges.counter),
        Answer(steps.Answer,    moves.GiveIn,   only(moves.GiveIn),    always,                     challenges.give_in),
    ),
    otherwise={
        steps.Choose:    Refusal("TOY-2.2", "not_now", "Lay down a card."),
        steps.Challenge: Refusal("TOY-3.1", "not_now", "Challenge somebody, or pass."),
        steps.Answer:    Refusal("TOY-3.2", "not_now", "Give in, or counter with a higher card."),
    },
    chores=(
        Chore(steps.Round,   rounds.next_round),
        Chore(steps.Reveal,  rounds.reveal),
        Chore(steps.Replace, challenges.replace),
        Chore(steps.Refill,  rounds.refill),
    ),
)
"""What can be done when: TOY-2.2, TOY-3.1, TOY-3.2."""
# fmt: on
