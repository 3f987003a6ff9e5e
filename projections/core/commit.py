"""Writes into the spaces of projections: all of a partition's or none, and each only once."""

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
    """Commands for one partition, to be carried out if keys have these values still, 0 for none.

    The first one has to be one that a full store refuses, such as SET; then it takes none of them.
    """

    known: Mapping[str, int]
    commands: Sequence[Command]


def commit(redis: Redis, commits: Sequence[Commit]) -> list[bool | Exception]:
    """Whether each was carried out, in one round trip; False if somebody else was faster; an error
    if Redis says so.
    """
    keys = [key for one in commits for key in one.known]
    parts = [(list(map(str, one.known.values())), one.commands) for one in commits]
    outcomes = COMMIT.run(redis, keys, _ENCODER.encode(parts))
    return [bool(one) if isinstance(one, int) else one for one in outcomes]
