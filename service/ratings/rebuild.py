"""Recomputes ratings from the outcomes of all matches, and compares them with the stored ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from redis import Redis
from redis.client import Pipeline

from service.ratings import records
from service.ratings.queries import outcomes
from service.ratings.records import FORM, OUTCOME, RATING, Form, Outcome, Rating

_COMPETITORS_PER_WRITE = 1_000


class CompetitorRecord(msgspec.Struct):
    """All stored data of a competitor in a game: rating, form and scores on both leaderboards;
    matches by number; opponents by number of shared matches, and the results against them.
    """

    rating: Rating | None = None
    form: Form | None = None
    scores: tuple[float | None, float | None] = (None, None)
    matches: dict[str, float] = {}
    met: dict[str, float] = {}
    against: dict[str, int] = {}


def rebuild(redis: Redis, game: str) -> None:
    """Recompute and store the data of all competitors."""
    books = iter(compute_records(outcomes(redis, game)).items())
    while some := dict(islice(books, _COMPETITORS_PER_WRITE)):
        with redis.pipeline(transaction=False) as pipe:
            for competitor, book in some.items():
                _write(pipe, game, competitor, book)
            pipe.execute()


def find_inconsistent(redis: Redis, game: str) -> list[str]:
    """Return the competitors of a game whose stored data does not follow from their outcomes."""
    known: set[str] = set()
    while True:  # until no new competitor appeared in between
        done, found = _read_stored(redis, game, known)
        wanted = compute_records(done)
        if found.keys() | wanted.keys() <= known:
            return sorted(one for one in known if found.get(one) != wanted.get(one))
        known |= found.keys() | wanted.keys()


def compute_records(outcomes: Mapping[str, Outcome]) -> dict[str, CompetitorRecord]:
    """Return the data that follows from all outcomes, by competitor."""
    turns: dict[str, list[tuple[int, str]]] = {}
    for match, outcome in outcomes.items():
        for change in outcome.changes:
            turns.setdefault(change.competitor, []).append((change.played, match))
    return {
        who: _compute_record(who, [(match, outcomes[match]) for _, match in sorted(played)])
        for who, played in turns.items()
    }


def _compute_record(competitor: str, history: Iterable[tuple[str, Outcome]]) -> CompetitorRecord:
    """Return the data of a competitor who had these matches in this order."""
    rating, form = Rating(), Form()
    matches: dict[str, float] = {}
    met, against = Counter[str](), Counter[str]()
    for match, outcome in history:
        change = next(one for one in outcome.changes if one.competitor == competitor)
        rating = records.rating_after(change)
        form = form.after(records.has_won(outcome, competitor), outcome.at)
        matches[match] = rating.played
        for other, how in records.results_against(outcome, competitor):
            met[other] += 1
            against[f"{how}:{other}"] += 1
    place = records.leaderboard_score(rating)
    scores = (place, None if rating.provisional else place)
    return CompetitorRecord(rating, form, scores, matches, dict(met), dict(against))


def _write(pipe: Pipeline, game: str, competitor: str, book: CompetitorRecord) -> None:
    """Replace the stored data of a competitor."""
    pipe.hset(records.ratings_key(game), competitor, msgspec.json.encode(book.rating))
    pipe.hset(records.forms_key(game), competitor, msgspec.json.encode(book.form))
    for place, provisional in zip(book.scores, (True, False), strict=True):
        if place is None:
            pipe.zrem(records.leaderboard_key(game, provisional), competitor)
        else:
            pipe.zadd(records.leaderboard_key(game, provisional), {competitor: place})
    tables: dict[str, Mapping[str, Any]] = {
        records.matches_key(game, competitor): book.matches,
        records.opponents_key(game, competitor): book.met,
    }
    pipe.delete(*tables, records.results_key(game, competitor))
    for key, members in tables.items():
        if members:
            pipe.zadd(key, dict(members))
    for how, times in book.against.items():
        pipe.hset(records.results_key(game, competitor), how, str(times))


def _read_stored(
    redis: Redis, game: str, known: Iterable[str]
) -> tuple[dict[str, Outcome], dict[str, CompetitorRecord]]:
    """Return all outcomes and the stored data of these competitors, read in one transaction. Of
    other competitors, the data has only what the shared keys hold.
    """
    who = sorted(known)
    with redis.pipeline(transaction=True) as pipe:
        pipe.hgetall(records.outcomes_key(game))
        pipe.hgetall(records.ratings_key(game))
        pipe.hgetall(records.forms_key(game))
        for provisional in (True, False):
            pipe.zrange(records.leaderboard_key(game, provisional), 0, -1, withscores=True)
        for competitor in who:
            pipe.zrange(records.matches_key(game, competitor), 0, -1, withscores=True)
            pipe.zrange(records.opponents_key(game, competitor), 0, -1, withscores=True)
            pipe.hgetall(records.results_key(game, competitor))
        done, now, form, board, established, *tables = pipe.execute()
    ratings = {one.decode(): RATING.decode(text) for one, text in now.items()}
    forms = {one.decode(): FORM.decode(text) for one, text in form.items()}
    scores, best = _scores(board), _scores(established)
    stored = dict(zip(who, _triples(tables), strict=True))
    empty: tuple[Any, Any, Any] = ({}, {}, {})
    books = {
        one: CompetitorRecord(
            ratings.get(one),
            forms.get(one),
            (scores.get(one), best.get(one)),
            *stored.get(one, empty),
        )
        for one in ratings.keys() | forms.keys() | scores.keys() | best.keys() | _nonempty(stored)
    }
    return {match.decode(): OUTCOME.decode(text) for match, text in done.items()}, books


def _nonempty(stored: Mapping[str, tuple[Any, Any, Any]]) -> set[str]:
    return {one for one, tables in stored.items() if any(tables)}


def _triples(tables: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
    for at in range(0, len(tables), 3):
        matches, met, against = tables[at : at + 3]
        counts = {name.decode(): int(count) for name, count in against.items()}
        yield _scores(matches), _scores(met), counts


def _scores(found: Iterable[tuple[bytes, float]]) -> dict[str, float]:
    return {member.decode(): score for member, score in found}
