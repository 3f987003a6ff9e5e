"""What a table is worth to a seat, in points at the end of the game."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.great_wall.bot.outlook import NAMES, numbers, score
from domain.games.great_wall.state.table import State

WON = 1000.0
A_RIVAL = 0.5
"""How much of what the best rival may expect counts against a seat."""
WEIGHTS: dict[str, float] = {
    "always": 25.53,
    "years": 0.1,
    "material": 1.15,
    "chi": 1.41,
    "overseer levels": -1.97,
    "overseer levels, for each year": 1.48,
    "clerks, for each year": -0.73,
    "active advisors": -0.62,
    "active advisors, for each year": 0.7,
    "supporting advisors, for each year": 0.74,
    "tactic cards": 0.39,
    "archers in firing spots": -1.12,
    "archers in firing spots, for each year": 1.73,
    "soldiers under shame": -2.61,
    "soldiers in the pool": -1.66,
    "command cards in hand": 2.61,
    "command cards in the discard": 1.42,
    "clans above in tea order": -1.55,
    "spots covered": -4.51,
    "claims in sight": 2.98,
    "breaches in sight": -1.93,
    "production clerks": 2.26,
    "clerks in the barracks": 2.98,
}
"""What each of the numbers brings until the end, fitted to matches of bots."""
_IN_ORDER = tuple(WEIGHTS[name] for name in NAMES)


def evaluate(state: State, seat: Seat) -> float:
    """What a seat has and may expect, less a part of what its best rival does."""
    values = [expected(state, other) for other in range(state.seats)]
    own = values.pop(seat)
    if state.ended is not None:
        return (WON if seat in state.winners else -WON) + own - max(values)
    return own - A_RIVAL * max(values)


def expected(state: State, seat: Seat) -> float:
    """The points that a seat has, and those that it is likely to get."""
    points = float(score(state, seat))
    if state.ended is not None:
        return points
    terms = zip(_IN_ORDER, numbers(state, seat), strict=True)
    return points + sum(weight * number for weight, number in terms)
