"""What a store says of itself: its format, its partitions, and whether it is being filled."""

from __future__ import annotations

from importlib.metadata import version
from typing import cast

from redis import Redis

from service.runtime.settings import BadSetting

FORMAT = 4
"""How keys and entries are stored; whoever changes that in a way that an older or a newer program
would misread gives it another number. The first is that of 0.2.0, which wrote none down.
"""
WRITTEN_IN = "annals:format"
"""The key with the format of a store, and the version of Annals that created it."""
PARTITIONS = "annals:partitions"
RESTORING = "annals:restoring"
"""The key that marks a store that is being filled from a backup, or was not filled to its end."""

NOTED = "annals:noted"
"""The key with the number of the last state that was noted beside the data."""


def admit(redis: Redis, partitions: int) -> None:
    """Mark a store that is new; BadSetting for one that this program cannot use."""
    found = redis.get(PARTITIONS)  # a full one can be read still
    if found is None:
        # The format comes first: a store that has partitions without it is an old one.
        redis.set(WRITTEN_IN, f"{FORMAT} {version('annals')}", nx=True)
        redis.set(PARTITIONS, partitions, nx=True)
        found = redis.get(PARTITIONS)
    _refuse_other_format(cast("bytes | None", redis.get(WRITTEN_IN)))
    if redis.exists(RESTORING):
        raise BadSetting(
            "This event store is being filled by `annals restore`, or that was interrupted:"
            " then empty it, and restore it again."
        )
    created = int(cast(bytes, found))
    if created != partitions:
        raise BadSetting(
            f"This event store was created with {created} partitions, which cannot change:"
            f" set ANNALS_PARTITIONS to {created}, not {partitions}."
        )


def _refuse_other_format(written: bytes | None) -> None:
    form, _, creator = (written or b"1 0.2.0 or older").decode(errors="replace").partition(" ")
    if form != str(FORMAT):
        raise BadSetting(
            f"This event store has format {form}, written by Annals {creator}, and this program"
            f" reads format {FORMAT} only. Run that version, or begin with an empty store: choose"
            " another folder with ANNALS_DATA, or another Redis with REDIS_URL."
        )
