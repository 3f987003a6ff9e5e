"""The bell: tells at once of work that falls due at once.

Whoever is not there to hear it finds the work in the index, where all of it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, cast

from domain.match.scheduled_work import PROMPT_QUEUES, QUEUE_OF, QUEUES, Work
from projections.core.scripts import Script
from projections.core.spaces import together
from service.runtime.errors import StoreUnavailable
from service.store.event_store import Due, Store
from service.store.redis_client import answering, is_of_cluster

WAITING = Script(files(__package__).joinpath("work_notifier.lua").read_text())


class Bell:
    """The bell of a store, for one who listens."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pubsub = self._listener()

    def heard(self, timeout_s: float) -> list[Due]:
        """The work that has fallen due meanwhile, once there is any or the time is over."""
        try:
            if not self._pubsub.subscribed:
                self._pubsub.subscribe(self._store.bell)
            return list(self._told(timeout_s))
        except Exception:
            self._pubsub.close()
            self._pubsub = self._listener()
            raise

    def _listener(self) -> Any:  # noqa: ANN401 - it has no annotations
        """Who listens; of a cluster, at any of its servers: all are told, and one may be away."""
        redis: Any = self._store.redis
        place = {"node": redis.get_random_primary_node()} if is_of_cluster(redis) else {}
        return redis.pubsub(ignore_subscribe_messages=True, **place)

    def _told(self, timeout_s: float) -> Iterator[Due]:
        while message := self._pubsub.get_message(timeout=timeout_s):
            yield from _work(message["data"].decode(errors="replace"))
            timeout_s = 0


def waiting(store: Store, partitions: Sequence[int], until: int) -> set[int]:
    """Those of some partitions that have bot turns, or other work that is due at a time (ms since
    the epoch), and those that cannot be looked at. StoreUnavailable if none can be.
    """
    latest = [until if queue in PROMPT_QUEUES else "+inf" for queue in QUEUES]
    found, away = set[int](), list[StoreUnavailable]()
    groups = together(store.redis, partitions)
    for some in groups:
        keys = [f"{{p{partition}}}:work:{queue}" for partition in some for queue in QUEUES]
        try:
            with answering():
                places = WAITING.run(store.redis, keys, *latest * len(some))
        except StoreUnavailable as error:
            away.append(error)
            found.update(some)
        else:
            found |= {some[(place - 1) // len(QUEUES)] for place in places}
    if len(away) == len(groups):
        raise away[0]
    return found


def _work(told: str) -> Iterator[Due]:
    """The work that the script told of; none if something else did."""
    member, *numbers = told.rsplit(":", 2)
    work, _, match = member.partition(":")
    if work in QUEUE_OF and len(numbers) == 2 and all(map(str.isdecimal, numbers)):
        version, position = map(int, numbers)
        yield Due(cast(Work, work), match, version, position)
