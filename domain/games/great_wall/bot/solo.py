"""What a table with Qin Jiushao is worth to the human, in points at the end: GW-14.14."""

from __future__ import annotations

from domain.games.great_wall import board
from domain.games.great_wall.bot import outlook
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state.table import State

HUMAN = 0
DISGRACE = 60
"""By how many points the human is behind, at least, when no Shame is left: GW-14.14."""
OF_QIN = (
    "shame in the pool",
    "wall levels",
    "levels of Qin",
    "levels of Qin, for each year",
    "honor for his clerks",
    "his spots covered",
    "his claims in sight",
    "his archers in firing spots",
    "his archers in firing spots, for each year",
)
NAMES = (*outlook.NAMES, *OF_QIN)
WON = 100.0
WEIGHTS: dict[str, float] = {
    "always": 1.30,
    "years": -4.92,
    "material": 1.07,
    "chi": 0.65,
    "overseer levels": 0.75,
    "overseer levels, for each year": 0.85,
    "clerks, for each year": -0.01,
    "active advisors": -0.78,
    "active advisors, for each year": 0.57,
    "supporting advisors, for each year": 0.10,
    "tactic cards": 0.57,
    "archers in firing spots": 0.26,
    "archers in firing spots, for each year": -0.55,
    "soldiers under shame": 0.56,
    "soldiers in the pool": -0.15,
    "command cards in hand": 0.44,
    "command cards in the discard": -0.44,
    "clans above in tea order": -1.22,
    "spots covered": 1.29,
    "claims in sight": 0.72,
    "breaches in sight": -1.11,
    "production clerks": 2.05,
    "clerks in the barracks": 3.89,
    "shame in the pool": -1.04,
    "wall levels": 0.66,
    "levels of Qin": -2.32,
    "levels of Qin, for each year": -0.61,
    "honor for his clerks": -0.77,
    "his spots covered": -0.12,
    "his claims in sight": -0.37,
    "his archers in firing spots": -1.47,
    "his archers in firing spots, for each year": -0.31,
}
"""By how much each changes the lead until the end, by `python -m bench.weights --mode solo`."""
_IN_ORDER = tuple(WEIGHTS[name] for name in NAMES)


def value(state: State) -> float:
    """The lead over Qin that may be expected; a victory is worth more than any."""
    if state.ended is not None:
        return margin(state) + (WON if scoring(state).won else -WON)
    terms = zip(_IN_ORDER, numbers(state), strict=True)
    return margin(state) + sum(weight * number for weight, number in terms)


def margin(state: State) -> int:
    """By how many points the human is ahead of Qin as it stands: GW-14.14."""
    stands = scoring(state)
    ahead = stands.lines[HUMAN].points - stands.rivals[0].points
    return min(ahead, -DISGRACE) if stands.reason == "shame" else ahead


def numbers(state: State) -> tuple[float, ...]:
    """What counts for the human and for Qin, in the order of NAMES."""
    assert state.qin is not None
    qin, left = state.clans[state.qin], outlook.years_left(state)
    levels = sum(one.level for one in qin.overseers if one)
    covered, claims, _ = outlook.hordes(state, state.qin)
    gathered = sum(qin.level(place) * qin.at(place) for place in board.PRODUCTION)
    return (
        *outlook.numbers(state, HUMAN),
        state.shame,
        sum(state.walls),
        levels,
        levels * left,
        gathered,
        covered,
        claims,
        sum(qin.firing),
        sum(qin.firing) * left,
    )
