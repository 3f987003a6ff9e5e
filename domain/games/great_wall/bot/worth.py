"""The value of a table for a seat, in points at the end of the game, by mode."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.great_wall.bot import coop, solo
from domain.games.great_wall.bot.outlook import FEATURES, compute_features, score
from domain.games.great_wall.state.table import State

VICTORY_VALUE = 1000.0
RIVAL_WEIGHT = 0.5
"""How much of what the best rival may expect counts against a seat."""
WEIGHTS: dict[str, float] = {
    "always": 12.36,
    "years": -2.81,
    "material": 0.89,
    "chi": 1.26,
    "overseer levels": -1.13,
    "overseer levels, for each year": 1.37,
    "clerks, for each year": 0.16,
    "active advisors": -0.20,
    "active advisors, for each year": 0.32,
    "supporting advisors, for each year": -0.40,
    "tactic cards": -0.01,
    "archers in firing spots": -1.07,
    "archers in firing spots, for each year": 0.79,
    "soldiers under shame": -1.89,
    "soldiers in the pool": -1.14,
    "command cards in hand": 3.80,
    "command cards in the discard": 2.38,
    "clans above in tea order": -0.84,
    "spots covered": -2.58,
    "claims in sight": 2.45,
    "breaches in sight": -2.10,
    "production clerks": 1.75,
    "clerks in the barracks": -0.11,
}
"""How many points each adds until the end, fitted by `python -m bench.rules.weights`."""
_IN_ORDER = tuple(WEIGHTS[name] for name in FEATURES)


def evaluate(state: State, seat: Seat) -> float:
    """How good a table is for a seat. It is the same for all seats of a cooperative game."""
    match state.setup.table.mode:
        case "solo":
            return solo.evaluate(state)
        case "coop":
            return coop.evaluate(state)
        case "standard":
            return _evaluate_rivalry(state, seat)


def _evaluate_rivalry(state: State, seat: Seat) -> float:
    """The expected points of a seat, less a part of those of its best rival."""
    values = [estimate_points(state, other) for other in range(state.seats)]
    own = values.pop(seat)
    if state.ended is not None:
        return (VICTORY_VALUE if seat in state.winners else -VICTORY_VALUE) + own - max(values)
    return own - RIVAL_WEIGHT * max(values)


def estimate_points(state: State, seat: Seat) -> float:
    """The points that a seat has, plus those that it is likely to get."""
    points = float(score(state, seat))
    if state.ended is not None:
        return points
    terms = zip(_IN_ORDER, compute_features(state, seat), strict=True)
    return points + sum(weight * number for weight, number in terms)
