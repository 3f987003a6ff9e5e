"""Reading ratings: leaderboards and what there is of a competitor, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from service.ratings import outcomes as of
from service.ratings.outcomes import FORM, OUTCOME, RATING, Form, Outcome, Rating

HOW = ("ahead", "behind", "even")


class Standing(msgspec.Struct, frozen=True):
    """A competitor (a player's id or `bot:<level>`), its rating and its place; who is rated alike
    shares a place.
    """

    competitor: str
    rating: Rating
    place: int


class History(msgspec.Struct, frozen=True):
    """One step in the history of a rating: the match, and what it did; None if nobody knows when it
    was or which place they took.
    """

    match: str
    number: int
    """How many matches they had by then."""
    at: int | None
    rank: int | None
    seat: int | None
    mu: float
    sigma: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength was with 95 in 100."""
        return of.interval(self.mu, self.sigma)


class Met(msgspec.Struct, frozen=True):
    """An opponent: in how many matches they met, and how many of them ended ahead of them, behind
    them, and even.
    """

    competitor: str
    matches: int
    ahead: int
    behind: int
    even: int


def rating_of(redis: Redis, game: str, competitor: str) -> Rating | None:
    """The rating of a competitor in a game now, if it has one."""
    text = redis.hget(of.now(game), competitor)
    return RATING.decode(text) if isinstance(text, bytes) else None


def standings(
    redis: Redis, game: str, after: int = 0, limit: int = 50, *, provisional: bool = True
) -> list[Standing]:
    """The competitors of a game after that many, the best first; with those whose ratings are
    provisional, or without. It takes no longer the more there are.
    """
    board = of.board(game, provisional)
    page: Any = redis.zrange(board, after, after + limit - 1, withscores=True)
    if not page:
        return []
    with redis.pipeline(transaction=False) as pipe:
        pipe.zcount(board, "-inf", f"({page[0][1]!r}")
        pipe.hmget(of.now(game), [who for who, _ in page])
        before, texts = pipe.execute()
    place, standings = before + 1, list[Standing]()
    for at, ((who, score), text) in enumerate(zip(page, texts, strict=True)):
        if at and score != page[at - 1][1]:
            place = after + at + 1
        standings.append(Standing(who.decode(), RATING.decode(text), place))
    return standings


def hidden(redis: Redis, game: str) -> int:
    """How many competitors of a game have provisional ratings."""
    with redis.pipeline(transaction=True) as pipe:
        pipe.zcard(of.board(game))
        pipe.zcard(of.board(game, provisional=False))
        all_of_them, established = pipe.execute()
    return int(all_of_them - established)


def place_of(redis: Redis, game: str, rating: Rating) -> int | None:
    """The place of this rating among those that are not provisional; None if it is."""
    if rating.provisional:
        return None
    better: Any = redis.zcount(of.board(game, provisional=False), "-inf", f"({of.rank(rating)!r}")
    return int(better) + 1


def forms(redis: Redis, games: Sequence[str], competitor: str) -> Mapping[str, Form]:
    """The form of a competitor in each game in which they have one."""
    with redis.pipeline(transaction=False) as pipe:
        for game in games:
            pipe.hget(of.form(game), competitor)
        found = zip(games, pipe.execute(), strict=True)
    return {game: FORM.decode(text) for game, text in found if text is not None}


def history(
    redis: Redis, game: str, competitor: str, after: int | None = None, limit: int = 50
) -> list[History]:
    """How the rating of a competitor came about, the last match first: those before the match with
    this number.
    """
    last = "+inf" if after is None else f"({after}"
    matches: Any = redis.zrange(
        of.matches(game, competitor), last, "-inf", desc=True, byscore=True, offset=0, num=limit
    )
    names = [match.decode() for match in matches]
    found = latest(redis, game, names)
    return [_step(match, found[match], competitor) for match in names if match in found]


def latest(redis: Redis, game: str, matches: Sequence[str]) -> Mapping[str, Outcome]:
    """What these matches did to the ratings."""
    found: Any = redis.hmget(of.done(game), list(matches)) if matches else []
    pairs = zip(matches, found, strict=True)
    return {match: OUTCOME.decode(text) for match, text in pairs if text is not None}


def opponents(redis: Redis, game: str, competitor: str, limit: int) -> list[Met]:
    """Those whom a competitor met most often, and how that ended."""
    key = of.met(game, competitor)
    found: Any = redis.zrange(key, 0, limit - 1, desc=True, withscores=True)
    if not found:
        return []
    fields = [f"{how}:{other.decode()}" for other, _ in found for how in HOW]
    counts: Any = redis.hmget(of.against(game, competitor), fields)
    numbers = [int(count or 0) for count in counts]
    return [
        Met(other.decode(), int(times), *numbers[3 * at : 3 * at + 3])
        for at, (other, times) in enumerate(found)
    ]


def outcomes(redis: Redis, game: str) -> Mapping[str, Outcome]:
    """What each match of a game did to the ratings."""
    found = redis.hscan_iter(of.done(game))
    return {match.decode(): OUTCOME.decode(text) for match, text in found}


def _step(match: str, outcome: Outcome, competitor: str) -> History:
    change = next(one for one in outcome.changes if one.competitor == competitor)
    mine = next((one for one in outcome.taken if one.id == competitor), None)
    mu, sigma = change.after
    rank, seat = (mine.rank, mine.seat) if mine else (None, None)
    return History(match, change.played, outcome.at or None, rank, seat, mu, sigma)
