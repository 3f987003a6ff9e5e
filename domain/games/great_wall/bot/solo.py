"""The value of a table with Qin Jiushao for the human, in points at the end: GW-14.14."""

from __future__ import annotations

from domain.games.great_wall import board
from domain.games.great_wall.bot import outlook
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state.table import State

HUMAN = 0
LOSS_WITHOUT_SHAME = 60
"""The human is at least this number of points behind when no Shame is left: GW-14.14."""
QIN_FEATURES = (
    "shame in the pool",
    "wall levels",
    "levels of Qin",
    "levels of Qin, for each year",
    "honor for his clerks",
    "his spots covered",
    "his claims in sight",
    "his archers in firing spots",
    "his archers in firing spots, for each year",
    "nothing dealt yet",
)
FEATURES = (*outlook.FEATURES, *QIN_FEATURES)
VICTORY_VALUE = 100.0
WEIGHTS: dict[str, float] = {
    "always": 9.27,
    "years": -11.01,
    "material": 1.25,
    "chi": 0.76,
    "overseer levels": -0.98,
    "overseer levels, for each year": 1.29,
    "clerks, for each year": 0.97,
    "active advisors": 0.68,
    "active advisors, for each year": 0.36,
    "supporting advisors, for each year": 0.80,
    "tactic cards": 0.71,
    "archers in firing spots": -0.37,
    "archers in firing spots, for each year": 0.38,
    "soldiers under shame": 0.51,
    "soldiers in the pool": -1.09,
    "command cards in hand": 0.15,
    "command cards in the discard": -0.15,
    "clans above in tea order": -4.80,
    "spots covered": 0.22,
    "claims in sight": 1.37,
    "breaches in sight": -1.75,
    "production clerks": 1.60,
    "clerks in the barracks": -0.35,
    "shame in the pool": 0.39,
    "wall levels": 1.93,
    "levels of Qin": -2.15,
    "levels of Qin, for each year": -0.54,
    "honor for his clerks": -0.98,
    "his spots covered": -0.67,
    "his claims in sight": -0.07,
    "his archers in firing spots": -3.25,
    "his archers in firing spots, for each year": 1.08,
    "nothing dealt yet": 30.64,
}
"""How much each adds to the final lead, fitted by `python -m bench.rules.weights --mode solo`."""
_IN_ORDER = tuple(WEIGHTS[name] for name in FEATURES)


def evaluate(state: State) -> float:
    """The expected lead over Qin; a victory is worth more than any lead."""
    if state.ended is not None:
        return current_lead(state) + (VICTORY_VALUE if scoring(state).won else -VICTORY_VALUE)
    terms = zip(_IN_ORDER, compute_features(state), strict=True)
    return current_lead(state) + sum(weight * number for weight, number in terms)


def current_lead(state: State) -> int:
    """By how many points the human is ahead of Qin now: GW-14.14."""
    stands = scoring(state)
    ahead = stands.lines[HUMAN].points - stands.rivals[0].points
    return min(ahead, -LOSS_WITHOUT_SHAME) if stands.reason == "shame" else ahead


def compute_features(state: State) -> tuple[float, ...]:
    """The features of the human and of Qin, in the order of NAMES."""
    assert state.qin is not None
    qin, left = state.clans[state.qin], outlook.years_left(state)
    levels = sum(one.level for one in qin.overseers if one)
    covered, claims, _ = outlook.rate_hordes(state, state.qin)
    gathered = sum(qin.level(place) * qin.at(place) for place in board.PRODUCTION)
    return (
        *outlook.compute_features(state, HUMAN),
        state.shame,
        sum(state.walls),
        levels,
        levels * left,
        gathered,
        covered,
        claims,
        sum(qin.firing),
        sum(qin.firing) * left,
        outlook.is_before_deal(state),
    )
