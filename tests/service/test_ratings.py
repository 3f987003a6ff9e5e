"""Ratings: each match is counted once, however many jobs do it at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from redis import Redis

from service.ratings import MODEL, Competitor, Rating, rate, rating_of

ANN, BOB = Competitor("ann", 1), Competitor("bob", 2)
BOT = Competitor("bot:easy", 2)


def test_a_victory_raises_the_winner_and_lowers_the_loser(redis_client: Redis) -> None:
    rate(redis_client, "toy", "m", [ANN, BOB])
    ann, bob = (rating_of(redis_client, "toy", who) for who in ("ann", "bob"))
    assert ann
    assert bob
    assert ann.mu > MODEL.mu > bob.mu
    assert max(ann.sigma, bob.sigma) < MODEL.sigma
    assert [(one.played, one.won) for one in (ann, bob)] == [(1, 1), (1, 0)]


def test_a_match_is_counted_once_and_told_of_alike(redis_client: Redis) -> None:
    first = rate(redis_client, "toy", "m", [ANN, BOB])
    once = rating_of(redis_client, "toy", "ann")
    assert rate(redis_client, "toy", "m", [ANN, BOB]) == first
    assert rating_of(redis_client, "toy", "ann") == once
    rate(redis_client, "toy", "m2", [ANN, BOB])
    twice = rating_of(redis_client, "toy", "ann")
    assert once
    assert twice
    assert (once.played, twice.played) == (1, 2)


def test_workers_that_rate_at_once_lose_no_match(redis_client: Redis) -> None:
    ready = Barrier(6)

    def work(number: int) -> None:
        ready.wait(10)
        rate(redis_client, "toy", f"m{number % 3}", [ANN, BOB])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    ann = rating_of(redis_client, "toy", "ann")
    assert ann
    assert (ann.played, ann.won) == (3, 3)


def test_each_game_has_ratings_of_its_own(redis_client: Redis) -> None:
    rate(redis_client, "toy", "m", [ANN, BOB])
    assert rating_of(redis_client, "qin", "ann") is None
    assert rating_of(redis_client, "toy", "cid") is None


def test_a_bot_with_several_seats_takes_part_with_the_best_of_them(redis_client: Redis) -> None:
    worst = Competitor("bot:easy", 3)
    changes = rate(redis_client, "toy", "m", [worst, ANN, BOT])
    assert [change.competitor for change in changes] == ["ann", "bot:easy"]
    alone = rate(redis_client, "other", "m", [ANN, BOT])
    assert [change.after for change in changes] == [change.after for change in alone]


def test_bots_of_one_level_among_themselves_change_nothing(redis_client: Redis) -> None:
    assert rate(redis_client, "toy", "m", [BOT, BOT]) == ()
    assert rating_of(redis_client, "toy", "bot:easy") is None


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_shared_victory_changes_equals_alike(redis_client: Redis, seats: int) -> None:
    alike = [Competitor(f"u{n}", 1) for n in range(seats)]
    changes = rate(redis_client, "toy", "m", alike)
    assert len({change.after for change in changes}) == 1
    assert all((change.played, change.won) == (1, 1) for change in changes)


def test_whoever_was_never_rated_stands_at_the_beginning() -> None:
    assert (Rating().played, Rating().won) == (0, 0)
    assert (Rating().mu, Rating().sigma) == (MODEL.mu, MODEL.sigma)
