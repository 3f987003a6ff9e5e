"""`annals verify` finds every flipped bit in matches, feeds and due work."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from redis import Redis

from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.scheduled_work import idle_step_ms
from domain.match.state import Chair
from service.matches.commands import Metadata, create
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import some_of_each_kind
from workers.tools.check.check_indexes import find_feed_faults
from workers.tools.check.verify import find_match_faults

SEATS = (Chair(player="ada"),) * 2
KINDS = ("{p*}:match:*", "{p*}:feed", "{p*}:work:*")


@pytest.fixture
def annals(redis_client: Redis, redis_url: str) -> Annals:
    annals = open_annals(read_settings({"REDIS_URL": redis_url}), {**GAMES, "toy": TOY})
    some_of_each_kind(annals.store)
    plan = lobby.Plan(match="q", host="ada", chairs=(Chair(player="ada"), Chair()), expires=1 << 45)
    create(annals, plan, GAMES["qin"], Metadata("ada", key="k", fingerprint="f"))
    return annals


def find_faults(annals: Annals) -> list[str]:
    """All faults that verify finds."""
    matches = sorted(annals.store.match_ids())
    return [fault for match in matches for fault in find_match_faults(annals, match)] + list(
        find_feed_faults(annals.store)
    )


def flip_bit(value: bytes, random: Random) -> bytes:
    number = int.from_bytes(value, "big") ^ 1 << random.randrange(8 * len(value))
    return number.to_bytes(len(value), "big")


def flip(redis: Redis, name: bytes, random: Random) -> None:
    """Flip one bit in the value of a key."""
    match redis.type(name):
        case b"stream":
            rows: Any = redis.xrange(name)
            _, fields = random.choice(rows)
            field = random.choice([one for one in fields if fields[one]])
            fields[field] = flip_bit(fields[field], random)
            redis.delete(name)
            for row_id, values in rows:
                redis.xadd(name, values, id=row_id)
        case b"zset":
            member, score = random.choice(redis.zrange(name, 0, -1, withscores=True))
            redis.zrem(name, member)
            if random.random() < 0.5:
                redis.zadd(name, {flip_bit(member, random): score})
            else:
                redis.zadd(name, {member: int(score) ^ 1 << random.randrange(40)})
        case _:
            redis.set(name, flip_bit(redis.get(name), random))


def test_an_intact_store_has_no_faults(annals: Annals) -> None:
    assert find_faults(annals) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_flipped_bit_is_found(annals: Annals, kind: str) -> None:
    redis, random = annals.store.redis, Random(kind)
    names = sorted(redis.scan_iter(kind))
    for _ in range(15):
        name = random.choice(names)
        before = redis.dump(name)
        flip(redis, name, random)
        assert find_faults(annals), name
        redis.restore(name, 0, before, replace=True)
    assert find_faults(annals) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_missing_key_is_found(annals: Annals, kind: str) -> None:
    redis = annals.store.redis
    for name in list(redis.scan_iter(kind)):
        before = redis.dump(name)
        redis.delete(name)
        assert find_faults(annals), name
        redis.restore(name, 0, before)


def test_the_end_of_an_idle_match_may_be_noted_as_earlier_commits_did(annals: Annals) -> None:
    """To the millisecond, and of an earlier move in the same step."""
    plan = lobby.Plan(match="i", host="ada", chairs=SEATS, expires=0)
    created = create(annals, plan, GAMES["qin"], Metadata("ada", key="i", fingerprint="i")).match
    assert created.ends_at is not None
    key = f"{{p{annals.store.partition_of('i')}}}:work:deadlines"
    due = annals.store.work_of("i")[1]["abandon"]
    for at, faults in ((created.ends_at, 0), (due - idle_step_ms(created), 1), (due + 1, 1)):
        annals.store.redis.zadd(key, {"abandon:i": at})
        assert len(find_faults(annals)) == faults
