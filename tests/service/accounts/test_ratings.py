"""Ratings: each match counts once, even if several jobs rate it at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import msgspec
import pytest
from redis import Redis

from domain.match.decisions import ending, playing
from domain.match.decisions.ending import early_leavers
from domain.match.outcome import RatingChange
from domain.match.state import UnratedReason
from service.ratings import (
    DAY_MS,
    MAX_WINS_PER_DAY,
    MODEL,
    Competitor,
    LeftOut,
    Outcome,
    Rating,
    Replacements,
    competitors_of,
    find_inconsistent,
    outcomes,
    participants_of,
    rating_of,
    rebuild,
    replacements_in,
    standings,
    store_outcome,
)
from service.ratings import rate as rate_on
from service.ratings.rating import OWN_MATCHES
from tests.match.test_absence import end_patience, propose
from tests.match.test_replacing import replace, seeking

ANN, BOB = Competitor("ann", 1), Competitor("bob", 2)
BOT = Competitor("bot:easy", 2)


TODAY = 19_000


def rate(redis: Redis, game: str, match: str, seats: list[Competitor]) -> tuple[RatingChange, ...]:
    """How a match of today changes the ratings."""
    return rate_on(redis, game, match, seats, TODAY * DAY_MS).changes


def test_a_victory_raises_the_winner_and_lowers_the_loser(redis_client: Redis) -> None:
    rate(redis_client, "toy", "m", [ANN, BOB])
    ann, bob = (rating_of(redis_client, "toy", who) for who in ("ann", "bob"))
    assert ann
    assert bob
    assert ann.mu > MODEL.mu > bob.mu
    assert max(ann.sigma, bob.sigma) < MODEL.sigma
    assert [(one.played, one.won) for one in (ann, bob)] == [(1, 1), (1, 0)]


LEAVER = Competitor("ann", 2, 1)
REPLACED = Replacements([Competitor("ann", 3, 1)], {"dan"})
"""Behind both of them; without the seat of the newcomer, behind the other."""


@pytest.mark.parametrize("newcomer_wins", [False, True])
def test_a_leaver_loses_and_a_newcomer_can_only_gain(
    redis_client: Redis, newcomer_wins: bool
) -> None:
    """If the rating of a newcomer would fall, the others have played against the leaver."""
    bob, dan = Competitor("bob", 1 + newcomer_wins, 0), Competitor("dan", 2 - newcomer_wins, 1)
    done = rate_on(redis_client, "toy", "m", [bob, dan], TODAY * DAY_MS, replaced=REPLACED)
    rises = {one.competitor: one.after[0] > one.before[0] for one in done.changes}
    assert rises == {"bob": not newcomer_wins, "ann": False} | (
        {"dan": True} if newcomer_wins else {}
    )
    assert done.participants == ((dan, bob) if newcomer_wins else (bob, LEAVER))
    assert find_inconsistent(redis_client, "toy") == []
    rate(redis_client, "toy", "m2", [bob, dan])
    assert find_inconsistent(redis_client, "toy") == []


def test_each_of_several_leavers_loses(redis_client: Redis) -> None:
    """Also one who is much weaker than another: they do not share the last place."""
    seats = [Competitor("bob", 1, 0), Competitor("dan", 2, 1), Competitor("eve", 2, 2)]
    strong = msgspec.json.encode(Rating(60.0, 8.0, 100, 100))
    redis_client.hset("{ratings:toy}:now", "cid", strong)
    left = [Competitor("ann", 3, 1), Competitor("cid", 3, 2)]
    out: LeftOut = {"early_resignation": {"dan", "eve"}}
    replaced = Replacements(left, {"dan", "eve"})
    done = rate_on(redis_client, "toy", "m", seats, TODAY * DAY_MS, out, replaced)
    rises = {one.competitor: one.after[0] > one.before[0] for one in done.changes}
    assert rises == {"bob": True, "ann": False, "cid": False}


@pytest.mark.parametrize("reason", ["early_resignation", "one_address", "repeated", None])
def test_a_strong_newcomer_who_loses_gives_nothing(
    redis_client: Redis, reason: UnratedReason | None
) -> None:
    """Nobody gains by a player who can lose nothing, however often they let a friend win."""
    bob, dan = Competitor("bob", 1, 0), Competitor("dan", 2, 1)
    ratings = "{ratings:toy}:now"
    redis_client.hset(ratings, "dan", msgspec.json.encode(Rating(60.0, 1.0, 100, 100)))
    if reason == "repeated":
        wins = f"{{ratings:toy}}:wins:{TODAY}"
        redis_client.hset(wins, "bob>dan", MAX_WINS_PER_DAY)
    out = {} if reason in ("repeated", None) else {reason: {"dan"}}
    seats, at = [bob, dan], TODAY * DAY_MS
    done = rate_on(redis_client, "toy", "m", seats, at, out, REPLACED)
    redis_client.delete(ratings)
    assert done.changes == rate(redis_client, "other", "m", [bob, LEAVER])
    nobody = rate_on(redis_client, "toy", "m2", seats, at, {"one_address": {"ann"}}, REPLACED)
    assert nobody.unrated == "one_address"


@pytest.mark.parametrize("has_moved", [False, True])
def test_a_newcomer_can_lose_in_a_seat_in_which_nobody_has_moved(
    redis_client: Redis, has_moved: bool
) -> None:
    """Otherwise an account that sits down and stays away gives them a game without a risk."""
    table = seeking("ann bob")
    if has_moved:
        while table.match.seats_to_move != (0,) or len(table.match.line) < 3:
            table.play()
        end_patience(table)
        propose(table, "bob", "replacement")
    replace(table, "dan")
    for player in ("dan", "bob"):
        if table.match.status == "active":
            table.act(playing.resign(table.match, player, table.now), player)
    table.act(ending.score(table.match), "system")
    match = table.match
    out: LeftOut = {"early_resignation": early_leavers(match)}
    replaced = replacements_in(match)
    done = rate_on(redis_client, "toy", "m", competitors_of(match), 1, out, replaced)
    if has_moved:
        assert done.participants == (Competitor("bob", 1, 1), Competitor("ann", 2, 0))
    else:
        assert (replaced.newcomers, done.unrated) == (set(), "early_resignation")
    seats = participants_of(match, done.changes)
    store_outcome(redis_client, "restored", "m", done.changes, seats, 1)
    assert outcomes(redis_client, "restored")["m"].participants == done.participants


def test_a_match_counts_once_and_gets_the_same_answer_again(redis_client: Redis) -> None:
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


def test_each_game_has_separate_ratings(redis_client: Redis) -> None:
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


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("reason", ["early_resignation", "one_address"])
def test_who_is_left_out_changes_nothing_for_the_others(
    redis_client: Redis, seats: int, reason: UnratedReason
) -> None:
    """Whatever the place of who is left out, as if they had not been at the table."""
    players = [Competitor(f"u{n}", n + 1) for n in range(seats)]
    for out in players:
        rest = [one for one in players if one is not out]
        game, alone = f"toy {out.rank}", f"alone {out.rank}"
        outcome = rate_on(redis_client, game, "m", players, 0, {reason: {out.id}})
        if len(rest) < 2:
            assert outcome == Outcome(unrated=reason)
        else:
            assert outcome == rate_on(redis_client, alone, "m", rest, 0)
        assert rating_of(redis_client, game, out.id) is None
        assert find_inconsistent(redis_client, game) == []


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_shared_victory_changes_equals_alike(redis_client: Redis, seats: int) -> None:
    alike = [Competitor(f"u{n}", 1) for n in range(seats)]
    changes = rate(redis_client, "toy", "m", alike)
    assert len({change.after for change in changes}) == 1
    assert all((change.played, change.won) == (1, 1) for change in changes)


def test_a_player_who_was_never_rated_has_the_initial_rating() -> None:
    assert (Rating().played, Rating().won) == (0, 0)
    assert (Rating().mu, Rating().sigma) == (MODEL.mu, MODEL.sigma)


def test_wins_over_one_player_beyond_the_limit_do_not_count(redis_client: Redis) -> None:
    for n in range(MAX_WINS_PER_DAY):
        assert rate(redis_client, "toy", f"m{n}", [ANN, BOB])
    before = rating_of(redis_client, "toy", "ann")
    for _ in range(2):
        outcome = rate_on(redis_client, "toy", "m", [ANN, BOB], TODAY * DAY_MS)
        assert (outcome.changes, outcome.unrated) == ((), "repeated")
    assert rating_of(redis_client, "toy", "ann") == before
    cid = Competitor("cid", 3)
    third = rate(redis_client, "toy", "three", [ANN, BOB, cid])
    assert [change.competitor for change in third] == ["ann", "cid"]
    assert rating_of(redis_client, "toy", "bob").played == MAX_WINS_PER_DAY
    assert rate_on(redis_client, "toy", "tomorrow", [ANN, BOB], (TODAY + 1) * DAY_MS).changes
    assert rate(redis_client, "other", "m", [ANN, BOB])
    assert rate(redis_client, "toy", "with another", [ANN, cid])
    assert rate(redis_client, "toy", "the other way", [Competitor("bob", 1), Competitor("ann", 2)])


def test_bots_may_be_beaten_as_often_as_one_likes(redis_client: Redis) -> None:
    for n in range(MAX_WINS_PER_DAY + 2):
        assert rate(redis_client, "toy", f"m{n}", [ANN, BOT])


def test_the_wins_of_a_day_expire(redis_client: Redis) -> None:
    rate(redis_client, "toy", "m", [ANN, BOB])
    assert redis_client.ttl(f"{{ratings:toy}}:wins:{TODAY}") > 86_400


def test_the_leaderboard_has_the_latest_rating_of_each(redis_client: Redis) -> None:
    latest = {"ann": (29.0, 4.0, 3, 2), "bot:easy": (20.0, 1.0, 9, 4), "bob": (22.0, 6.0, 2, 0)}
    store_outcome(redis_client, "toy", "m0", changes({**latest, "ann": (40.0, 1.0, 2, 2)}))
    store_outcome(redis_client, "toy", "m1", changes(latest))
    rebuild(redis_client, "toy")
    found = standings(redis_client, "toy")
    assert [one.competitor for one in found] == ["ann", "bot:easy", "bob"]
    assert [one.rating.lower_bound for one in found] == [17.0, 17.0, 4.0]
    assert [(one.rating.played, one.rating.won) for one in found] == [(3, 2), (9, 4), (2, 0)]
    assert standings(redis_client, "chess") == []


def test_the_leaderboard_comes_in_pages(redis_client: Redis) -> None:
    some = changes({f"u{n}": (30.0 - n, 1.0, 1, 0) for n in range(5)})
    store_outcome(redis_client, "toy", "m", some)
    rebuild(redis_client, "toy")
    pages = [standings(redis_client, "toy", after, 2) for after in (0, 2, 4, 6)]
    names = [[one.competitor for one in page] for page in pages]
    assert names == [["u0", "u1"], ["u2", "u3"], ["u4"], []]


def test_a_match_shows_on_the_leaderboard_at_once(redis_client: Redis) -> None:
    for n in range(2):
        rate(redis_client, "toy", f"m{n}", [ANN, BOB])
        found = standings(redis_client, "toy")
        assert [one.competitor for one in found] == ["ann", "bob"]
        assert all(one.rating == rating_of(redis_client, "toy", one.competitor) for one in found)


def changes(after: dict[str, tuple[float, float, int, int]]) -> list[RatingChange]:
    """Changes that give competitors these ratings: mu, sigma, played, won."""
    return [
        RatingChange(who, (25, 8), (mu, sigma), played, won)
        for who, (mu, sigma, played, won) in after.items()
    ]


def gain(redis: Redis, match: str, loser: str) -> float:
    """What Ann gains by a win."""
    [ann, _] = rate(redis, "toy", match, [ANN, Competitor(loser, 2)])
    return ann.after[0] - ann.before[0]


def test_wins_over_people_without_matches_of_their_own_count_little(redis_client: Redis) -> None:
    little = gain(redis_client, "m0", "new")
    assert 0 < gain(redis_client, "m1", "new") < little
    for n in range(OWN_MATCHES):
        rate(redis_client, "toy", f"own{n}", [Competitor("old", 1), Competitor(f"u{n}", 2)])
    before = rating_of(redis_client, "toy", "ann")
    much = gain(redis_client, "m2", "old")
    assert before
    assert much > 5 * little


def test_matches_against_bots_give_an_opponent_no_weight(redis_client: Redis) -> None:
    for n in range(OWN_MATCHES):
        bot = Competitor(f"bot:level{n % 2}", 1)
        rate(redis_client, "toy", f"own{n}", [Competitor("new", 2), bot])
    new = rating_of(redis_client, "toy", "new")
    assert new
    teams = [[MODEL.rating()], [MODEL.rating(new.mu, new.sigma)]]
    [[full], _] = MODEL.rate(teams, ranks=[1, 2])
    assert gain(redis_client, "m", "new") == pytest.approx((full.mu - MODEL.mu) / OWN_MATCHES)


def test_a_ring_of_accounts_made_to_lose_gives_less_than_three_people(redis_client: Redis) -> None:
    for account in range(6):
        for n in range(MAX_WINS_PER_DAY):
            gain(redis_client, f"m{account}-{n}", f"throwaway{account}")
    farmer = rating_of(redis_client, "toy", "ann")
    for n in range(OWN_MATCHES):
        for who in ("x", "y", "z"):
            other = Competitor(f"{who}{n}", 2)
            rate(redis_client, "toy", f"{who}{n}", [Competitor(who, 1), other])
    for who in ("x", "y", "z"):
        rate(redis_client, "toy", f"honest {who}", [Competitor("eve", 1), Competitor(who, 2)])
    honest = rating_of(redis_client, "toy", "eve")
    assert farmer
    assert honest
    assert farmer.lower_bound < honest.lower_bound


def test_a_match_against_bots_counts_in_full(redis_client: Redis) -> None:
    [ann, _] = rate(redis_client, "toy", "m", [ANN, BOT])
    full = MODEL.rate([[MODEL.rating()], [MODEL.rating()]], ranks=[1, 2])
    assert ann.after == pytest.approx((full[0][0].mu, full[0][0].sigma))
