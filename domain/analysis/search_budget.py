"""How much is looked at for an analysis: the longer a match, the less for each decision."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

GLANCES = 60
CANDIDATES = 3
SAMPLES = 8
REDRAWS = 32
SETUPS = 64
FEWEST_GLANCES = 6
FEWEST_REDRAWS = 16

ENOUGH = 1_500
"""Decisions by seats for which there is time to look at all this."""


class Effort(NamedTuple):
    """For each decision: moves at a cheap glance, moves that are looked at besides the one that was
    played, and in how many imagined positions; for each draw, how often it is drawn again.
    """

    glances: int = GLANCES
    candidates: int = CANDIDATES
    samples: int = SAMPLES
    redraws: int = REDRAWS


def effort(decisions: int, seats: int) -> Effort:
    """What there is time for in a match of so many decisions."""
    share = min(1.0, ENOUGH / max(1, decisions * seats))
    return Effort(
        glances=max(FEWEST_GLANCES, ceil(GLANCES * share)),
        candidates=ceil(CANDIDATES * share),
        samples=ceil(SAMPLES * share),
        redraws=max(FEWEST_REDRAWS, ceil(REDRAWS * share)),
    )
