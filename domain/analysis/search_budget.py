"""The search budget of an analysis: the longer a match, the less for each decision."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

MAX_CHEAP_MOVES = 60
MAX_CANDIDATES = 3
SAMPLES_PER_MOVE = 8
MAX_REDRAWS = 32
SETUP_REDRAWS = 64
MIN_CHEAP_MOVES = 6
MIN_REDRAWS = 16

FULL_BUDGET_DECISIONS = 1_500
"""Number of decisions times seats up to which the full budget applies."""


class SearchBudget(NamedTuple):
    """Budget per decision: moves to evaluate cheaply, alternatives to compare with the played move,
    and imagined positions for each. Budget per draw: repetitions.
    """

    cheap_moves: int = MAX_CHEAP_MOVES
    candidates: int = MAX_CANDIDATES
    samples: int = SAMPLES_PER_MOVE
    redraws: int = MAX_REDRAWS


def search_budget(decisions: int, seats: int) -> SearchBudget:
    """The budget for a match with this number of decisions."""
    share = min(1.0, FULL_BUDGET_DECISIONS / max(1, decisions * seats))
    return SearchBudget(
        cheap_moves=max(MIN_CHEAP_MOVES, ceil(MAX_CHEAP_MOVES * share)),
        candidates=ceil(MAX_CANDIDATES * share),
        samples=ceil(SAMPLES_PER_MOVE * share),
        redraws=max(MIN_REDRAWS, ceil(MAX_REDRAWS * share)),
    )
