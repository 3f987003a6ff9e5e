"""The delivery log of a subscription: the state of each message, the latest first.

It keeps the last delivered messages, and the others for thirty days, up to a limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Literal

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.notice_types import NoticeName
from projections.core.scripts import Script
from service.channels.webhooks.subscriptions import key_of
from service.runtime.errors import NotFound

RECORD = Script(files(__package__).joinpath("record.lua").read_text())
MessageType = NoticeName | Literal["ping"]
DeliveryStatus = Literal["delivered", "waiting", "dead"]
MAX_KEPT_BY_STATUS: Mapping[DeliveryStatus, int] = {
    "delivered": 200,
    "waiting": 1_000,
    "dead": 1_000,
}
"""Maximum number of deliveries kept with each status."""
RETENTION_MS = 30 * 86_400_000
MAX_ANSWER_BYTES = 2_000


LogCursor = tuple[int, str]
"""The position of a delivery in a list: its time (ms) and its id."""


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message and the result of its attempts so far; times in ms since the epoch."""

    id: str
    type: MessageType
    status: DeliveryStatus
    first_at: int
    last_at: int
    attempts: int
    match: str | None = None
    notice: str | None = None  # as it is encoded in a queue
    next_attempt_at: int | None = None
    response_code: int | None = None  # status code of the last response
    response_body: str | None = None  # beginning of the last response
    error: str | None = None
    duration_ms: int | None = None


_DELIVERY = msgspec.json.Decoder(Delivery)


class DeliveryLog:
    """The deliveries of one subscription."""

    def __init__(self, redis: Redis, subscription_id: str) -> None:
        self._redis = redis
        self._deliveries_key = f"{key_of(subscription_id)}:deliveries"
        self._list_keys = {
            status: f"{self._deliveries_key}:{status}" for status in MAX_KEPT_BY_STATUS
        }

    def record(self, delivery: Delivery) -> None:
        """Store the state of a delivery."""
        with self._redis.pipeline(transaction=False) as pipe:
            self.add_record(pipe, delivery)
            pipe.execute()

    def add_record(self, pipe: Pipeline, delivery: Delivery) -> None:
        """Add to a pipeline the command that stores the state of a delivery."""
        number = 1 + list(MAX_KEPT_BY_STATUS).index(delivery.status)
        RECORD.add_to(
            pipe, [self._deliveries_key, *self._list_keys.values()],
            delivery.id, msgspec.json.encode(delivery),
            delivery.last_at, number, delivery.last_at - RETENTION_MS, *MAX_KEPT_BY_STATUS.values(),
        )  # fmt: skip

    def get_many(self, ids: Sequence[str]) -> dict[str, Delivery]:
        """Return the deliveries with these ids, by id; unknown ids are left out."""
        found: Any = self._redis.hmget(self._deliveries_key, list(ids)) if ids else []
        return {
            delivery_id: _DELIVERY.decode(text)
            for delivery_id, text in zip(ids, found, strict=True)
            if text is not None
        }

    def get(self, delivery_id: str) -> Delivery:
        """Return the delivery with this id. Raises NotFound."""
        found = self.get_many([delivery_id])
        if delivery_id not in found:
            raise NotFound("There is no such delivery, or it is no longer kept.")
        return found[delivery_id]

    def page(
        self, status: DeliveryStatus | None, before: LogCursor | None, limit: int
    ) -> list[Delivery]:
        """Return the latest deliveries, or the latest before a cursor, at most `limit`."""
        lists = self._list_keys.values() if status is None else (self._list_keys[status],)
        cursors = (cursor for key in lists for cursor in self._cursors(key, before, limit))
        latest = sorted((one for one in cursors if before is None or one < before), reverse=True)
        return list(self.get_many([delivery_id for _, delivery_id in latest[:limit]]).values())

    def clear(self) -> None:
        """Delete all deliveries."""
        self._redis.delete(self._deliveries_key, *self._list_keys.values())

    def _cursors(self, key: str, before: LogCursor | None, limit: int) -> list[LogCursor]:
        """Return the latest cursors of a list, including `before`: one more than asked for, since
        it may be `before`.
        """
        latest: Any = before[0] if before else "+inf"
        rows: Any = self._redis.zrevrangebyscore(
            key, latest, "-inf", start=0, num=limit + 1, withscores=True
        )
        return [(int(at), delivery_id.decode()) for delivery_id, at in rows]
