"""What follows from the outcomes of all matches, made anew, and held against what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from redis import Redis
from redis.client import Pipeline

from service.ratings import outcomes as of
from service.ratings.outcomes import FORM, OUTCOME, RATING, Form, Outcome, Rating
from service.ratings.queries import outcomes

_PAGE = 1_000


class Book(msgspec.Struct):
    """All that is kept of a competitor in a game: rating, form, places on both leaderboards; their
    matches, by how many they had by then; how often they met whom, and how that ended.
    """

    rating: Rating | None = None
    form: Form | None = None
    places: tuple[float | None, float | None] = (None, None)
    matches: dict[str, float] = {}
    met: dict[str, float] = {}
    against: dict[str, int] = {}


def catch_up(redis: Redis, game: str) -> None:
    """Let all that is kept be what follows from the outcomes of the matches."""
    books = iter(booked(outcomes(redis, game)).items())
    while some := dict(islice(books, _PAGE)):
        with redis.pipeline(transaction=False) as pipe:
            for competitor, book in some.items():
                _write(pipe, game, competitor, book)
            pipe.execute()


def astray(redis: Redis, game: str) -> list[str]:
    """The competitors of a game of whom something is kept that does not follow from the outcomes of
    their matches.
    """
    known: set[str] = set()
    while True:  # until nobody has come meanwhile, who was not looked at
        done, found = _look(redis, game, known)
        wanted = booked(done)
        if found.keys() | wanted.keys() <= known:
            return sorted(one for one in known if found.get(one) != wanted.get(one))
        known |= found.keys() | wanted.keys()


def booked(outcomes: Mapping[str, Outcome]) -> dict[str, Book]:
    """What follows from the outcomes of all matches, by competitor."""
    turns: dict[str, list[tuple[int, str]]] = {}
    for match, outcome in outcomes.items():
        for change in outcome.changes:
            turns.setdefault(change.competitor, []).append((change.played, match))
    return {
        who: _book(who, [(match, outcomes[match]) for _, match in sorted(played)])
        for who, played in turns.items()
    }


def _book(competitor: str, history: Iterable[tuple[str, Outcome]]) -> Book:
    """The book of a competitor who had these matches one after the other."""
    rating, form = Rating(), Form()
    matches: dict[str, float] = {}
    met, against = Counter[str](), Counter[str]()
    for match, outcome in history:
        change = next(one for one in outcome.changes if one.competitor == competitor)
        rating = of.after(change)
        form = form.after(of.won(outcome, competitor), outcome.at)
        matches[match] = rating.played
        for other, how in of.faced(outcome, competitor):
            met[other] += 1
            against[f"{how}:{other}"] += 1
    place = of.rank(rating)
    places = (place, None if rating.provisional else place)
    return Book(rating, form, places, matches, dict(met), dict(against))


def _write(pipe: Pipeline, game: str, competitor: str, book: Book) -> None:
    """Keep a book in the place of what is kept."""
    pipe.hset(of.now(game), competitor, msgspec.json.encode(book.rating))
    pipe.hset(of.form(game), competitor, msgspec.json.encode(book.form))
    for place, provisional in zip(book.places, (True, False), strict=True):
        if place is None:
            pipe.zrem(of.board(game, provisional), competitor)
        else:
            pipe.zadd(of.board(game, provisional), {competitor: place})
    tables: dict[str, Mapping[str, Any]] = {
        of.matches(game, competitor): book.matches, of.met(game, competitor): book.met,
    }  # fmt: skip
    pipe.delete(*tables, of.against(game, competitor))
    for key, members in tables.items():
        if members:
            pipe.zadd(key, dict(members))
    for how, times in book.against.items():
        pipe.hset(of.against(game, competitor), how, str(times))


def _look(
    redis: Redis, game: str, known: Iterable[str]
) -> tuple[dict[str, Outcome], dict[str, Book]]:
    """The outcomes of all matches, and what is kept of these competitors, at one moment; of others
    only what lies with theirs.
    """
    who = sorted(known)
    with redis.pipeline(transaction=True) as pipe:
        pipe.hgetall(of.done(game))
        pipe.hgetall(of.now(game))
        pipe.hgetall(of.form(game))
        for provisional in (True, False):
            pipe.zrange(of.board(game, provisional), 0, -1, withscores=True)
        for competitor in who:
            pipe.zrange(of.matches(game, competitor), 0, -1, withscores=True)
            pipe.zrange(of.met(game, competitor), 0, -1, withscores=True)
            pipe.hgetall(of.against(game, competitor))
        done, now, form, board, established, *tables = pipe.execute()
    ratings = {one.decode(): RATING.decode(text) for one, text in now.items()}
    forms = {one.decode(): FORM.decode(text) for one, text in form.items()}
    places, best = _scores(board), _scores(established)
    kept = dict(zip(who, _triples(tables), strict=True))
    empty: tuple[Any, Any, Any] = ({}, {}, {})
    books = {
        one: Book(
            ratings.get(one),
            forms.get(one),
            (places.get(one), best.get(one)),
            *kept.get(one, empty),
        )
        for one in ratings.keys() | forms.keys() | places.keys() | best.keys() | _used(kept)
    }
    return {match.decode(): OUTCOME.decode(text) for match, text in done.items()}, books


def _used(kept: Mapping[str, tuple[Any, Any, Any]]) -> set[str]:
    return {one for one, tables in kept.items() if any(tables)}


def _triples(tables: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
    for at in range(0, len(tables), 3):
        matches, met, against = tables[at : at + 3]
        counts = {name.decode(): int(count) for name, count in against.items()}
        yield _scores(matches), _scores(met), counts


def _scores(found: Iterable[tuple[bytes, float]]) -> dict[str, float]:
    return {member.decode(): score for member, score in found}
