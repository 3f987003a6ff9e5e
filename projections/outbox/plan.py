"""The outbox: deliveries planned in the projector's transaction.

Each partition holds a copy of the filters of all subscriptions, and a counter of their changes. If
the counter has changed since the filters were read, the projector's commit fails and is repeated
with the new filters. So each notice is planned exactly once, by the filters in force at that time.
The outbox is not rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from threading import Event
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from redis import Redis

from domain.notice_types import NOTICE_TYPES, NoticeName
from domain.notices import (
    TIME_SHARE_DIVISORS,
    DeadlineWarning,
    Notice,
    notices,
)
from projections.core.events import mover_of, read_known_events
from projections.core.scripts import Script
from projections.core.spaces import (
    Apply,
    Change,
    Command,
    Projection,
    group_by_slot,
    position_key,
    slot_tag,
)
from projections.core.summary import Summary
from projections.outbox.scheduled_warnings import deciding, obsolete_warnings, warnings_of

SUBSCRIBE = Script(files(__package__).joinpath("subscribe.lua").read_text())
DUE_NOW = 0
"""The due time of work that need not wait. A subscription with new notices has the position of
their entry in the feed instead, which is as long ago: so its next work differs from what was sent
before.
"""


class SubscriptionFilter(msgspec.Struct, frozen=True, omit_defaults=True, weakref=True):
    """Which notices a subscription asks for: their types, of one match, of one game, of its owner's
    matches or of all matches that the owner may see.

    With `my_turn` it asks only for notices that wait for its owner, and the types in `always`.
    With `shared`, a player has shared the match: notices are delivered even if it is private.
    """

    player: str
    types: frozenset[NoticeName]
    match: str | None = None
    game: str | None = None
    all_matches: bool = False
    my_turn: bool = False
    shared: bool = False
    always: frozenset[NoticeName] = frozenset()


_FILTER = msgspec.json.Decoder(SubscriptionFilter)
_NOTICE = msgspec.json.Decoder(Notice)
_ENCODER = msgspec.json.Encoder()
_FILTER_ENCODER = msgspec.json.Encoder(order="deterministic")
"""Equal filters have equal texts in all processes: sets come in order."""
_FILTERS: WeakValueDictionary[bytes, SubscriptionFilter] = WeakValueDictionary()
"""The filters in use, by their texts: all partitions of a process share one of each."""


def outbox_space(partition: int) -> str:
    """Return the prefix of all outbox keys of a partition."""
    return f"{slot_tag(partition)}:outbox"


def filters_key(partition: int) -> str:
    """Return the hash of all filters by id; the suffix `:changes` counts its changes."""
    return f"{outbox_space(partition)}:filters"


def due_key(space: str) -> str:
    """Return the sorted set of ids with pending deliveries, by the next attempt: a time (ms), or a
    number so small that it was long ago.
    """
    return f"{space}:due"


def warnings_key(space: str) -> str:
    """Return the sorted set of ids with scheduled warnings, by the time of the first one (ms)."""
    return f"{space}:warnings"


def queue_prefix(space: str, subscription_id: str) -> str:
    """Return the prefix of the keys of a subscription's delivery queue in a partition."""
    return f"{space}:queue:{subscription_id}"


def warnings_sent_key(prefix: str) -> str:
    """Return the set of warnings that may be sent only once in a match and have been sent."""
    return f"{prefix}:sent-warnings"


def match_queue_key(prefix: str, match: str) -> str:
    """Return the sorted set of pending notices of one match, in order."""
    return f"{prefix}:match:{match}"


def write_notice(notice: Notice) -> str:
    """Encode a notice for a queue; equal notices have equal texts, also those that another version
    wrote: so the members keep the order that they had in the first recorded one.
    """
    members = {name: getattr(notice, name) for name in ("version", "at", "number", "type", "seat")}
    return _ENCODER.encode(members).decode()


def read_notice(text: bytes) -> Notice:
    """Decode a notice from a queue."""
    return _NOTICE.decode(text)


def put_filter(
    redis: Redis, partitions: int, subscription_id: str, criteria: SubscriptionFilter | None
) -> None:
    """Store the filter of a subscription in all partitions; None deletes it."""
    put_filter_in(redis, range(partitions), subscription_id, criteria)


def put_filter_in(
    redis: Redis,
    partitions: Sequence[int],
    subscription_id: str,
    criteria: SubscriptionFilter | None,
) -> None:
    """Store the filter of a subscription in some partitions; None deletes it."""
    text = b"" if criteria is None else _FILTER_ENCODER.encode(criteria)
    for some in group_by_slot(redis, partitions):
        keys = [key for n in some for key in (filters_key(n), f"{filters_key(n)}:changes")]
        SUBSCRIBE.run(redis, keys, subscription_id, text)


def read_filter(redis: Redis, partition: int, subscription_id: str) -> SubscriptionFilter | None:
    """Return the filter of a subscription in a partition, or None. Raises MsgspecError if it is
    corrupt.
    """
    found: Any = redis.hget(filters_key(partition), subscription_id)
    return None if found is None else _decode_filter(found)


def skip_to(redis: Redis, partition: int, position: int) -> None:
    """Plan nothing for entries up to a position in a feed."""
    redis.set(position_key(outbox_space(partition)), position)


def _decode_filter(text: bytes) -> SubscriptionFilter:
    """Return a filter, the same one for the same text."""
    known = _FILTERS.get(text)
    return known if known is not None else _FILTERS.setdefault(text, _FILTER.decode(text))


class SubscriptionFilters:
    """All subscription filters at one moment, indexed by match and by player."""

    def __init__(self, filters: Mapping[str, SubscriptionFilter]) -> None:
        self._by_match: dict[str, list[tuple[str, SubscriptionFilter]]] = {}
        self._by_player: dict[str, list[tuple[str, SubscriptionFilter]]] = {}
        self._everywhere: list[tuple[str, SubscriptionFilter]] = []
        for subscription_id, criteria in filters.items():
            self._list_for(criteria).append((subscription_id, criteria))
        self.has_any = bool(filters)

    def _list_for(self, criteria: SubscriptionFilter) -> list[tuple[str, SubscriptionFilter]]:
        if criteria.match is not None:
            return self._by_match.setdefault(criteria.match, [])
        if criteria.all_matches:
            return self._everywhere
        return self._by_player.setdefault(criteria.player, [])

    def matching(self, match: Summary) -> list[tuple[str, SubscriptionFilter]]:
        """Return the ids and filters that ask for this match and whose owners may see it."""
        found = [*self._everywhere, *self._by_match.get(match.id, ())]
        for player in match.involved:
            found += self._by_player.get(player, ())
        return [
            (subscription_id, criteria)
            for subscription_id, criteria in found
            if _may_receive(criteria, match)
        ]


class Outbox:
    """Plans deliveries by the filters stored in each partition, for subscriptions with a sender."""

    def __init__(
        self,
        redis: Redis,
        planned: Event | None = None,
        is_served: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._redis, self._is_served = redis, is_served
        self._planned = planned or Event()
        self._has_planned = False

    def prepare(self, partition: int) -> tuple[Mapping[str, int], Projection]:
        """Return the key and value of the filter counter, and a projection that plans by the
        filters.

        It reads the counter first: if a filter changes in between, the commit fails.
        """
        key = f"{filters_key(partition)}:changes"
        changes: Any = self._redis.get(key)
        found: Any = self._redis.hgetall(filters_key(partition)) if changes else {}
        texts = {name.decode(): text for name, text in found.items()}
        filters = SubscriptionFilters(
            {name: _decode_filter(texts[name]) for name in texts if self._is_served(name)}
        )
        return {key: int(changes or 0)}, Projection("outbox", 1, self._plan_by(filters))

    def notify_planned(self) -> None:
        """Wake the dispatcher if the last commit planned deliveries."""
        if self._has_planned:
            self._has_planned = False
            self._planned.set()

    def _plan_by(self, filters: SubscriptionFilters) -> Apply:
        def plan_some(space: str, changes: Sequence[Change]) -> Iterable[Command]:
            if not filters.has_any:
                return ()
            commands = [command for one in changes for command in plan(space, one, filters)]
            self._has_planned = self._has_planned or bool(commands)
            return commands

        return plan_some


def plan(space: str, change: Change, filters: SubscriptionFilters) -> Iterator[Command]:
    """Yield the commands that put the notices and warnings of a change into the delivery queues."""
    before = change.before or change.after
    if before.involved != change.after.involved:  # who has left it hears nothing more of it
        for subscription_id, _ in filters.matching(before):
            yield from _cancel_warnings(space, subscription_id, change, obsolete_warnings(change))
    if found := filters.matching(change.after):
        new_notices, cancelled = _notices_of(change), obsolete_warnings(change)
        scheduled = warnings_of(change.after)
        for subscription_id, criteria in found:
            yield from _enqueue(space, subscription_id, change, new_notices, criteria)
            yield from _cancel_warnings(space, subscription_id, change, cancelled)
            yield from _schedule_warnings(space, subscription_id, change, scheduled, criteria)


def notices_for(change: Change, criteria: SubscriptionFilter) -> list[Notice]:
    """Return the notices of a change that a subscription with this filter receives."""
    if not _may_receive(criteria, change.after):
        return []
    return [notice for notice in _notices_of(change) if is_wanted(notice, criteria, change.after)]


def is_wanted(notice: Notice, criteria: SubscriptionFilter, match: Summary) -> bool:
    """Return whether the filter asks for this notice, given that it asks for its match."""
    if notice.type not in criteria.types:
        return False
    is_free = not criteria.my_turn or notice.type in criteria.always
    return is_free or _is_waiting_for(criteria.player, match, notice)


def _enqueue(
    space: str,
    subscription_id: str,
    change: Change,
    new_notices: Sequence[Notice],
    criteria: SubscriptionFilter,
) -> Iterator[Command]:
    match = change.after
    items = [
        word for one in new_notices if is_wanted(one, criteria, match) for word in _queue_item(one)
    ]
    if items:
        prefix = queue_prefix(space, subscription_id)
        yield "ZADD", match_queue_key(prefix, match.id), *items
        yield "ZADD", due_key(prefix), "NX", DUE_NOW, match.id
        yield "ZADD", due_key(space), "NX", change.position, subscription_id


def _cancel_warnings(
    space: str, subscription_id: str, change: Change, cancelled: Sequence[DeadlineWarning]
) -> Iterator[Command]:
    prefix, match = queue_prefix(space, subscription_id), change.after
    for one in cancelled:
        yield "ZREM", warnings_key(prefix), _warning_item(match, one.notice)
    if match.clock and change.before and change.before.status == "active" != match.status:
        yield (
            "SREM",
            warnings_sent_key(prefix),
            *(
                f"{match.id} {seat}{share}"
                for seat in range(len(match.seats))
                for share in TIME_SHARE_DIVISORS
            ),
        )


def _schedule_warnings(
    space: str,
    subscription_id: str,
    change: Change,
    scheduled: Sequence[DeadlineWarning],
    criteria: SubscriptionFilter,
) -> Iterator[Command]:
    for one in scheduled:
        if is_wanted(one.notice, criteria, change.after):
            key = warnings_key(queue_prefix(space, subscription_id))
            yield "ZADD", key, one.at, _warning_item(change.after, one.notice)
            yield "ZADD", warnings_key(space), "LT", one.at, subscription_id


def queue_items(change: Change) -> dict[bytes, int]:
    """Return all items that a change may put into the queues of its match, with their scores."""
    warned = [one.notice for one in warnings_of(change.after)]
    items = map(_queue_item, (*_notices_of(change), *warned))
    return {text.encode(): position for position, text in items}


def warning_items(match: Summary) -> dict[bytes, int]:
    """Return all warnings that may be scheduled for a match, with their times (ms)."""
    return {_warning_item(match, one.notice).encode(): one.at for one in warnings_of(match)}


def _queue_item(notice: Notice) -> tuple[int, str]:
    return notice.position, write_notice(notice)


def _warning_item(match: Summary, notice: Notice) -> str:
    """Return a scheduled warning: its match, its place, the mark by which it is sent once, and the
    notice.

    A bank of time may grow again, so with a bank each seat gets each warning once per match; `-`
    means that the warning may be sent again.
    """
    is_once = notice.share and match.clock and match.clock.bank_s
    once = f"{notice.seat}{notice.share}" if is_once else "-"
    return f"{match.id} {notice.position} {once} {write_notice(notice)}"


def _notices_of(change: Change) -> list[Notice]:
    before, after, entry = change.before, change.after, change.entry
    events, mover = read_known_events(entry.events), mover_of(entry)
    return list(notices(entry.version, entry.at, events, mover, deciding(before), deciding(after)))


def _may_receive(criteria: SubscriptionFilter, match: Summary) -> bool:
    """Return whether the filter covers this match, and its owner may see it."""
    if criteria.game not in (None, match.game) or criteria.match not in (None, match.id):
        return False
    is_for_any_player = criteria.all_matches or criteria.match is not None
    is_open = match.visibility == "public" or criteria.shared
    return criteria.player in match.involved or (is_for_any_player and is_open)


def _is_waiting_for(player: str, match: Summary, notice: Notice) -> bool:
    """Return whether the match waits for this player; for a notice about a seat that has to decide,
    whether the seat is theirs.
    """
    if NOTICE_TYPES[notice.type].seat == "decider":
        assert notice.seat is not None
        return match.seats[notice.seat].player == player
    asked = [one.asked for one in (match.undo_request, match.proposal) if one]
    waits = match.pause is None and player in {match.seats[seat].player for seat in deciding(match)}
    return waits or any(player in players for players in asked)
