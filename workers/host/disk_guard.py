"""Closes our Redis for writing before the disk is full.

A Redis that syncs every write ends at the first one that finds no room, and at the next one again
when it is started. So it starts closed, is opened where there is room, and closed in good time: all
that was recorded can be read then, and what is to be recorded is refused with a 503.
"""

import shutil
from pathlib import Path
from threading import Event

from redis import Redis
from redis.exceptions import RedisError

from service.runtime.settings import Settings, own_redis
from workers.host.errors import say

OPEN, CLOSED = "0", "1"
SWITCH = "min-replicas-to-write"
"""Our Redis has no replica: with this at 1 it refuses to write, and lets everything be read."""
TICK_S = 0.1
MB = 1_000_000


def closed_at_first() -> str:
    """The line of its configuration that lets a Redis start closed."""
    return f"{SWITCH} {CLOSED}"


def keep_room(settings: Settings, stop: Event) -> None:
    """Open and close our Redis as there is room, until told to stop."""
    told = OPEN
    with Redis.from_url(own_redis(settings.data), socket_timeout=5, retry=None) as redis:
        while not stop.wait(TICK_S):
            try:
                state = wanted(settings.data, settings.reserve_mb)
                if state != told:
                    say(SENTENCES[state].format(settings.reserve_mb, settings.data))
                    told = state
                switch(redis, state)
            except (RedisError, OSError):
                continue  # Redis is started again, closed; the disk is looked at again


def wanted(data: Path, reserve_mb: int) -> str:
    """Whether there is room for more on the disk of this folder."""
    return OPEN if shutil.disk_usage(data).free >= reserve_mb * MB else CLOSED


def switch(redis: Redis, state: str) -> None:
    """Open or close a Redis, if it is not so already."""
    if redis.config_get(SWITCH) != {SWITCH: state}:
        redis.config_set(SWITCH, state)


SENTENCES = {
    CLOSED: "Less than {} MB are left for {}: nothing is recorded until there is room again.",
    OPEN: "There is room again: what is sent is recorded.",
}
