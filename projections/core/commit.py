"""Atomic commits to the spaces of projections: all commands or none, exactly once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

import msgspec
from redis import Redis

from projections.core.scripts import Script
from projections.core.spaces import Command

COMMIT = Script(files(__package__).joinpath("commit.lua").read_text())
_ENCODER = msgspec.msgpack.Encoder()


class Commit(msgspec.Struct, frozen=True):
    """Commands for one partition, executed only if the keys in `expected` have these values (0:
    none).

    The first command must be one that a full store refuses, such as SET: then none is executed.
    """

    expected: Mapping[str, int]
    commands: Sequence[Command]


def commit(redis: Redis, commits: Sequence[Commit]) -> list[bool | Exception]:
    """Execute commits in one round trip and return one outcome for each.

    True if the commands ran, False if another writer committed first, an exception if Redis failed.
    """
    keys = [key for one in commits for key in one.expected]
    parts = [(list(map(str, one.expected.values())), one.commands) for one in commits]
    outcomes = COMMIT.run(redis, keys, _ENCODER.encode(parts))
    return [bool(one) if isinstance(one, int) else one for one in outcomes]
