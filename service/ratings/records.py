"""Outcomes, ratings and forms, and the keys under which Redis stores them."""

from __future__ import annotations

import msgspec
from openskill.models import PlackettLuce

from domain.match.outcome import RatingChange
from domain.match.state import UnratedReason

MODEL = PlackettLuce()
MIN_ESTABLISHED_MATCHES = 10
"""Below this number of matches a rating is provisional. A bound on the deviation would be unfair:
with five players it falls a third as fast as with two.
"""


class Rating(msgspec.Struct, frozen=True):
    """The current rating of a competitor: mean, deviation, rated matches and wins."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    played: int = 0
    won: int = 0

    @property
    def lower_bound(self) -> float:
        """A lower bound that the strength almost certainly exceeds."""
        return self.mu - 3 * self.sigma

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the strength."""
        return interval(self.mu, self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether it rests on too few matches."""
        return self.played < MIN_ESTABLISHED_MATCHES


class Competitor(msgspec.Struct, frozen=True):
    """A participant of a rated match (a player's id or `bot:<level>`) with their rank and seat."""

    id: str
    rank: int
    seat: int = 0


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a match changed, or why it is unrated; its participants in the order of the changes; and
    when it ended, in ms since the epoch.
    """

    changes: tuple[RatingChange, ...] = ()
    unrated: UnratedReason | None = None
    participants: tuple[Competitor, ...] = ()
    at: int = 0


class Form(msgspec.Struct, frozen=True):
    """The current and the longest winning streak, and when the last match ended (ms since the
    epoch).
    """

    streak: int = 0
    best: int = 0
    at: int = 0

    def after(self, won: bool, at: int) -> Form:
        """Return the form after one more match."""
        streak = self.streak + 1 if won else 0
        return Form(streak, max(self.best, streak), at)


OUTCOME = msgspec.json.Decoder(Outcome)
RATING = msgspec.json.Decoder(Rating)
FORM = msgspec.json.Decoder(Form)


def interval(mu: float, sigma: float) -> tuple[float, float]:
    """Return the 95 % interval of a strength: two deviations to either side."""
    return mu - 2 * sigma, mu + 2 * sigma


def rating_after(change: RatingChange) -> Rating:
    """Return the rating after a change."""
    mu, sigma = change.after
    return Rating(mu, sigma, change.played, change.won)


def leaderboard_score(rating: Rating) -> float:
    """Return the score on a leaderboard: the best rating has the lowest, so ids order ties."""
    return -rating.lower_bound


def outcomes_key(game: str) -> str:
    """Return the key of the outcomes by match (a hash)."""
    return f"{{ratings:{game}}}:done"


def ratings_key(game: str) -> str:
    """Return the key of the current ratings (a hash)."""
    return f"{{ratings:{game}}}:now"


def leaderboard_key(game: str, provisional: bool = True) -> str:
    """Return the key of the leaderboard: of all, or of established ratings only."""
    return f"{{ratings:{game}}}:{'board' if provisional else 'established'}"


def forms_key(game: str) -> str:
    """Return the key of the forms (a hash)."""
    return f"{{ratings:{game}}}:form"


def matches_key(game: str, competitor: str) -> str:
    """Return the key of a competitor's matches, by number."""
    return f"{{ratings:{game}}}:of:{competitor}"


def opponents_key(game: str, competitor: str) -> str:
    """Return the key of a competitor's opponents, by number of shared matches."""
    return f"{{ratings:{game}}}:met:{competitor}"


def results_key(game: str, competitor: str) -> str:
    """Return the key of a competitor's results, by `<result>:<opponent>` (a hash)."""
    return f"{{ratings:{game}}}:against:{competitor}"


def results_against(outcome: Outcome, competitor: str) -> list[tuple[str, str]]:
    """Return the opponents of a competitor and the result against each: `ahead`, `behind` or
    `even`.
    """
    mine = next((one for one in outcome.participants if one.id == competitor), None)
    if mine is None:
        return []
    return [(one.id, _result(mine, one)) for one in outcome.participants if one is not mine]


def has_won(outcome: Outcome, competitor: str) -> bool:
    """Return whether a competitor won or shared the win."""
    return any(one.id == competitor and one.rank == 1 for one in outcome.participants)


def _result(mine: Competitor, other: Competitor) -> str:
    if mine.rank == other.rank:
        return "even"
    return "ahead" if mine.rank < other.rank else "behind"
