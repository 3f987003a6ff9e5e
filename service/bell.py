"""The bell: tells at once of work that falls due at once.

Whoever is not there to hear it finds the work in the index, where all of it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any, cast

from domain.match.due import PROMPT_QUEUES, QUEUE_OF, QUEUES, Work
from projections.scripts import Script
from projections.spaces import together
from service.store import Due, Store, answering

WAITING = Script(files("service").joinpath("waiting.lua").read_text())


class Bell:
    """The bell of a store, for one who listens."""

    def __init__(self, store: Store) -> None:
        self._channel = store.bell
        self._pubsub: Any = store.redis.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]  # it has no annotations

    def heard(self, timeout_s: float) -> list[Due]:
        """The work that has fallen due meanwhile, once there is any or the time is over."""
        if not self._pubsub.subscribed:
            self._pubsub.subscribe(self._channel)
        return list(self._told(timeout_s))

    def _told(self, timeout_s: float) -> Iterator[Due]:
        while message := self._pubsub.get_message(timeout=timeout_s):
            yield from _work(message["data"].decode(errors="replace"))
            timeout_s = 0


def waiting(store: Store, until: int) -> set[int]:
    """The partitions that have bot turns, or other work that is due at a time (ms since the epoch),
    and those that cannot be looked at.
    """
    latest = [until if queue in PROMPT_QUEUES else "+inf" for queue in QUEUES]
    found = set[int]()
    for some in together(store.redis, range(store.partitions)):
        keys = [f"{{p{partition}}}:work:{queue}" for partition in some for queue in QUEUES]
        with answering():
            places = WAITING.run(store.redis, keys, *latest * len(some))
        found |= {some[(place - 1) // len(QUEUES)] for place in places}
    return found


def _work(told: str) -> Iterator[Due]:
    """The work that the script told of; none if something else did."""
    member, *numbers = told.rsplit(":", 2)
    work, _, match = member.partition(":")
    if work in QUEUE_OF and len(numbers) == 2 and all(map(str.isdecimal, numbers)):
        version, position = map(int, numbers)
        yield Due(cast(Work, work), match, version, position)
