"""Rates matches with OpenSkill (Plackett-Luce), per game, each match once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.match.decisions import ending
from domain.match.state import Match, RatingChange, UnratedReason
from service.ratings import records
from service.ratings.records import FORM, MODEL, OUTCOME, RATING, Competitor, Form, Outcome, Rating

OWN_MATCHES = 10
"""Number of rated matches against other people after which an opponent counts in full."""
MAX_WINS_PER_DAY = 4
"""How many wins of one player over another count per day and game."""
DAY_MS = 86_400_000
WINS_TTL_S = 3 * 86_400
Met = Mapping[str, Mapping[str, int]]
"""How often competitors have met each of their opponents, by both ids."""
LeftOut = Mapping[UnratedReason, Collection[str]]
"""The players whom a match does not rate, by the reason."""


def competitors_of(match: Match) -> list[Competitor]:
    """Return who is rated for a scored match, with their places."""
    seats = zip(ending.competitors(match), ending.score_lines(match), strict=True)
    return [Competitor(who, line.rank, seat) for seat, (who, line) in enumerate(seats)]


def rate(
    redis: Redis,
    game: str,
    match: str,
    seats: Sequence[Competitor],
    at: int,
    left_out: LeftOut | None = None,
) -> Outcome:
    """Rate a match that ended at a time (ms since the epoch); return the outcome. Idempotent.

    Players who are left out keep their ratings, as do those whom a winner has beaten too many times
    that day (UTC); the others are rated among themselves, if two of them remain.
    """
    done, now = records.outcomes_key(game), records.ratings_key(game)
    wins = f"{{ratings:{game}}}:wins:{at // DAY_MS}"

    def transaction(pipe: Pipeline) -> None:
        if pipe.hexists(done, match):
            return  # another worker was faster; the loop below reads its outcome
        rated, reason = _leave_out(seats, left_out or {})
        if reason is None:
            rated, reason = _leave_out(rated, {"repeated": _beaten_often(pipe, wins, rated)})
        if reason is not None:
            pipe.multi()
            pipe.hset(done, match, msgspec.json.encode(Outcome(unrated=reason)))
            return
        taking_part = _distinct(rated)
        changes = _changes(
            taking_part, _read_ratings(pipe, now, taking_part), _read_met(pipe, game, taking_part)
        )
        outcome = Outcome(changes, None, tuple(taking_part) if changes else (), at)
        forms = _forms(pipe, game, taking_part)
        pipe.multi()
        pipe.hset(done, match, msgspec.json.encode(outcome))
        for change in changes:
            _store_result(pipe, game, match, outcome, change, forms[change.competitor])
        for winner, loser in _wins(rated):
            pipe.hincrby(wins, _pair(winner, loser), 1)
        pipe.expire(wins, WINS_TTL_S)

    while not isinstance(known := redis.hget(done, match), bytes):
        redis.transaction(transaction, done, now, wins)
    return OUTCOME.decode(known)


def store_outcome(
    redis: Redis,
    game: str,
    match: str,
    changes: Sequence[RatingChange],
    seats: Sequence[Competitor] = (),
    at: int = 0,
) -> None:
    """Store that a match was rated like this, without updating ratings, forms and leaderboards."""
    ids = {one.id: one for one in _distinct(seats)}
    taken = tuple(ids[change.competitor] for change in changes if change.competitor in ids)
    outcome = Outcome(tuple(changes), None, taken, at)
    redis.hsetnx(records.outcomes_key(game), match, msgspec.json.encode(outcome))


def _store_result(
    pipe: Pipeline, game: str, match: str, outcome: Outcome, change: RatingChange, before: Form
) -> None:
    """Store what follows from a match for a competitor, in the same form as `rebuild`."""
    who, rating = change.competitor, records.rating_after(change)
    form = before.after(records.has_won(outcome, who), outcome.at)
    pipe.hset(records.ratings_key(game), who, msgspec.json.encode(rating))
    pipe.hset(records.forms_key(game), who, msgspec.json.encode(form))
    pipe.zadd(records.leaderboard_key(game), {who: records.leaderboard_score(rating)})
    if not rating.provisional:
        pipe.zadd(
            records.leaderboard_key(game, provisional=False),
            {who: records.leaderboard_score(rating)},
        )
    pipe.zadd(records.matches_key(game, who), {match: rating.played})
    for other, how in records.results_against(outcome, who):
        pipe.zincrby(records.opponents_key(game, who), 1, other)
        pipe.hincrby(records.results_key(game, who), f"{how}:{other}", 1)


def _forms(pipe: Pipeline, game: str, seats: Sequence[Competitor]) -> Mapping[str, Form]:
    """Return the forms of competitors before a match; they change together with the ratings."""
    found = pipe.hmget(records.forms_key(game), [seat.id for seat in seats])
    return {
        seat.id: FORM.decode(text) if text else Form()
        for seat, text in zip(seats, found, strict=True)
    }


def _leave_out(
    seats: Sequence[Competitor], left_out: LeftOut
) -> tuple[Sequence[Competitor], UnratedReason | None]:
    """Return who is rated, and the reason for which fewer than two of several remain, if any."""
    for reason, players in left_out.items():
        rest = [seat for seat in seats if seat.id not in players]
        if len(rest) < len(seats) and len(_distinct(rest)) < 2:
            return (), reason
        seats = rest
    return seats, None


def _beaten_often(pipe: Pipeline, wins: str, seats: Sequence[Competitor]) -> set[str]:
    """Return whom a winner has beaten as often that day as counts."""
    pairs = _wins(seats)
    counts: Any = pipe.hmget(wins, [_pair(*pair) for pair in pairs]) if pairs else []
    return {
        loser
        for (_, loser), count in zip(pairs, counts, strict=True)
        if int(count or 0) >= MAX_WINS_PER_DAY
    }


def _wins(seats: Sequence[Competitor]) -> list[tuple[str, str]]:
    """Return which people won against which. Bots do not count: they are always available, and
    frequent wins against them are normal.
    """
    people = [seat for seat in seats if not _is_bot(seat.id)]
    first = [seat.id for seat in people if seat.rank == 1]
    return [(one, seat.id) for one in first for seat in people if seat.rank > 1]


def _pair(winner: str, loser: str) -> str:
    return f"{winner}>{loser}"


def _is_bot(competitor: str) -> bool:
    return competitor.startswith("bot:")


def _distinct(seats: Sequence[Competitor]) -> list[Competitor]:
    """Return each competitor once; a bot with several seats counts with its best place."""
    best: dict[str, Competitor] = {}
    for seat in sorted(seats, key=lambda seat: seat.rank):
        best.setdefault(seat.id, seat)
    return list(best.values())


def _read_ratings(pipe: Pipeline, key: str, seats: Sequence[Competitor]) -> Mapping[str, Rating]:
    found = pipe.hmget(key, [seat.id for seat in seats])
    return {
        seat.id: RATING.decode(text) if text else Rating()
        for seat, text in zip(seats, found, strict=True)
    }


def _read_met(pipe: Pipeline, game: str, seats: Sequence[Competitor]) -> Met:
    """Return how often each person has met each of their opponents, of other matches too."""
    met: dict[str, Mapping[str, int]] = {}
    for who in (seat.id for seat in seats if not _is_bot(seat.id)):
        found: Any = pipe.zrange(records.opponents_key(game, who), 0, -1, withscores=True)
        met[who] = {other.decode(): int(times) for other, times in found}
    return met


def _changes(
    seats: Sequence[Competitor], before: Mapping[str, Rating], met: Met
) -> tuple[RatingChange, ...]:
    if len(seats) < 2:
        return ()
    teams = [[MODEL.rating(before[seat.id].mu, before[seat.id].sigma)] for seat in seats]
    rated = MODEL.rate(teams, ranks=[float(seat.rank) for seat in seats])
    return tuple(
        _change(seat, before[seat.id], team[0].mu, team[0].sigma, _weight(seat.id, before, met))
        for seat, team in zip(seats, rated, strict=True)
    )


def _weight(who: str, before: Mapping[str, Rating], met: Met) -> float:
    """Return how much a match counts for a competitor: the mean over their opponents.

    A person counts by their matches against other people, so that accounts made to lose give
    little, even if they have played bots before.
    """
    own = [
        OWN_MATCHES if _is_bot(other) else rating.played - _not_own(met[other], who)
        for other, rating in before.items()
        if other != who
    ]
    return fmean(min(1.0, max(1, matches) / OWN_MATCHES) for matches in own)


def _not_own(met: Mapping[str, int], who: str) -> int:
    """Return how many matches were against a competitor or a bot."""
    return sum(times for one, times in met.items() if one == who or _is_bot(one))


def _change(
    seat: Competitor, before: Rating, mu: float, sigma: float, weight: float
) -> RatingChange:
    return RatingChange(
        competitor=seat.id,
        before=(before.mu, before.sigma),
        after=(
            before.mu + weight * (mu - before.mu),
            before.sigma + weight * (sigma - before.sigma),
        ),
        played=before.played + 1,
        won=before.won + (seat.rank == 1),
    )
