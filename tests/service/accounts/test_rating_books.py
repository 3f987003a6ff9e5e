"""The books of rated matches equal an independent recount."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from random import Random

import pytest
from redis import Redis

from domain.games import GAMES
from service.ratings import (
    DAY_MS,
    Competitor,
    count_provisional,
    find_inconsistent,
    forms,
    history,
    opponents,
    outcomes,
    place_of,
    rate,
    rating_of,
    rebuild,
    standings,
    store_outcome,
)
from service.ratings.records import MIN_ESTABLISHED_MATCHES

WHO = ["ann", "bob", "cid", "dan", "bot:easy", "bot:hard"]
RatedMatches = list[tuple[str, list[Competitor], int]]


def matches(game: str, count: int = 40) -> RatedMatches:
    """Matches of all sizes, with ties, in which some players take part far more often."""
    chance = Random(game)
    played = []
    for n in range(count):
        some = chance.sample(WHO, chance.randint(2, 4)) if n % 5 else ["ann", "bob"]
        ranks = sorted(chance.randint(1, len(some)) for _ in some)
        places = [1 + ranks.index(rank) for rank in ranks]
        seats = [
            Competitor(who, place, at)
            for at, (who, place) in enumerate(zip(some, places, strict=True))
        ]
        played.append((f"m{n}", seats, (19_000 + n) * DAY_MS))
    return played


@pytest.fixture(params=[*GAMES][:2])
def game(request, redis_client: Redis) -> str:
    """A game with matches that were rated one after the other; ratings know nothing else of it."""
    for match, seats, at in matches(request.param):
        rate(redis_client, request.param, match, seats, at)
    return str(request.param)


def of(game: str, who: str) -> RatedMatches:
    return [one for one in matches(game) if who in [seat.id for seat in one[1]]]


def mine(seats: list[Competitor], who: str) -> Competitor:
    return next(seat for seat in seats if seat.id == who)


def all_kept(redis: Redis) -> dict[bytes, object]:
    kept: dict[bytes, object] = {}
    for key in redis.keys("{ratings:*"):
        if redis.type(key) == b"zset":
            kept[key] = redis.zrange(key, 0, -1, withscores=True)
        else:
            kept[key] = redis.hgetall(key)
    return kept


def test_streaks_are_wins_in_a_row(game: str, redis_client: Redis) -> None:
    for who in WHO:
        wins = [mine(seats, who).rank == 1 for _, seats, _ in of(game, who)]
        runs = [(won, len(list(run))) for won, run in groupby(wins)]
        form = forms(redis_client, [game, "chess"], who)
        assert form.keys() == {game}
        assert form[game].best == max([length for won, length in runs if won], default=0)
        assert form[game].streak == (runs[-1][1] if runs[-1][0] else 0)
        assert form[game].at == of(game, who)[-1][2]


def test_opponents_are_counted_with_the_results_against_them(
    game: str, redis_client: Redis
) -> None:
    for who in WHO:
        met, ended = Counter[str](), Counter[tuple[str, str]]()
        for _, seats, _ in of(game, who):
            for other in seats:
                if other.id != who:
                    place = mine(seats, who).rank
                    how = (
                        "even"
                        if other.rank == place
                        else "ahead"
                        if place < other.rank
                        else "behind"
                    )
                    met[other.id] += 1
                    ended[other.id, how] += 1
        found = opponents(redis_client, game, who, 10)
        assert {one.competitor: one.matches for one in found} == met
        assert [one.matches for one in found] == sorted(met.values(), reverse=True)
        for one in found:
            counts = [ended[one.competitor, how] for how in ("ahead", "behind", "even")]
            assert [one.ahead, one.behind, one.even] == counts
        assert opponents(redis_client, game, who, 2) == found[:2]


def test_the_history_has_every_match_the_last_first(game: str, redis_client: Redis) -> None:
    for who in WHO:
        pages, after = [], None
        while page := history(redis_client, game, who, after, 7):
            pages += page
            after = page[-1].number
        played = of(game, who)[::-1]
        assert [one.match for one in pages] == [match for match, _, _ in played]
        assert [one.number for one in pages] == list(range(len(played), 0, -1))
        assert [one.at for one in pages] == [at for _, _, at in played]
        assert [(one.rank, one.seat) for one in pages] == [
            (mine(seats, who).rank, mine(seats, who).seat) for _, seats, _ in played
        ]
        now = rating_of(redis_client, game, who)
        assert now
        assert (pages[0].mu, pages[0].sigma) == (now.mu, now.sigma)
        assert pages[0].interval == (now.mu - 2 * now.sigma, now.mu + 2 * now.sigma)


def test_the_leaderboard_leaves_out_players_with_few_matches(
    game: str, redis_client: Redis
) -> None:
    newcomer = [Competitor("eve", 1), Competitor("ann", 2)]
    for n in range(MIN_ESTABLISHED_MATCHES - 1):
        rate(redis_client, game, f"eve{n}", newcomer, (20_000 + n) * DAY_MS)
    everybody = [one.competitor for one in standings(redis_client, game)]
    established = standings(redis_client, game, provisional=False)
    counted = [
        one.competitor
        for one in standings(redis_client, game)
        if one.rating.played >= MIN_ESTABLISHED_MATCHES
    ]
    assert [one.competitor for one in established] == counted
    assert "eve" in set(everybody) - set(counted)
    assert count_provisional(redis_client, game) == len(everybody) - len(counted)
    rate(redis_client, game, "one more", newcomer, 20_100 * DAY_MS)
    assert "eve" in [one.competitor for one in standings(redis_client, game, provisional=False)]


def test_equal_ratings_share_a_rank(redis_client: Redis) -> None:
    for pair in range(4):  # four equal winners, four equal losers
        rate(
            redis_client,
            "toy",
            f"m{pair}",
            [Competitor(f"w{pair}", 1), Competitor(f"l{pair}", 2)],
            0,
        )
    best, worst = [Competitor("w9", 1), Competitor("l9", 2)], []
    for n in range(2):
        rate(redis_client, "toy", f"n{n}", [*best, *worst], n * DAY_MS)
    whole = [one.place for one in standings(redis_client, "toy")]
    assert whole == [1, 2, 2, 2, 2, 6, 6, 6, 6, 10]
    for limit in (1, 3, 4):
        pages = [standings(redis_client, "toy", after, limit) for after in range(0, 10, limit)]
        assert [one.place for page in pages for one in page] == whole


def test_only_players_on_the_leaderboard_have_a_rank(game: str, redis_client: Redis) -> None:
    places = {one.competitor: one.place for one in standings(redis_client, game, provisional=False)}
    assert places
    for who in WHO:
        rating = rating_of(redis_client, game, who)
        assert rating
        assert place_of(redis_client, game, rating) == places.get(who)


def test_all_stored_data_follows_from_the_outcomes(game: str, redis_client: Redis) -> None:
    kept = all_kept(redis_client)
    for key in kept:
        if key.rpartition(b":")[2] != b"done" and b":wins:" not in key:
            redis_client.delete(key)
    assert all_kept(redis_client) != kept
    rebuild(redis_client, game)
    assert all_kept(redis_client) == kept
    rebuild(redis_client, game)
    assert all_kept(redis_client) == kept


def test_remembering_is_as_good_as_rating(game: str, redis_client: Redis) -> None:
    kept, done = all_kept(redis_client), outcomes(redis_client, game)
    redis_client.delete(f"{{ratings:{game}}}:done")
    for match, seats, at in matches(game):
        if changes := done[match].changes:
            store_outcome(redis_client, game, match, changes, seats, at)
    rebuild(redis_client, game)
    assert {**all_kept(redis_client), f"{{ratings:{game}}}:done".encode(): 0} == {
        **kept, f"{{ratings:{game}}}:done".encode(): 0,
    }  # fmt: skip


DAMAGE = {
    "now": lambda redis, key: redis.hset(key, "ann", redis.hget(key, "bob")),
    "board": lambda redis, key: redis.zadd(key, {"ann": 100}),
    "established": lambda redis, key: redis.zrem(key, "ann"),
    "form": lambda redis, key: redis.hdel(key, "ann"),
    "of:ann": lambda redis, key: redis.zremrangebyrank(key, 0, 0),
    "met:ann": lambda redis, key: redis.zincrby(key, 1, "bob"),
    "against:ann": lambda redis, key: redis.hincrby(key, "ahead:bob", 1),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_an_inconsistent_rating_is_found_and_repaired(what: str, redis_client: Redis) -> None:
    for match, seats, at in matches("toy", 60):
        rate(redis_client, "toy", match, seats, at)
    assert find_inconsistent(redis_client, "toy") == []
    DAMAGE[what](redis_client, f"{{ratings:toy}}:{what}")
    assert find_inconsistent(redis_client, "toy") == ["ann"]
    rebuild(redis_client, "toy")
    assert find_inconsistent(redis_client, "toy") == []


def test_a_rating_without_a_match_is_inconsistent(redis_client: Redis) -> None:
    redis_client.zadd("{ratings:toy}:established", {"zoe": 1})
    assert find_inconsistent(redis_client, "toy") == ["zoe"]
