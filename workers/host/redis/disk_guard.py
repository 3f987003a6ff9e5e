"""Makes the embedded Redis read-only before the disk is full.

A Redis that syncs every write exits at the first write that does not fit, and again after each
restart. So it starts read-only and becomes writable while there is room. While it is read-only, you
can read everything, and writes get a 503.
"""

import shutil
from pathlib import Path
from threading import Event

from redis import Redis
from redis.exceptions import RedisError

from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import Settings
from workers.host.errors import say

WRITABLE, READ_ONLY = "0", "1"
WRITE_SWITCH = "min-replicas-to-write"
"""The embedded Redis has no replica, so with this at 1 it refuses writes and allows reads."""
CHECK_INTERVAL_S = 0.1
MB = 1_000_000


def read_only_line() -> str:
    """Return the configuration line that makes Redis start read-only."""
    return f"{WRITE_SWITCH} {READ_ONLY}"


def guard_disk(settings: Settings, checked: Event, stop: Event) -> None:
    """Switch Redis between writable and read-only as the disk fills, until `stop` is set. Sets
    `checked` after the first check.
    """
    announced = WRITABLE
    with Redis.from_url(own_redis_url(settings.data), socket_timeout=5, retry=None) as redis:
        while not stop.wait(CHECK_INTERVAL_S):
            try:
                state = choose_state(settings.data, settings.disk_reserve_mb)
                if state != announced:
                    say(SENTENCES[state].format(settings.disk_reserve_mb, settings.data))
                    announced = state
                set_state(redis, state)
                checked.set()
            except (RedisError, OSError):
                continue  # Redis has ended and restarts read-only; check the disk again


def choose_state(data: Path, reserve_mb: int) -> str:
    """Return the state for the free space on the disk of this folder."""
    return WRITABLE if shutil.disk_usage(data).free >= reserve_mb * MB else READ_ONLY


def set_state(redis: Redis, state: str) -> None:
    """Set the state of a Redis, if it differs."""
    if redis.config_get(WRITE_SWITCH) != {WRITE_SWITCH: state}:
        redis.config_set(WRITE_SWITCH, state)


SENTENCES = {
    READ_ONLY: "Less than {} MB are free in {}: writes are refused until there is room again.",
    WRITABLE: "There is room again: writes are accepted.",
}
