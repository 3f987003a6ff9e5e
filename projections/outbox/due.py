"""Which subscriptions have due work in the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from redis import Redis

from projections.core.scripts import Script
from projections.core.spaces import group_by_slot
from projections.outbox.plan import due_key, outbox_space, warnings_key

DUE = Script(files(__package__).joinpath("due.lua").read_text())
MAX_DUE_PER_PARTITION = 1_000
"""Maximum number of subscriptions returned per partition and call."""


def due_subscriptions(redis: Redis, partitions: Sequence[int], now: int) -> dict[str, int]:
    """Return the ids of subscriptions with due work, at most `MAX_DUE_PER_PARTITION` of each
    partition, each with the earliest time at which work of it was due. A sender that has served a
    subscription changes this time.
    """
    found: dict[str, int] = {}
    for some in group_by_slot(redis, partitions):
        spaces = list(map(outbox_space, some))
        keys = [key for space in spaces for key in (due_key(space), warnings_key(space))]
        rows = iter(DUE.run(redis, keys, now, MAX_DUE_PER_PARTITION))
        for text, at in zip(rows, rows, strict=True):
            name = text.decode()
            found[name] = min(int(float(at)), found.get(name, now))
    return found


def postponed_subscriptions(redis: Redis, partitions: Sequence[int], after: int) -> set[str]:
    """Return the ids of subscriptions whose next delivery is due after a time (ms), at most
    `MAX_DUE_PER_PARTITION` of each partition.
    """
    with redis.pipeline(transaction=False) as pipe:
        for partition in partitions:
            key = due_key(outbox_space(partition))
            pipe.zrange(key, f"({after}", "+inf", byscore=True, offset=0, num=MAX_DUE_PER_PARTITION)
        return {name.decode() for names in pipe.execute() for name in names}
