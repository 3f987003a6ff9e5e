"""What is kept of players, ratings and in projections is held against the rest by `verify`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

from domain.games import GAMES
from domain.match.events import Rated
from domain.match.log import read_events
from service import ratings
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import fold_all, many, varied
from workers.tools.check import check_accounts
from workers.tools.check.verify import around_matches


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Annals:
    """Matches of every kind, with lists, ratings and players that agree with them."""
    monkeypatch.setattr(check_accounts, "PAUSE_S", 0)
    annals = open_annals(read_settings({"REDIS_URL": redis_url}), {**GAMES, "toy": TOY})
    varied(annals.store)
    fold_all(annals.store)
    for match in annals.store.matches():
        for entry in annals.store.read(match):
            for event in read_events(TOY, entry.events) if entry.kind == "Rated" else ():
                assert isinstance(event, Rated)
                ratings.remember(redis_client, "toy", match, event.changes)
    ratings.catch_up(redis_client, "toy")
    for name in ("Ann", "Bob", "Zoë"):
        annals.players.register(name, 1_700_000_000_000)
    gone, _ = annals.players.register("Gone", 1_700_000_000_000)
    annals.players.delete(gone, 1_700_000_000_001)
    annals.players.recovery.give(annals.players.by_name("Ann").id)  # type: ignore[union-attr]
    return annals


def found(annals: Annals) -> list[str]:
    return list(around_matches(annals))


def test_a_sound_store_has_no_faults_and_is_left_as_it_was(annals: Annals) -> None:
    before = {key: annals.store.redis.dump(key) for key in annals.store.redis.scan_iter()}
    assert found(annals) == []
    assert {key: annals.store.redis.dump(key) for key in annals.store.redis.scan_iter()} == before


@pytest.mark.parametrize("kind", ["{p*}:rm:*", "{ratings:*}:*", "player:u????????????????"])
def test_nothing_is_missing_unseen(annals: Annals, kind: str) -> None:
    redis = annals.store.redis
    names = [name for name in redis.scan_iter(kind) if not name.endswith(b":at")]
    assert names
    for name in names:
        before = redis.dump(name)
        redis.delete(name)
        assert found(annals), name
        redis.restore(name, 0, before)
    assert found(annals) == []


def test_a_projection_that_tells_something_else_is_named(annals: Annals) -> None:
    redis = annals.store.redis
    for name in redis.scan_iter("{p*}:rm:*"):
        before = redis.dump(name)
        match redis.type(name):
            case b"hash":
                redis.hset(name, next(iter(redis.hgetall(name))), "7")
            case b"zset":
                redis.zadd(name, {"somebody": 0})
            case _:
                redis.set(name, 10_000)
        assert any(one.startswith(f"{name.decode().split(':')[2]} of") for one in found(annals))
        redis.restore(name, 0, before, replace=True)


def test_projections_that_are_behind_are_compared_as_far_as_they_have_come(annals: Annals) -> None:
    many(annals.store, 3)
    assert found(annals) == []


def of_somebody_else(annals: Annals) -> None:
    annals.store.redis.set("name:ann", "u0123456789abcdef")


def called_otherwise(annals: Annals) -> None:
    annals.store.redis.hset(f"player:{_ann(annals)}", "name", "Eve")


def not_in_the_list(annals: Annals) -> None:
    annals.store.redis.zrem("players", f"ann\0{_ann(annals)}")


def a_token_of_another(annals: Annals) -> None:
    _change_token(annals, lambda text: text.replace(_ann(annals).encode(), b"u0123456789abcdef"))


def a_damaged_token(annals: Annals) -> None:
    _change_token(annals, lambda text: text[:-1])


def _ann(annals: Annals) -> str:
    player = annals.players.by_name("Ann")
    assert player
    return player.id


def _change_token(annals: Annals, change: Callable[[bytes], bytes]) -> None:
    redis = annals.store.redis
    keys: Any = redis.hvals(f"player:{_ann(annals)}:tokens")
    before: Any = redis.get(keys[0])
    redis.set(keys[0], change(before))


@pytest.mark.parametrize(
    "spoil",
    [of_somebody_else, called_otherwise, not_in_the_list, a_token_of_another, a_damaged_token],
)
def test_accounts_that_contradict_themselves_are_named(
    annals: Annals, spoil: Callable[[Annals], None]
) -> None:
    spoil(annals)
    assert found(annals)


def test_a_rating_that_does_not_follow_is_named(annals: Annals) -> None:
    redis = annals.store.redis
    competitor = next(iter(redis.hgetall("{ratings:toy}:now")))
    redis.hset("{ratings:toy}:now", competitor, b'{"mu":99.0,"sigma":1.0,"played":1,"won":1}')
    assert found(annals) == [
        f"the rating of {competitor.decode()} in toy is not that after their last match."
    ]
