"""No bit that flips in matches, feeds or due work goes unseen by `verify`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from redis import Redis

from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.state import Chair
from service.matches.commands import Metadata, create
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from tests.engine.toy import GAME as TOY
from tests.projections.recorded import varied
from workers.tools.check.check_indexes import around
from workers.tools.check.verify import faults

KINDS = ("{p*}:match:*", "{p*}:feed", "{p*}:work:*")


@pytest.fixture
def annals(redis_client: Redis, redis_url: str) -> Annals:
    annals = open_annals(read_settings({"REDIS_URL": redis_url}), {**GAMES, "toy": TOY})
    varied(annals.store)
    plan = lobby.Plan(match="q", host="ada", chairs=(Chair(player="ada"), Chair()), expires=1 << 45)
    create(annals, plan, GAMES["qin"], Metadata("ada", key="k", fingerprint="f"))
    return annals


def found(annals: Annals) -> list[str]:
    """All that verify finds."""
    matches = sorted(annals.store.matches())
    return [fault for match in matches for fault in faults(annals, match)] + list(
        around(annals.store)
    )


def flipped(value: bytes, random: Random) -> bytes:
    number = int.from_bytes(value, "big") ^ 1 << random.randrange(8 * len(value))
    return number.to_bytes(len(value), "big")


def flip(redis: Redis, name: bytes, random: Random) -> None:
    """Flip one bit somewhere in what a key holds."""
    match redis.type(name):
        case b"stream":
            rows: Any = redis.xrange(name)
            _, fields = random.choice(rows)
            field = random.choice([one for one in fields if fields[one]])
            fields[field] = flipped(fields[field], random)
            redis.delete(name)
            for row_id, values in rows:
                redis.xadd(name, values, id=row_id)
        case b"zset":
            member, score = random.choice(redis.zrange(name, 0, -1, withscores=True))
            redis.zrem(name, member)
            if random.random() < 0.5:
                redis.zadd(name, {flipped(member, random): score})
            else:
                redis.zadd(name, {member: int(score) ^ 1 << random.randrange(40)})
        case _:
            redis.set(name, flipped(redis.get(name), random))


def test_a_sound_store_has_no_faults(annals: Annals) -> None:
    assert found(annals) == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_flipped_bit_goes_unseen(annals: Annals, kind: str) -> None:
    redis, random = annals.store.redis, Random(kind)
    names = sorted(redis.scan_iter(kind))
    for _ in range(40):
        name = random.choice(names)
        before = redis.dump(name)
        flip(redis, name, random)
        assert found(annals), name
        redis.restore(name, 0, before, replace=True)
    assert found(annals) == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_missing_unseen(annals: Annals, kind: str) -> None:
    redis = annals.store.redis
    for name in list(redis.scan_iter(kind)):
        before = redis.dump(name)
        redis.delete(name)
        assert found(annals), name
        redis.restore(name, 0, before)
