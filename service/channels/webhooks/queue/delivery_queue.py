"""The mail of a subscription: what is planned for it in all partitions, in the order of each match.

While somebody works for a subscription they hold its lock, so that it gets one request at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any
from zlib import crc32

import msgspec
from redis import Redis
from redis.client import Pipeline
from redis.lock import Lock

from domain.notices import Notice
from projections.core.scripts import Script
from projections.core.spaces import together
from projections.outbox.plan import (
    AT_ONCE,
    clocks_key,
    due_key,
    line_key,
    mailbox,
    read_notice,
    space_of_outbox,
    warned_key,
    write_notice,
)
from service.channels.webhooks.queue.delivery_log import MessageType
from service.channels.webhooks.subscriptions import key_of

LEASE_MS = 30_000
"""For how long a partition is left to whoever collected from it, and the lock is theirs, without
another word of them: more than a request takes.
"""
_HEADS = 20


def _script(name: str) -> Script:
    return Script(files(__package__).joinpath(f"{name}.lua").read_text())


COLLECT, SETTLE, DONE, RELEASE, WAITING = map(
    _script, ("collect", "settle", "done", "release", "waiting")
)


Place = tuple[str, str]
"""What the keys of the outbox of a partition begin with, and those of the subscription there."""


class Head(msgspec.Struct, frozen=True):
    """The first notice of the line of a match, as it stands there."""

    match: str
    text: bytes
    due: int

    @property
    def notice(self) -> Notice:
        """What it says."""
        return read_notice(self.text)


class Errand(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the owner of a subscription asks for besides: a message at once, or old ones again."""

    kind: str  # `sample`, `recover`, `replay` or `turns`
    name: str = ""  # the id of the message
    type: MessageType = "ping"
    game: str = ""  # of the example
    match: str = ""
    since: int = 0  # ms, or a version


_ERRAND = msgspec.json.Decoder(Errand)


class Mail:
    """What is planned for one subscription."""

    def __init__(self, redis: Redis, partitions: int, name: str) -> None:
        self._redis = redis
        self._partitions = partitions
        self._name = name

    def lock(self) -> Lock:
        """Who holds it works for the subscription, until they let go or are silent for long."""
        return Lock(self._redis, f"{key_of(self._name)}:lock", timeout=LEASE_MS / 1000)

    def heads(self, now: int) -> list[Head]:
        """What may be sent now: some first notices of lines, the ones due first in each partition,
        and none of them for anybody else until the lease is over.
        """
        found: list[Head] = []
        for some in self._groups():
            lines = [line_key(box, "") for _, box in some]
            told = (warned_key(box) for _, box in some)
            until = now + LEASE_MS
            flat = iter(
                COLLECT.run(self._redis, _keys(some, told), self._name, now, until, _HEADS, *lines)
            )
            found += [
                Head(match.decode(), text, int(float(due)))
                for match, text, due in zip(flat, flat, flat, strict=True)
            ]
        return sorted(found, key=lambda head: head.due)

    def done_with(self, pipe: Pipeline, head: Head) -> None:
        """A notice was sent, or is given up: what follows in its match may be sent."""
        box = self._box(head.match)
        DONE.add(pipe, [line_key(box, head.match), due_key(box)], head.text, head.match)

    def planned(self, match: str) -> list[Notice]:
        """All that is to be told of a match, in order."""
        found: Any = self._redis.zrange(line_key(self._box(match), match), 0, -1)
        return [read_notice(text) for text in found]

    def done_up_to(self, head: Head, last: Notice) -> None:
        """All notices of a match up to one were told together."""
        line = line_key(self._box(head.match), head.match)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.zremrangebyscore(line, "-inf", last.place)
            self.done_with(pipe, head)
            pipe.execute()

    def postpone(self, head: Head, at: int) -> None:
        """Try this match again at a time (ms)."""
        self._redis.zadd(due_key(self._box(head.match)), {head.match: at}, xx=True)

    def settle(self, not_before: int = AT_ONCE) -> None:
        """Let others be told again when there is something to do, at a time or later."""
        for some in self._groups():
            keys = _keys(some, (_errands(box) for _, box in some))
            SETTLE.run(self._redis, keys, self._name, not_before)

    def release(self) -> None:
        """Let everything be tried now, whatever it waited for."""
        self._in_all()

    def drop(self) -> None:
        """Forget all that is planned; what was asked for besides is done."""
        self._in_all("drop")
        self.settle()

    def forget(self) -> None:
        """Forget all of it."""
        self._redis.delete(_errands(self._places(self._home)[1]))
        self.drop()

    def plan(self, match: str, notices: Iterable[Notice]) -> None:
        """Let these be sent (again), each at its place in the line of its match."""
        space, box = self._places(self._partition_of(match))
        line = {write_notice(one): one.place for one in notices}
        if line:
            with self._redis.pipeline(transaction=True) as pipe:
                pipe.zadd(line_key(box, match), line)
                pipe.zadd(due_key(box), {match: AT_ONCE})
                pipe.zadd(due_key(space), {self._name: AT_ONCE}, lt=True)
                pipe.execute()

    def next_try(self, not_before: int) -> int | None:
        """When the first of what waits is tried (ms), at that time or later; None if none does."""
        with self._redis.pipeline(transaction=False) as pipe:
            for partition in range(self._partitions):
                pipe.zrange(due_key(self._places(partition)[1]), 0, 0, withscores=True)
            found = [int(at) for rows in pipe.execute() for _, at in rows]
        return max(min(found), not_before) if found else None

    def waiting(self) -> int:
        """Of how many matches something waits to be told."""
        with self._redis.pipeline(transaction=False) as pipe:
            for partition in range(self._partitions):
                pipe.zcard(due_key(self._places(partition)[1]))
            return sum(pipe.execute())

    def notices(self) -> int:
        """How many notices wait to be told, of all matches."""
        return sum(
            WAITING.run(
                self._redis,
                [due_key(box) for _, box in some],
                *(line_key(box, "") for _, box in some),
            )
            for some in self._groups()
        )

    def ask(self, errand: Errand) -> None:
        """Leave an errand for whoever works for the subscription next."""
        space, box = self._places(self._home)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.rpush(_errands(box), msgspec.json.encode(errand))
            pipe.zadd(clocks_key(space), {self._name: AT_ONCE})  # as if it had a warning
            pipe.execute()

    def errands(self) -> Iterator[Errand]:
        """What was asked for, in order; each is gone once the next is asked for."""
        _, box = self._places(self._home)
        found: Any
        while (found := self._redis.lindex(_errands(box), 0)) is not None:
            yield _ERRAND.decode(found)
            self._redis.lpop(_errands(box))

    @property
    def _home(self) -> int:
        return self._partition_of(self._name)

    def _partition_of(self, name: str) -> int:
        return crc32(name.encode()) % self._partitions

    def _box(self, match: str) -> str:
        return self._places(self._partition_of(match))[1]

    def _places(self, partition: int) -> Place:
        space = space_of_outbox(partition)
        return space, mailbox(space, self._name)

    def _groups(self) -> Iterator[list[Place]]:
        """All places, those together that may go into one command."""
        for some in together(self._redis, range(self._partitions)):
            yield [self._places(partition) for partition in some]

    def _in_all(self, what: str = "") -> None:
        for some in self._groups():
            lines = [line_key(box, "") for _, box in some]
            keys = _keys(some, (warned_key(box) for _, box in some))
            RELEASE.run(self._redis, keys, self._name, what, *lines)


def _keys(places: Iterable[Place], last: Iterable[str]) -> list[str]:
    """The keys that a script is given of some places, one more of each last."""
    return [
        key
        for (space, box), more in zip(places, last, strict=True)
        for key in (due_key(space), clocks_key(space), due_key(box), clocks_key(box), more)
    ]


def _errands(box: str) -> str:
    return f"{box}:errands"
