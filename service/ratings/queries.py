"""Reads ratings: leaderboards, and the data of a competitor, in pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis

from service.ratings import records
from service.ratings.records import FORM, OUTCOME, RATING, Form, Outcome, Rating

RESULTS = ("ahead", "behind", "even")


class Standing(msgspec.Struct, frozen=True):
    """A competitor (a player's id or `bot:<level>`) with its rating and place. Equal ratings share
    a place.
    """

    competitor: str
    rating: Rating
    place: int


class HistoryStep(msgspec.Struct, frozen=True):
    """One step of a rating history: the match and the rating after it. Time, rank and seat are None
    if they were not recorded.
    """

    match: str
    number: int
    """The number of this match among the competitor's rated matches, from 1."""
    at: int | None
    rank: int | None
    seat: int | None
    mu: float
    sigma: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the strength."""
        return records.interval(self.mu, self.sigma)


class OpponentRecord(msgspec.Struct, frozen=True):
    """An opponent: how many matches they shared, and in how many the competitor finished ahead of
    them, behind them, or even.
    """

    competitor: str
    matches: int
    ahead: int
    behind: int
    even: int


def rating_of(redis: Redis, game: str, competitor: str) -> Rating | None:
    """Return the rating of a competitor in a game, or None."""
    text = redis.hget(records.ratings_key(game), competitor)
    return RATING.decode(text) if isinstance(text, bytes) else None


def standings(
    redis: Redis, game: str, after: int = 0, limit: int = 50, *, provisional: bool = True
) -> list[Standing]:
    """Return a page of the leaderboard of a game, the best first, with or without provisional
    ratings. The cost does not depend on the number of competitors.
    """
    board = records.leaderboard_key(game, provisional)
    page: Any = redis.zrange(board, after, after + limit - 1, withscores=True)
    if not page:
        return []
    with redis.pipeline(transaction=False) as pipe:
        pipe.zcount(board, "-inf", f"({page[0][1]!r}")
        pipe.hmget(records.ratings_key(game), [who for who, _ in page])
        before, texts = pipe.execute()
    place, standings = before + 1, list[Standing]()
    for at, ((who, score), text) in enumerate(zip(page, texts, strict=True)):
        if at and score != page[at - 1][1]:
            place = after + at + 1
        standings.append(Standing(who.decode(), RATING.decode(text), place))
    return standings


def count_provisional(redis: Redis, game: str) -> int:
    """Return how many competitors of a game have provisional ratings."""
    with redis.pipeline(transaction=True) as pipe:
        pipe.zcard(records.leaderboard_key(game))
        pipe.zcard(records.leaderboard_key(game, provisional=False))
        all_of_them, established = pipe.execute()
    return int(all_of_them - established)


def place_of(redis: Redis, game: str, rating: Rating) -> int | None:
    """Return the place of this rating among the established ones; None if it is provisional."""
    if rating.provisional:
        return None
    better: Any = redis.zcount(
        records.leaderboard_key(game, provisional=False),
        "-inf",
        f"({records.leaderboard_score(rating)!r}",
    )
    return int(better) + 1


def forms(redis: Redis, games: Sequence[str], competitor: str) -> Mapping[str, Form]:
    """Return the form of a competitor in each of these games."""
    with redis.pipeline(transaction=False) as pipe:
        for game in games:
            pipe.hget(records.forms_key(game), competitor)
        found = zip(games, pipe.execute(), strict=True)
    return {game: FORM.decode(text) for game, text in found if text is not None}


def history(
    redis: Redis, game: str, competitor: str, after: int | None = None, limit: int = 50
) -> list[HistoryStep]:
    """Return the rating history of a competitor, the latest match first, before the match with this
    number.
    """
    last = "+inf" if after is None else f"({after}"
    matches: Any = redis.zrange(
        records.matches_key(game, competitor),
        last,
        "-inf",
        desc=True,
        byscore=True,
        offset=0,
        num=limit,
    )
    names = [match.decode() for match in matches]
    found = outcomes_of(redis, game, names)
    return [_history_step(match, found[match], competitor) for match in names if match in found]


def outcomes_of(redis: Redis, game: str, matches: Sequence[str]) -> Mapping[str, Outcome]:
    """Return the outcomes of these matches."""
    found: Any = redis.hmget(records.outcomes_key(game), list(matches)) if matches else []
    pairs = zip(matches, found, strict=True)
    return {match: OUTCOME.decode(text) for match, text in pairs if text is not None}


def opponents(redis: Redis, game: str, competitor: str, limit: int) -> list[OpponentRecord]:
    """Return the most frequent opponents of a competitor."""
    key = records.opponents_key(game, competitor)
    found: Any = redis.zrange(key, 0, limit - 1, desc=True, withscores=True)
    if not found:
        return []
    fields = [f"{how}:{other.decode()}" for other, _ in found for how in RESULTS]
    counts: Any = redis.hmget(records.results_key(game, competitor), fields)
    numbers = [int(count or 0) for count in counts]
    return [
        OpponentRecord(other.decode(), int(times), *numbers[3 * at : 3 * at + 3])
        for at, (other, times) in enumerate(found)
    ]


def outcomes(redis: Redis, game: str) -> Mapping[str, Outcome]:
    """Return the outcome of each match of a game."""
    found = redis.hscan_iter(records.outcomes_key(game))
    return {match.decode(): OUTCOME.decode(text) for match, text in found}


def _history_step(match: str, outcome: Outcome, competitor: str) -> HistoryStep:
    change = next(one for one in outcome.changes if one.competitor == competitor)
    mine = next((one for one in outcome.participants if one.id == competitor), None)
    mu, sigma = change.after
    rank, seat = (mine.rank, mine.seat) if mine else (None, None)
    return HistoryStep(match, change.played, outcome.at or None, rank, seat, mu, sigma)
