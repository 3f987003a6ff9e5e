"""Ratings and leaderboards: OpenSkill (Plackett-Luce) per game, each match counted once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec
from openskill.models import PlackettLuce
from redis import Redis
from redis.client import Pipeline

from domain.match.events import RatingChange
from domain.match.state import WhyUnrated

MODEL = PlackettLuce()
WINS_A_DAY = 4
"""So many wins of one player over another count in a day and game; more of them prove little."""
KEPT_S = 3 * 86_400
_PAGE = 1_000


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


class Standing(msgspec.Struct, frozen=True):
    """A competitor (a player's id or `bot:<level>`) and its rating."""

    competitor: str
    rating: Rating


class Competitor(msgspec.Struct, frozen=True):
    """Who takes part in a rated match (a player's id or `bot:<level>`), and at which place."""

    id: str
    rank: int


class Outcome(msgspec.Struct, frozen=True):
    """What a match did to the ratings, or why nothing."""

    changes: tuple[RatingChange, ...] = ()
    unrated: WhyUnrated | None = None


_OUTCOME = msgspec.json.Decoder(Outcome)
_RATING = msgspec.json.Decoder(Rating)


def rate(redis: Redis, game: str, match: str, seats: Sequence[Competitor], day: int) -> Outcome:
    """Take note of a result of a day (since the epoch, in UTC), unless it is one win too many of
    somebody over the same people; the same outcome again if this match was rated before.
    """
    done, now = f"{{ratings:{game}}}:done", f"{{ratings:{game}}}:now"
    wins, pairs = f"{{ratings:{game}}}:wins:{day}", _wins(seats)

    def transaction(pipe: Pipeline) -> None:
        if pipe.hexists(done, match):
            return  # another worker was faster; the loop below reads what it wrote
        if pairs and any(int(count or 0) >= WINS_A_DAY for count in pipe.hmget(wins, pairs)):
            pipe.multi()
            pipe.hset(done, match, msgspec.json.encode(Outcome(unrated="repeated")))
            return
        taking_part = _once_each(seats)
        changes = _changes(taking_part, _read(pipe, now, taking_part))
        pipe.multi()
        pipe.hset(done, match, msgspec.json.encode(Outcome(changes)))
        _note(pipe, game, {change.competitor: _after(change) for change in changes})
        for pair in pairs:
            pipe.hincrby(wins, pair, 1)
        pipe.expire(wins, KEPT_S)

    while not isinstance(known := redis.hget(done, match), bytes):
        redis.transaction(transaction, done, now, wins)
    return _OUTCOME.decode(known)


def rating_of(redis: Redis, game: str, competitor: str) -> Rating | None:
    """The rating of a competitor in a game now, if it has one."""
    text = redis.hget(f"{{ratings:{game}}}:now", competitor)
    return _RATING.decode(text) if isinstance(text, bytes) else None


def _wins(seats: Sequence[Competitor]) -> list[str]:
    """Which people won against which others. Bots are always there to be played, as are those who
    like to play them.
    """
    people = [seat for seat in seats if not seat.id.startswith("bot:")]
    first = [seat.id for seat in people if seat.rank == 1]
    return [f"{one}>{seat.id}" for one in first for seat in people if seat.rank > 1]


def remember(redis: Redis, game: str, match: str, changes: Sequence[RatingChange]) -> None:
    """Take note that a match was rated like this before, without the ratings of now."""
    redis.hsetnx(f"{{ratings:{game}}}:done", match, msgspec.json.encode(Outcome(tuple(changes))))


def catch_up(redis: Redis, game: str) -> None:
    """Let the ratings of now be those after the last match of each competitor that was rated."""
    latest = iter(_latest(outcomes(redis, game)).items())
    while some := dict(islice(latest, _PAGE)):
        with redis.pipeline(transaction=False) as pipe:
            _note(pipe, game, some)
            pipe.execute()


def standings(redis: Redis, game: str, after: int = 0, limit: int = 50) -> list[Standing]:
    """The competitors of a game after that many places, the best first."""
    board: Any = redis.zrange(f"{{ratings:{game}}}:board", after, after + limit - 1)
    found: Any = redis.hmget(f"{{ratings:{game}}}:now", board) if board else []
    return [
        Standing(competitor.decode(), _RATING.decode(text))
        for competitor, text in zip(board, found, strict=True)
    ]


def outcomes(redis: Redis, game: str) -> Mapping[str, Outcome]:
    """What each match of a game did to the ratings."""
    found = redis.hscan_iter(f"{{ratings:{game}}}:done")
    return {match.decode(): _OUTCOME.decode(text) for match, text in found}


def astray(redis: Redis, game: str) -> list[str]:
    """The competitors of a game whose rating of now, or place on the leaderboard, is not that after
    their last match.
    """
    with redis.pipeline(transaction=True) as pipe:
        pipe.hgetall(f"{{ratings:{game}}}:done")
        pipe.hgetall(f"{{ratings:{game}}}:now")
        pipe.zrange(f"{{ratings:{game}}}:board", 0, -1, withscores=True)
        done, now, board = pipe.execute()
    latest = _latest({match: _OUTCOME.decode(text) for match, text in done.items()})
    wanted = {competitor: (rating, _rank(rating)) for competitor, rating in latest.items()}
    places = {competitor.decode(): place for competitor, place in board}
    ratings = {competitor.decode(): _RATING.decode(text) for competitor, text in now.items()}
    both = ratings.keys() | places.keys()
    found = {competitor: (ratings.get(competitor), places.get(competitor)) for competitor in both}
    return sorted(one for one in both | wanted.keys() if found.get(one) != wanted.get(one))


def _latest(outcomes: Mapping[str, Outcome]) -> Mapping[str, Rating]:
    """The rating of each competitor after the last match that was rated."""
    latest: dict[str, RatingChange] = {}
    for outcome in outcomes.values():
        for change in outcome.changes:
            if change.competitor not in latest or latest[change.competitor].played < change.played:
                latest[change.competitor] = change
    return {competitor: _after(change) for competitor, change in latest.items()}


def _note(pipe: Pipeline, game: str, ratings: Mapping[str, Rating]) -> None:
    """Take note of how strong competitors are now."""
    for competitor, rating in ratings.items():
        pipe.hset(f"{{ratings:{game}}}:now", competitor, msgspec.json.encode(rating))
        pipe.zadd(f"{{ratings:{game}}}:board", {competitor: _rank(rating)})


def _rank(rating: Rating) -> float:
    """Where they stand on the leaderboard: the least first, so that equals are in order of their
    names.
    """
    return -rating.sure


def _once_each(seats: Sequence[Competitor]) -> list[Competitor]:
    """A bot that plays several seats takes part with the best of them."""
    best: dict[str, Competitor] = {}
    for seat in sorted(seats, key=lambda seat: seat.rank):
        best.setdefault(seat.id, seat)
    return list(best.values())


def _read(pipe: Pipeline, key: str, seats: Sequence[Competitor]) -> Mapping[str, Rating]:
    found = pipe.hmget(key, [seat.id for seat in seats])
    return {
        seat.id: _RATING.decode(text) if text else Rating()
        for seat, text in zip(seats, found, strict=True)
    }


def _changes(seats: Sequence[Competitor], before: Mapping[str, Rating]) -> tuple[RatingChange, ...]:
    if len(seats) < 2:
        return ()
    teams = [[MODEL.rating(before[seat.id].mu, before[seat.id].sigma)] for seat in seats]
    rated = MODEL.rate(teams, ranks=[float(seat.rank) for seat in seats])
    return tuple(
        _change(seat, before[seat.id], team[0].mu, team[0].sigma)
        for seat, team in zip(seats, rated, strict=True)
    )


def _change(seat: Competitor, before: Rating, mu: float, sigma: float) -> RatingChange:
    return RatingChange(
        competitor=seat.id,
        before=(before.mu, before.sigma),
        after=(mu, sigma),
        played=before.played + 1,
        won=before.won + (seat.rank == 1),
    )


def _after(change: RatingChange) -> Rating:
    mu, sigma = change.after
    return Rating(mu, sigma, change.played, change.won)
