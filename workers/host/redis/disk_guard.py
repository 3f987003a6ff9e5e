"""Makes the embedded Redis read-only before the disk is full.

A Redis that syncs every write exits at the first write that does not fit, and again after each
restart. So it starts read-only and becomes writable while there is room. While it is read-only, you
can read everything, and writes get a 503.

On a disk that the system has mounted read-only, it also closes its file, because it writes there by
itself, such as when a key expires. It starts again with its file once the disk can be written.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from threading import Event
from time import monotonic

from redis import Redis
from redis.connection import Connection
from redis.exceptions import ConnectionError as RedisConnectionError

from service.admin.data_folder import lacks_room
from service.runtime.errors import REDIS_ERRORS
from service.runtime.redis_urls import own_redis_url
from service.runtime.settings import Settings
from workers.host.errors import say

WRITABLE, READ_ONLY = "0", "1"
WRITE_SWITCH = "min-replicas-to-write"
"""The embedded Redis has no replica, so with this at 1 it refuses writes and allows reads."""
CHECK_INTERVAL_S, CONFIRM_S = 0.1, 5.0


def read_only_line() -> str:
    """Return the configuration line that makes Redis start read-only."""
    return f"{WRITE_SWITCH} {READ_ONLY}"


def guard_disk(settings: Settings, checked: Event, stop: Event) -> None:
    """Switch Redis between writable and read-only as the disk fills, until `stop` is set. Sets
    `checked` after the first check.
    """
    announced = WRITABLE
    with closing(WriteSwitch(own_redis_url(settings.data))) as switch:
        while not stop.wait(CHECK_INTERVAL_S):
            try:
                state = choose_state(settings.data, settings.disk_reserve_mb)
                if state != announced:
                    say(SENTENCES[state].format(settings.disk_reserve_mb, settings.data))
                    announced = state
                is_mounted = not is_mounted_read_only(settings.data)
                switch.set(state if is_mounted else READ_ONLY, has_file=is_mounted)
                checked.set()
            except (*REDIS_ERRORS, OSError):
                continue  # Redis has ended and restarts read-only; check the disk again


def choose_state(data: Path, reserve_mb: int) -> str:
    """Return the state for the free space on the disk of this folder."""
    return READ_ONLY if lacks_room(data, reserve_mb) else WRITABLE


def is_mounted_read_only(folder: Path) -> bool:
    """Return whether nothing can be written on the disk of a folder."""
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


class WriteSwitch:
    """The switch of a Redis. It asks Redis only once in CONFIRM_S, and once its connection has
    ended, because Redis restarts read-only: asking at each check would take more processor time
    than all else in its process.
    """

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, socket_timeout=5, retry=None, driver_info=None)
        self._connection: Connection | None = None
        self._state, self._confirm_at = ("", True), 0.0

    def set(self, state: str, *, has_file: bool = True) -> None:
        """Set the state of Redis, and whether it has its file open, if they differ. Raises
        RedisError.
        """
        try:
            if (state, has_file) == self._state and monotonic() < self._confirm_at:
                assert self._connection
                self._connection.can_read()  # raises ConnectionError if Redis has ended
                return
            self._confirm(state, has_file)
        except REDIS_ERRORS:
            self._state = ("", True)
            raise

    def _confirm(self, state: str, has_file: bool) -> None:
        self.close()
        self._connection = self._redis.connection_pool.get_connection()
        had_file = self._redis.info("persistence")["aof_enabled"]
        if has_file and not had_file:
            self._redis.shutdown(nosave=True)  # it is started again, and reads its file
            raise RedisConnectionError("It has ended.")
        if self._redis.config_get(WRITE_SWITCH) != {WRITE_SWITCH: state}:
            self._redis.config_set(WRITE_SWITCH, state)
        if had_file and not has_file:
            self._redis.config_set("appendonly", "no")
        self._state, self._confirm_at = (state, has_file), monotonic() + CONFIRM_S

    def close(self) -> None:
        """Close all connections."""
        if self._connection:  # the pool keeps those in use, even disconnected ones
            self._redis.connection_pool.release(self._connection)
            self._connection = None
        self._redis.connection_pool.disconnect()


SENTENCES = {
    READ_ONLY: "Less than {} MB (ANNALS_DISK_RESERVE_MB) are free in {}: writes are refused."
    " Make room there, and the service goes on by itself.",
    WRITABLE: "There is room again: writes are accepted.",
}
