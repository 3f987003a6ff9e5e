"""Deliveries: how each message to a subscription went, the latest first.

Of those that arrived the last ones are kept; those that did not, for thirty days, unless there are
too many of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Literal

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.notices import NoticeType
from projections.core.scripts import Script
from service.channels.webhooks.subscriptions import key_of
from service.runtime.errors import NotFound

NOTE = Script(files(__package__).joinpath("note.lua").read_text())
MessageType = NoticeType | Literal["ping"]
Outcome = Literal["delivered", "waiting", "dead"]
KEPT: Mapping[Outcome, int] = {"delivered": 200, "waiting": 1_000, "dead": 1_000}
"""How many with each outcome are kept."""
KEPT_MS = 30 * 86_400_000
ANSWER_KEPT = 2_000


Place = tuple[int, str]
"""Where a delivery stands in a list: its time and its id."""


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message and how it went so far; times in ms since the epoch."""

    id: str
    type: MessageType
    status: Outcome
    first_at: int
    last_at: int
    attempts: int
    match: str | None = None
    notice: str | None = None  # as it stands in a line
    next_try: int | None = None
    code: int | None = None  # of the last answer
    answer: str | None = None  # its beginning
    error: str | None = None
    took_ms: int | None = None


_DELIVERY = msgspec.json.Decoder(Delivery)


class Deliveries:
    """The deliveries of one subscription."""

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self._all = f"{key_of(name)}:deliveries"
        self._lists = {outcome: f"{self._all}:{outcome}" for outcome in KEPT}

    def note(self, one: Delivery) -> None:
        """Write down how a delivery went."""
        with self._redis.pipeline(transaction=False) as pipe:
            self.note_with(pipe, one)
            pipe.execute()

    def note_with(self, pipe: Pipeline, one: Delivery) -> None:
        """Write down how a delivery went, together with others."""
        number = 1 + list(KEPT).index(one.status)
        NOTE.add(
            pipe, [self._all, *self._lists.values()], one.id, msgspec.json.encode(one),
            one.last_at, number, one.last_at - KEPT_MS, *KEPT.values(),
        )  # fmt: skip

    def known(self, names: Sequence[str]) -> dict[str, Delivery]:
        """Those of these that are known."""
        found: Any = self._redis.hmget(self._all, list(names)) if names else []
        return {
            name: _DELIVERY.decode(text)
            for name, text in zip(names, found, strict=True)
            if text is not None
        }

    def get(self, name: str) -> Delivery:
        """One of them; NotFound."""
        found = self.known([name])
        if name not in found:
            raise NotFound("There is no such delivery, or it is no longer kept.")
        return found[name]

    def page(self, status: Outcome | None, before: Place | None, limit: int) -> list[Delivery]:
        """The latest ones, or the latest before a place, as many as there may be."""
        lists = self._lists.values() if status is None else (self._lists[status],)
        places = (place for key in lists for place in self._places(key, before, limit))
        latest = sorted((one for one in places if before is None or one < before), reverse=True)
        return list(self.known([name for _, name in latest[:limit]]).values())

    def forget(self) -> None:
        """Keep none of them."""
        self._redis.delete(self._all, *self._lists.values())

    def _places(self, key: str, before: Place | None, limit: int) -> list[Place]:
        """The latest up to a place, and one more than asked for: it may be the place itself."""
        latest: Any = before[0] if before else "+inf"
        rows: Any = self._redis.zrevrangebyscore(
            key, latest, "-inf", start=0, num=limit + 1, withscores=True
        )
        return [(int(at), name.decode()) for name, at in rows]
