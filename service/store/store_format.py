"""The properties of a store: its format and level, its number of partitions, and whether a restore
is running.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import cast

from redis import Redis

import domain
from service.runtime.program_version import VERSION
from service.runtime.settings import BadSetting

STORE_FORMAT = 5
"""How keys and entries are stored. Increase this with every change that another version would
misread. Version 0.2.0 had format 1 and stored no number.
"""
STORE_LEVEL = 11
"""What else a store may contain. Increase this with every addition that newer versions read besides
what older ones wrote, and older versions do not know, such as an event or a field of an entry.
Level 1 had no idle matches, and no posts from which pieces of Hansa Teutonica are lifted; level 2
no declined invitations; level 3 had no lessons; level 4 no causes in questions of The Great Wall;
level 5 no offers to play again; level 6 no time that players give; level 7 no proposals and pauses;
level 8 no tables that ask for reliability; level 9 no patience with players who stay away, no redo
of a line but the last undone one, no moves in requests for an undo, and no forced moves that play
themselves; level 10 no new players in the seats of absent ones.
"""
FORMAT_KEY = "annals:format"
"""The key of a store's format and of the version of Annals that created it."""
LEVELS_KEY = "annals:levels"
"""The key of a hash: each level at which versions have written, and the first of these versions.
The version of the highest level is the oldest that may read the store.
"""
VERSION_KEY = "annals:version"
"""The key of the program with which `annals run` last ran the service."""
PARTITIONS_KEY = "annals:partitions"
STORE_ID_KEY = "annals:store_id"
"""The key of what tells this store from others: the names of its backups have it. A restored store
keeps it.
"""
RESTORING_KEY = "annals:restoring"
"""The key that marks a store during a restore, or after an incomplete one."""

READERS = (Path(domain.__file__).parent, Path(__file__).parent)
"""The folders of the code that reads what is stored."""
HIGH_WATER_MARK_KEY = "annals:high_water_mark"
"""The key with the number of the last high-water mark written beside the data."""


def prepare_store(redis: Redis, partitions: int) -> None:
    """Mark a store that this program may write to. Raises BadSetting if it cannot use the store."""
    if redis.get(PARTITIONS_KEY) is None:  # reads work even if the store is full
        # The format comes first: a store that has partitions but no format is an old one.
        redis.set(FORMAT_KEY, f"{STORE_FORMAT} {VERSION}", nx=True)
        redis.set(PARTITIONS_KEY, partitions, nx=True)
    refuse_unreadable(redis, partitions)
    if not redis.hexists(LEVELS_KEY, str(STORE_LEVEL)):
        redis.hset(LEVELS_KEY, str(STORE_LEVEL), VERSION)


def refuse_unreadable(redis: Redis, partitions: int) -> None:
    """Raise BadSetting for a store that this program cannot use. Writes nothing, so that the
    program that wrote it can go on.
    """
    found = cast("bytes | None", redis.get(PARTITIONS_KEY))
    if found is None:
        raise BadSetting("This event store is empty.")
    _refuse_other_format(cast("bytes | None", redis.get(FORMAT_KEY)))
    _refuse_newer_level(redis)
    if redis.exists(RESTORING_KEY):
        raise BadSetting(
            "`annals restore` is filling this event store, or was interrupted. If it was"
            " interrupted, empty the store and restore it again."
        )
    created = int(found)
    if created != partitions:
        raise BadSetting(
            f"This event store has {created} partitions, which cannot change: set"
            f" ANNALS_PARTITIONS to {created}, not {partitions}."
        )


def store_id(redis: Redis) -> str:
    """Return the id of a store, in hexadecimal digits; the first call creates it."""
    redis.set(STORE_ID_KEY, token_hex(4), nx=True)
    return cast("bytes", redis.get(STORE_ID_KEY)).decode()


def read_level(redis: Redis) -> tuple[int, str]:
    """Return the level of a store, and the oldest version that may use it."""
    found = cast("dict[bytes, bytes]", redis.hgetall(LEVELS_KEY))
    return max(((int(level), oldest.decode()) for level, oldest in found.items()), default=(0, ""))


def describe_newer(oldest: str) -> str:
    """Return which programs know a level that this one does not, and that `oldest` was the first to
    write: between two releases all commits have the same version.
    """
    if oldest == VERSION:
        return f"a later commit of Annals {oldest}, such as the one that wrote it"
    return f"Annals {oldest} or newer"


def program_id() -> str:
    """Return the version, and a digest of the code that reads what is stored: between two releases
    all commits have the same version.
    """
    digest = sha256()
    for file in sorted(one for folder in READERS for one in folder.rglob("*.py")):
        digest.update(file.read_bytes())
    return f"{VERSION}+{digest.hexdigest()[:12]}"


def record_program(redis: Redis) -> None:
    """Record that this program runs the service on this store."""
    redis.set(VERSION_KEY, program_id())


def ran_before(redis: Redis) -> bool:
    """Return whether this program was the last one to run the service on this store."""
    return last_program(redis) == program_id()


def last_program(redis: Redis) -> str:
    """Return the program that was the last one to run the service on this store; empty if none."""
    return cast("bytes", redis.get(VERSION_KEY) or b"").decode()


def _refuse_newer_level(redis: Redis) -> None:
    level, oldest = read_level(redis)
    if level > STORE_LEVEL:
        raise BadSetting(
            f"This event store has level {level}, and this program reads levels up to"
            f" {STORE_LEVEL}: use {describe_newer(oldest)}. This one is Annals {VERSION}."
        )


def _refuse_other_format(written: bytes | None) -> None:
    form, _, creator = (written or b"1 0.2.0 or older").decode(errors="replace").partition(" ")
    if form != str(STORE_FORMAT):
        raise BadSetting(
            f"This event store has format {form}, written by Annals {creator}, and this program"
            f" reads format {STORE_FORMAT} only. Run that version, or start with an empty store:"
            " set ANNALS_DATA to another folder, or REDIS_URL to another Redis."
        )
