"""Notifies workers of work that is due at once.

Missed notifications are harmless: workers also scan the index of due work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, cast

from domain.match.scheduled_work import PROMPT_QUEUES, QUEUE_OF, QUEUES, Work
from projections.core.scripts import Script
from projections.core.spaces import group_by_slot
from service.runtime.errors import StoreUnavailable
from service.store.event_store import DueWork, EventStore
from service.store.redis_client import is_cluster_client, store_errors

WAITING_SCRIPT = Script(files(__package__).joinpath("work_notifier.lua").read_text())


class WorkNotifier:
    """A subscription to the notifications of a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._pubsub = self._subscribe()

    def receive(self, timeout_s: float) -> list[DueWork]:
        """Return newly due work, as soon as there is any or the timeout passes."""
        try:
            if not self._pubsub.subscribed:
                self._pubsub.subscribe(self._store.work_channel)
            return list(self._drain(timeout_s))
        except Exception:
            self._pubsub.close()
            self._pubsub = self._subscribe()
            raise

    def _subscribe(self) -> Any:  # noqa: ANN401 - it has no annotations
        """Return a new subscriber. On a cluster it connects to any server that is up, since all of
        them relay messages.
        """
        redis: Any = self._store.redis
        options = {"node": redis.get_random_primary_node()} if is_cluster_client(redis) else {}
        return redis.pubsub(ignore_subscribe_messages=True, **options)

    def _drain(self, timeout_s: float) -> Iterator[DueWork]:
        while message := self._pubsub.get_message(timeout=timeout_s):
            yield from _parse_message(message["data"].decode(errors="replace"))
            timeout_s = 0


def partitions_with_work(store: EventStore, partitions: Sequence[int], until: int) -> set[int]:
    """Return the partitions that have bot turns, or other work due at a time (ms since the epoch),
    and those that cannot be read. Raises StoreUnavailable if none can be read.
    """
    latest = [until if queue in PROMPT_QUEUES else "+inf" for queue in QUEUES]
    found, away = set[int](), list[StoreUnavailable]()
    groups = group_by_slot(store.redis, partitions)
    for some in groups:
        keys = [f"{{p{partition}}}:work:{queue}" for partition in some for queue in QUEUES]
        try:
            with store_errors():
                indexes = WAITING_SCRIPT.run(store.redis, keys, *latest * len(some))
        except StoreUnavailable as error:
            away.append(error)
            found.update(some)
        else:
            found |= {some[(index - 1) // len(QUEUES)] for index in indexes}
    if len(away) == len(groups):
        raise away[0]
    return found


def _parse_message(message: str) -> Iterator[DueWork]:
    """Yield the work in a message of the append script; nothing for other messages."""
    member, *numbers = message.rsplit(":", 2)
    work, _, match = member.partition(":")
    if work in QUEUE_OF and len(numbers) == 2 and all(map(str.isdecimal, numbers)):
        version, position = map(int, numbers)
        yield DueWork(cast(Work, work), match, version, position)
