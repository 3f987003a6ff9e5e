"""Ratings: OpenSkill (Plackett-Luce) per game, each match counted once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from openskill.models import PlackettLuce
from redis import Redis
from redis.client import Pipeline

from domain.match.events import RatingChange

MODEL = PlackettLuce()


class Rating(msgspec.Struct, frozen=True):
    """The rating of a competitor now: mean and deviation, matches rated, matches won."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    played: int = 0
    won: int = 0


class Competitor(msgspec.Struct, frozen=True):
    """Who takes part in a rated match (a player's id or `bot:<level>`), and at which place."""

    id: str
    rank: int


_CHANGES = msgspec.json.Decoder(tuple[RatingChange, ...])
_RATING = msgspec.json.Decoder(Rating)


def rate(
    redis: Redis, game: str, match: str, seats: Sequence[Competitor]
) -> Sequence[RatingChange]:
    """Take note of a result; the same changes again if this match was rated before."""
    done, now = f"{{ratings:{game}}}:done", f"{{ratings:{game}}}:now"

    def transaction(pipe: Pipeline) -> None:
        if pipe.hexists(done, match):
            return  # another worker was faster; the loop below reads what it wrote
        taking_part = _once_each(seats)
        changes = _changes(taking_part, _read(pipe, now, taking_part))
        pipe.multi()
        pipe.hset(done, match, msgspec.json.encode(changes))
        for change in changes:
            pipe.hset(now, change.competitor, msgspec.json.encode(_after(change)))

    while not isinstance(known := redis.hget(done, match), bytes):
        redis.transaction(transaction, done, now)
    return _CHANGES.decode(known)


def rating_of(redis: Redis, game: str, competitor: str) -> Rating | None:
    """The rating of a competitor in a game now, if it has one."""
    text = redis.hget(f"{{ratings:{game}}}:now", competitor)
    return _RATING.decode(text) if isinstance(text, bytes) else None


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
