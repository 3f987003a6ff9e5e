"""What a match did to the ratings, and the keys at which all that follows from it is kept."""

from __future__ import annotations

import msgspec
from openskill.models import PlackettLuce

from domain.match.events import RatingChange
from domain.match.state import WhyUnrated

MODEL = PlackettLuce()
ESTABLISHED = 10
"""With fewer matches a rating is provisional. The deviation would be no fair bound: among five it
falls a third as fast as between two.
"""


class Rating(msgspec.Struct, frozen=True):
    """The rating of a competitor now: mean and deviation, matches rated, matches won."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    played: int = 0
    won: int = 0

    @property
    def sure(self) -> float:
        """A strength that the competitor has almost certainly."""
        return self.mu - 3 * self.sigma

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength is with 95 in 100."""
        return interval(self.mu, self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether too few matches are behind it to tell much."""
        return self.played < ESTABLISHED


class Competitor(msgspec.Struct, frozen=True):
    """Who takes part in a rated match (a player's id or `bot:<level>`), at which place they came,
    and on which seat they sat.
    """

    id: str
    rank: int
    seat: int = 0


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a match did to the ratings, or why nothing; who took part, in the order of the changes;
    and when it was over, in ms since the epoch.
    """

    changes: tuple[RatingChange, ...] = ()
    unrated: WhyUnrated | None = None
    taken: tuple[Competitor, ...] = ()
    at: int = 0


class Form(msgspec.Struct, frozen=True):
    """Wins in a row: now and at most; and when the last match was over (ms since the epoch)."""

    streak: int = 0
    best: int = 0
    at: int = 0

    def after(self, won: bool, at: int) -> Form:
        """The form after one more match."""
        streak = self.streak + 1 if won else 0
        return Form(streak, max(self.best, streak), at)


OUTCOME = msgspec.json.Decoder(Outcome)
RATING = msgspec.json.Decoder(Rating)
FORM = msgspec.json.Decoder(Form)


def interval(mu: float, sigma: float) -> tuple[float, float]:
    """Where a strength is with 95 in 100: two deviations to either side."""
    return mu - 2 * sigma, mu + 2 * sigma


def after(change: RatingChange) -> Rating:
    """The rating after a change."""
    mu, sigma = change.after
    return Rating(mu, sigma, change.played, change.won)


def rank(rating: Rating) -> float:
    """Where they stand on a leaderboard: the least first, so that equals are in order of their
    names.
    """
    return -rating.sure


def done(game: str) -> str:
    """The hash of what each match did."""
    return f"{{ratings:{game}}}:done"


def now(game: str) -> str:
    """The hash of the ratings of now."""
    return f"{{ratings:{game}}}:now"


def board(game: str, provisional: bool = True) -> str:
    """The leaderboard: of all, or only of those whose ratings are not provisional."""
    return f"{{ratings:{game}}}:{'board' if provisional else 'established'}"


def form(game: str) -> str:
    """The hash of the forms of all."""
    return f"{{ratings:{game}}}:form"


def matches(game: str, competitor: str) -> str:
    """The matches of a competitor, by how many they had by then."""
    return f"{{ratings:{game}}}:of:{competitor}"


def met(game: str, competitor: str) -> str:
    """The opponents of a competitor, by how often they met."""
    return f"{{ratings:{game}}}:met:{competitor}"


def against(game: str, competitor: str) -> str:
    """The hash of how the matches of a competitor ended, by `<how>:<opponent>`."""
    return f"{{ratings:{game}}}:against:{competitor}"


def faced(outcome: Outcome, competitor: str) -> list[tuple[str, str]]:
    """Against whom a competitor played, and how it ended: `ahead` of them, `behind` or `even`."""
    mine = next((one for one in outcome.taken if one.id == competitor), None)
    if mine is None:
        return []
    return [(one.id, _how(mine, one)) for one in outcome.taken if one is not mine]


def won(outcome: Outcome, competitor: str) -> bool:
    """Whether a competitor won, alone or with others."""
    return any(one.id == competitor and one.rank == 1 for one in outcome.taken)


def _how(mine: Competitor, other: Competitor) -> str:
    if mine.rank == other.rank:
        return "even"
    return "ahead" if mine.rank < other.rank else "behind"
