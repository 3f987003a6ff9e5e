"""The delivery queue of a subscription, in all partitions; the notices of each match stay in order.

A sender holds the lock of a subscription, so the receiver gets one request at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any, Literal
from zlib import crc32

import msgspec
import structlog
from redis import Redis
from redis.client import Pipeline
from redis.lock import Lock

from domain.notices import Notice
from projections.core.scripts import Script
from projections.core.spaces import group_by_slot
from projections.outbox.plan import (
    DUE_NOW,
    due_key,
    match_queue_key,
    outbox_space,
    queue_prefix,
    read_notice,
    warnings_key,
    warnings_sent_key,
    write_notice,
)
from service.channels.webhooks.queue.delivery_log import MessageType
from service.channels.webhooks.subscriptions import key_of

LEASE_MS = 30_000
"""How long a claim and the lock last without renewal: longer than a request may take."""
MAX_CLAIMED_PER_PARTITION = 20
log = structlog.get_logger()


def _load_script(name: str) -> Script:
    return Script(files(__package__).joinpath(f"{name}.lua").read_text())


CLAIM_DUE, RESCHEDULE, COMPLETE, RETRY_OR_DROP, COUNT_PENDING = map(
    _load_script, ("claim_due", "reschedule", "complete", "retry_or_drop", "count_pending")
)


_KeyPrefixes = tuple[str, str]
"""The key prefixes of the outbox in a partition, and of the subscription's queue there."""


class PendingNotice(msgspec.Struct, frozen=True):
    """The first notice in the queue of a match; `text` is its encoding there."""

    match: str
    text: bytes
    due_at: int

    @property
    def notice(self) -> Notice:
        """The decoded notice."""
        return read_notice(self.text)


class ResendRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request by the owner: send a test message, or send old notices again."""

    kind: Literal["test", "recover", "replay", "turns"]
    message_id: str = ""  # of a test
    type: MessageType = "ping"
    game: str = ""  # of a test
    match: str = ""
    since: int = 0  # a time in ms for `recover`, a version for `replay`


_RESEND_REQUEST = msgspec.json.Decoder(ResendRequest)


class DeliveryQueue:
    """The queue of one subscription."""

    def __init__(self, redis: Redis, partitions: int, subscription_id: str) -> None:
        self._redis = redis
        self._partitions = partitions
        self._subscription_id = subscription_id

    def lock(self) -> Lock:
        """Return the lock that a sender must hold; it expires after LEASE_MS without renewal."""
        return Lock(self._redis, f"{key_of(self._subscription_id)}:lock", timeout=LEASE_MS / 1000)

    def claim_due(self, now: int) -> list[PendingNotice]:
        """Claim the first notices of some matches, in each partition those that are due first.

        Until the lease ends, no other worker sees this subscription as due.
        """
        found: list[PendingNotice] = []
        for some in self._prefix_groups():
            queues = [match_queue_key(prefix, "") for _, prefix in some]
            sent = (warnings_sent_key(prefix) for _, prefix in some)
            until = now + LEASE_MS
            rows = iter(
                CLAIM_DUE.run(
                    self._redis,
                    _keys(some, sent),
                    self._subscription_id,
                    now,
                    until,
                    MAX_CLAIMED_PER_PARTITION,
                    *queues,
                )
            )
            found += [
                PendingNotice(match.decode(), text, int(float(due)))
                for match, text, due in zip(rows, rows, rows, strict=True)
            ]
        return sorted(filter(self._is_readable, found), key=lambda one: one.due_at)

    def _is_readable(self, pending: PendingNotice) -> bool:
        """Whether a notice can be decoded; a corrupt one is removed: it would delay all others."""
        try:
            _ = pending.notice
        except msgspec.MsgspecError:
            log.exception(
                "webhook_notice_corrupt", webhook=self._subscription_id, match=pending.match
            )
            with self._redis.pipeline(transaction=True) as pipe:
                self.complete_with(pipe, pending)
                pipe.execute()
            return False
        return True

    def complete_with(self, pipe: Pipeline, pending: PendingNotice) -> None:
        """Add to a pipeline the removal of a notice that was sent or given up; the next one becomes
        due.
        """
        prefix = self._prefix(pending.match)
        COMPLETE.add_to(
            pipe,
            [match_queue_key(prefix, pending.match), due_key(prefix)],
            pending.text,
            pending.match,
        )

    def notices_of(self, match: str) -> list[Notice]:
        """Return the pending notices of a match, in order."""
        found: Any = self._redis.zrange(match_queue_key(self._prefix(match), match), 0, -1)
        return [read_notice(text) for text in found]

    def complete_up_to(self, pending: PendingNotice, last: Notice) -> None:
        """Remove all notices of a match up to one, because one message covered them all."""
        queue = match_queue_key(self._prefix(pending.match), pending.match)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.zremrangebyscore(queue, "-inf", last.position)
            self.complete_with(pipe, pending)
            pipe.execute()

    def postpone(self, pending: PendingNotice, at: int) -> None:
        """Set the next attempt for a match (ms since the epoch)."""
        self._redis.zadd(due_key(self._prefix(pending.match)), {pending.match: at}, xx=True)

    def reschedule(self, not_before: int = DUE_NOW) -> None:
        """End the claim: set when dispatchers see the next work of this subscription."""
        for some in self._prefix_groups():
            keys = _keys(some, (_resend_requests_key(prefix) for _, prefix in some))
            RESCHEDULE.run(self._redis, keys, self._subscription_id, not_before)

    def retry_all(self) -> int | None:
        """Make all pending notices due now. Returns the time of their oldest entry (ms), or None if
        nothing is pending.
        """
        return self._retry_or_drop("retry")

    def drop_all(self) -> int | None:
        """Delete all pending notices and scheduled warnings; resend requests remain.

        Returns the time of the oldest entry (ms) whose notice was deleted, or None.
        """
        oldest = self._retry_or_drop("drop")
        self.reschedule()
        return oldest

    def delete(self) -> None:
        """Delete the queue with its resend requests."""
        self._redis.delete(_resend_requests_key(self._prefixes(self._home_partition)[1]))
        self.drop_all()

    def enqueue(self, match: str, notices: Iterable[Notice]) -> None:
        """Add notices to the queue of a match, each at its place; a notice that is there stays
        once.
        """
        space, prefix = self._prefixes(self._partition_of(match))
        items = {write_notice(one): one.position for one in notices}
        if items:
            with self._redis.pipeline(transaction=True) as pipe:
                pipe.zadd(match_queue_key(prefix, match), items)
                pipe.zadd(due_key(prefix), {match: DUE_NOW})
                pipe.zadd(due_key(space), {self._subscription_id: DUE_NOW}, lt=True)
                pipe.execute()

    def next_attempt_at(self, not_before: int) -> int | None:
        """Return the time of the next attempt, not before a given time (both ms), or None if
        nothing is pending.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            for partition in range(self._partitions):
                pipe.zrange(due_key(self._prefixes(partition)[1]), 0, 0, withscores=True)
            found = [int(at) for rows in pipe.execute() for _, at in rows]
        return max(min(found), not_before) if found else None

    def pending_matches(self) -> int:
        """Return the number of matches with pending notices."""
        with self._redis.pipeline(transaction=False) as pipe:
            for partition in range(self._partitions):
                pipe.zcard(due_key(self._prefixes(partition)[1]))
            return sum(pipe.execute())

    def pending_notices(self) -> int:
        """Return the number of pending notices in all matches."""
        return sum(
            COUNT_PENDING.run(
                self._redis,
                [due_key(prefix) for _, prefix in some],
                *(match_queue_key(prefix, "") for _, prefix in some),
            )
            for some in self._prefix_groups()
        )

    def request_resend(self, request: ResendRequest) -> None:
        """Leave a request for the next worker that sends for this subscription."""
        space, prefix = self._prefixes(self._home_partition)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.rpush(_resend_requests_key(prefix), msgspec.json.encode(request))
            pipe.zadd(
                warnings_key(space), {self._subscription_id: DUE_NOW}
            )  # a due warning wakes the dispatcher
            pipe.execute()

    def resend_requests(self) -> Iterator[ResendRequest]:
        """Yield the requests in order; each is deleted when the next one is read."""
        _, prefix = self._prefixes(self._home_partition)
        found: Any
        while (found := self._redis.lindex(_resend_requests_key(prefix), 0)) is not None:
            yield _RESEND_REQUEST.decode(found)
            self._redis.lpop(_resend_requests_key(prefix))

    @property
    def _home_partition(self) -> int:
        return self._partition_of(self._subscription_id)

    def _partition_of(self, name: str) -> int:
        return crc32(name.encode()) % self._partitions

    def _prefix(self, match: str) -> str:
        return self._prefixes(self._partition_of(match))[1]

    def _prefixes(self, partition: int) -> _KeyPrefixes:
        space = outbox_space(partition)
        return space, queue_prefix(space, self._subscription_id)

    def _prefix_groups(self) -> Iterator[list[_KeyPrefixes]]:
        """Yield the prefixes of all partitions, grouped by what one command can touch."""
        for some in group_by_slot(self._redis, range(self._partitions)):
            yield [self._prefixes(partition) for partition in some]

    def _retry_or_drop(self, action: Literal["retry", "drop"]) -> int | None:
        found: list[int | None] = []
        for some in self._prefix_groups():
            queues = [match_queue_key(prefix, "") for _, prefix in some]
            keys = _keys(some, (warnings_sent_key(prefix) for _, prefix in some))
            found.append(
                RETRY_OR_DROP.run(self._redis, keys, self._subscription_id, action, *queues)
            )
        return min((at for at in found if at is not None), default=None)


def _keys(prefixes: Iterable[_KeyPrefixes], last: Iterable[str]) -> list[str]:
    """Return the keys that a script expects, five for each partition; `last` has the fifth ones."""
    return [
        key
        for (space, prefix), more in zip(prefixes, last, strict=True)
        for key in (
            due_key(space),
            warnings_key(space),
            due_key(prefix),
            warnings_key(prefix),
            more,
        )
    ]


def _resend_requests_key(prefix: str) -> str:
    return f"{prefix}:resend-requests"
