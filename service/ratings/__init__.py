"""Ratings, and all that is kept beside them: leaderboards, histories, streaks, opponents."""

from service.ratings.outcomes import MODEL, Competitor, Form, Outcome, Rating
from service.ratings.queries import (
    History,
    Met,
    Standing,
    forms,
    hidden,
    history,
    latest,
    opponents,
    outcomes,
    place_of,
    rating_of,
    standings,
)
from service.ratings.rating import DAY_MS, WINS_A_DAY, competitors_of, rate, remember
from service.ratings.rebuild import astray, catch_up

__all__ = [
    "DAY_MS", "MODEL", "WINS_A_DAY", "Competitor", "Form", "History", "Met", "Outcome", "Rating",
    "Standing",
    "astray", "catch_up", "competitors_of", "forms", "hidden", "history", "latest",
    "opponents", "outcomes", "place_of", "rate", "rating_of", "remember", "standings",
]  # fmt: skip
