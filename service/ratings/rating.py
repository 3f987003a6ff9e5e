"""Rates matches with OpenSkill (Plackett-Luce), per game, each match once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

import msgspec
from msgspec.structs import replace
from redis import Redis
from redis.client import Pipeline

from domain.match.decisions import ending
from domain.match.outcome import RatingChange
from domain.match.state import Match, UnratedReason
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


class Replacements(msgspec.Struct, frozen=True):
    """Who has left a match to new players, each with the seat, and who these are."""

    leavers: Sequence[Competitor] = ()
    newcomers: Collection[str] = ()


def competitors_of(match: Match) -> list[Competitor]:
    """Return who is rated for a scored match, with their places."""
    seats = zip(ending.competitors(match), ending.score_lines(match), strict=True)
    return [Competitor(who, line.rank, seat) for seat, (who, line) in enumerate(seats)]


def replacements_in(match: Match) -> Replacements:
    """Return who was replaced in a scored match. A leaver ranks behind all others. Without those
    who left before their first move: a new player in their seat has all of the game.
    """
    last = 1 + max(line.rank for line in ending.score_lines(match))
    early = ending.early_leavers(match)
    left = [one for one in match.tenures if one.player not in early]
    leavers = [Competitor(one.player, last, one.seat) for one in left]
    return Replacements(leavers, {match.chairs[one.seat].player or "" for one in left})


def participants_of(match: Match, changes: Sequence[RatingChange]) -> list[Competitor]:
    """Return the competitors of a match that was rated like this, with those who stood in for the
    newcomers who are left out.
    """
    seats, leavers = competitors_of(match), replacements_in(match).leavers
    rated = {change.competitor for change in changes}
    return _find_standing(seats, leavers, {one.id for one in (*seats, *leavers)} - rated)


def rate(
    redis: Redis,
    game: str,
    match: str,
    seats: Sequence[Competitor],
    at: int,
    left_out: LeftOut | None = None,
    replaced: Replacements = Replacements(),  # noqa: B008 - it is immutable
) -> Outcome:
    """Rate a match that ended at a time (ms since the epoch); return the outcome. Idempotent.

    A newcomer whose rating would fall is not in the outcome. The others are then rated against who
    left the seat, as the last: else they would gain what nobody loses. Leavers whose newcomer is
    rated lose as if they had come last in their seat. Players who are left out keep their ratings,
    as do those whom a winner has beaten too many times that day (UTC); the others are rated among
    themselves, if two of them remain.
    """
    done, now = records.outcomes_key(game), records.ratings_key(game)
    wins = f"{{ratings:{game}}}:wins:{at // DAY_MS}"

    def transaction(pipe: Pipeline) -> None:
        if pipe.hexists(done, match):
            return  # another worker was faster; the loop below reads its outcome
        rated, reason, changes = _judge(pipe, game, wins, seats, left_out or {}, replaced)
        if reason is not None:
            pipe.multi()
            pipe.hset(done, match, msgspec.json.encode(Outcome(unrated=reason)))
            return
        outcome = Outcome(changes, None, tuple(_distinct(rated)) if changes else (), at)
        forms = _forms(pipe, game, [change.competitor for change in changes])
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


def _forms(pipe: Pipeline, game: str, who: Sequence[str]) -> Mapping[str, Form]:
    """Return the forms of competitors before a match; they change together with the ratings."""
    found = pipe.hmget(records.forms_key(game), who) if who else []
    return {
        one: FORM.decode(text) if text else Form() for one, text in zip(who, found, strict=True)
    }


def _judge(
    pipe: Pipeline,
    game: str,
    wins: str,
    seats: Sequence[Competitor],
    left_out: LeftOut,
    replaced: Replacements,
) -> tuple[Sequence[Competitor], UnratedReason | None, tuple[RatingChange, ...]]:
    """Return who is rated, or why the match is not, and the changes of all, leavers included."""
    gone, lost = set[str]().union(*left_out.values()), set[str]()
    while True:  # until no newcomer is left out for whom a leaver can stand in
        gone |= lost
        standing = _find_standing(seats, replaced.leavers, gone)
        rated, reason = _leave_out(standing, left_out)
        beaten = _beaten_often(pipe, wins, rated)
        if reason is None:
            rated, reason = _leave_out(rated, {"repeated": beaten})
        away = gone - {one.id for one in rated}
        leavers = [one for one in replaced.leavers if one.id not in away]
        everyone = [*rated, *leavers]
        ratings = _read_ratings(pipe, records.ratings_key(game), everyone)
        met, taking_part = _read_met(pipe, game, everyone), _distinct(rated)
        changes = _changes(taking_part, ratings, met)
        fallen = {one.competitor for one in changes if _falls(one)}
        lost = beaten | fallen.intersection(replaced.newcomers)
        if lost <= gone:
            losses = {one.competitor: one for one in _losses(taking_part, leavers, ratings, met)}
            counted = tuple(losses.pop(one.competitor, one) for one in changes)
            return rated, reason, (*counted, *losses.values())


def _find_standing(
    seats: Sequence[Competitor], leavers: Sequence[Competitor], gone: Collection[str]
) -> list[Competitor]:
    """Return who counts in each seat: who has it, or else the last who left it, of those who are
    not gone, behind all other seats. If all of them are, the first who left it, whose absence then
    has a reason.
    """
    found = []
    for seat in seats:
        line = [seat, *(one for one in reversed(leavers) if one.seat == seat.seat)]
        chosen = next((one for one in line if one.id not in gone), line[-1])
        last = 1 + max((one.rank for one in seats if one is not seat), default=0)
        found.append(seat if chosen is seat else replace(chosen, rank=last))
    return found


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
    found = pipe.hmget(key, [seat.id for seat in seats]) if seats else []
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
    before = {seat.id: before[seat.id] for seat in seats}
    teams = [[MODEL.rating(one.mu, one.sigma)] for one in before.values()]
    rated = MODEL.rate(teams, ranks=[float(seat.rank) for seat in seats])
    return tuple(
        _change(seat, before[seat.id], team[0].mu, team[0].sigma, _weight(seat.id, before, met))
        for seat, team in zip(seats, rated, strict=True)
    )


def _falls(change: RatingChange) -> bool:
    """Return whether a rating falls."""
    return change.after[0] < change.before[0]


def _losses(
    seats: Sequence[Competitor],
    leavers: Sequence[Competitor],
    ratings: Mapping[str, Rating],
    met: Met,
) -> tuple[RatingChange, ...]:
    """Return the changes of those who left: each one is rated against the others, as the last; of
    two who left, each one is behind the other.
    """
    found: list[RatingChange] = []
    for leaver in leavers:
        others = [one for one in seats if one.seat != leaver.seat]
        last = replace(leaver, rank=1 + max((one.rank for one in others), default=0))
        lost = _changes([*others, last], ratings, met)
        found += (one for one in lost if one.competitor == leaver.id)
    return tuple(found)


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
