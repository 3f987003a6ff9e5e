"""Rating matches: OpenSkill (Plackett-Luce) per game, each match counted once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.match.decisions import ending
from domain.match.events import RatingChange
from domain.match.state import Match
from service.ratings import outcomes as of
from service.ratings.outcomes import FORM, MODEL, OUTCOME, RATING, Competitor, Form, Outcome, Rating

WINS_A_DAY = 4
"""So many wins of one player over another count in a day and game; more of them prove little."""
DAY_MS = 86_400_000
KEPT_S = 3 * 86_400


def competitors_of(match: Match) -> list[Competitor]:
    """Who is rated for a match that is scored, and in which place they came."""
    seats = zip(ending.competitors(match), ending.places(match), strict=True)
    return [Competitor(who, line.rank, seat) for seat, (who, line) in enumerate(seats)]


def rate(redis: Redis, game: str, match: str, seats: Sequence[Competitor], at: int) -> Outcome:
    """Take note of the result of a match that was over at a time (ms since the epoch), unless it is
    one win too many of somebody over the same people on that day (UTC); the same outcome again if
    this match was rated before.
    """
    done, now = of.done(game), of.now(game)
    wins, pairs = f"{{ratings:{game}}}:wins:{at // DAY_MS}", _wins(seats)

    def transaction(pipe: Pipeline) -> None:
        if pipe.hexists(done, match):
            return  # another worker was faster; the loop below reads what it wrote
        if pairs and any(int(count or 0) >= WINS_A_DAY for count in pipe.hmget(wins, pairs)):
            pipe.multi()
            pipe.hset(done, match, msgspec.json.encode(Outcome(unrated="repeated")))
            return
        taking_part = _once_each(seats)
        changes = _changes(taking_part, _read(pipe, now, taking_part))
        outcome = Outcome(changes, None, tuple(taking_part) if changes else (), at)
        forms = _forms(pipe, game, taking_part)
        pipe.multi()
        pipe.hset(done, match, msgspec.json.encode(outcome))
        for change in changes:
            _note(pipe, game, match, outcome, change, forms[change.competitor])
        for pair in pairs:
            pipe.hincrby(wins, pair, 1)
        pipe.expire(wins, KEPT_S)

    while not isinstance(known := redis.hget(done, match), bytes):
        redis.transaction(transaction, done, now, wins)
    return OUTCOME.decode(known)


def remember(
    redis: Redis,
    game: str,
    match: str,
    changes: Sequence[RatingChange],
    seats: Sequence[Competitor] = (),
    at: int = 0,
) -> None:
    """Take note that a match was rated like this before, without all that follows from it."""
    ids = {one.id: one for one in _once_each(seats)}
    taken = tuple(ids[change.competitor] for change in changes if change.competitor in ids)
    outcome = Outcome(tuple(changes), None, taken, at)
    redis.hsetnx(of.done(game), match, msgspec.json.encode(outcome))


def _note(
    pipe: Pipeline, game: str, match: str, outcome: Outcome, change: RatingChange, before: Form
) -> None:
    """Take note of what follows from the outcome of a match for a competitor, as `books` has it."""
    who, rating = change.competitor, of.after(change)
    form = before.after(of.won(outcome, who), outcome.at)
    pipe.hset(of.now(game), who, msgspec.json.encode(rating))
    pipe.hset(of.form(game), who, msgspec.json.encode(form))
    pipe.zadd(of.board(game), {who: of.rank(rating)})
    if not rating.provisional:
        pipe.zadd(of.board(game, provisional=False), {who: of.rank(rating)})
    pipe.zadd(of.matches(game, who), {match: rating.played})
    for other, how in of.faced(outcome, who):
        pipe.zincrby(of.met(game, who), 1, other)
        pipe.hincrby(of.against(game, who), f"{how}:{other}", 1)


def _forms(pipe: Pipeline, game: str, seats: Sequence[Competitor]) -> Mapping[str, Form]:
    """The forms of competitors before a match; they change together with the ratings of now."""
    found = pipe.hmget(of.form(game), [seat.id for seat in seats])
    return {
        seat.id: FORM.decode(text) if text else Form()
        for seat, text in zip(seats, found, strict=True)
    }


def _wins(seats: Sequence[Competitor]) -> list[str]:
    """Which people won against which others. Bots are always there to be played, as are those who
    like to play them.
    """
    people = [seat for seat in seats if not seat.id.startswith("bot:")]
    first = [seat.id for seat in people if seat.rank == 1]
    return [f"{one}>{seat.id}" for one in first for seat in people if seat.rank > 1]


def _once_each(seats: Sequence[Competitor]) -> list[Competitor]:
    """A bot that plays several seats takes part with the best of them."""
    best: dict[str, Competitor] = {}
    for seat in sorted(seats, key=lambda seat: seat.rank):
        best.setdefault(seat.id, seat)
    return list(best.values())


def _read(pipe: Pipeline, key: str, seats: Sequence[Competitor]) -> Mapping[str, Rating]:
    found = pipe.hmget(key, [seat.id for seat in seats])
    return {
        seat.id: RATING.decode(text) if text else Rating()
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
