"""Ratings, leaderboards, rating histories, streaks and opponents."""

from service.ratings.queries import (
    HistoryStep,
    OpponentRecord,
    Standing,
    count_provisional,
    forms,
    history,
    opponents,
    outcomes,
    outcomes_of,
    place_of,
    rating_of,
    standings,
)
from service.ratings.rating import (
    DAY_MS,
    MAX_WINS_PER_DAY,
    LeftOut,
    competitors_of,
    rate,
    store_outcome,
)
from service.ratings.rebuild import find_inconsistent, rebuild
from service.ratings.records import MODEL, Competitor, Form, Outcome, Rating

__all__ = [
    "DAY_MS",
    "MAX_WINS_PER_DAY",
    "MODEL",
    "Competitor",
    "Form",
    "HistoryStep",
    "LeftOut",
    "OpponentRecord",
    "Outcome",
    "Rating",
    "Standing",
    "competitors_of",
    "count_provisional",
    "find_inconsistent",
    "forms",
    "history",
    "opponents",
    "outcomes",
    "outcomes_of",
    "place_of",
    "rate",
    "rating_of",
    "rebuild",
    "standings",
    "store_outcome",
]  # fmt: skip
