"""The event store: a Redis stream for each match, and a feed for each partition of matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha1
from importlib.resources import files
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from zlib import crc32

from msgspec import Struct
from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.cluster import RedisCluster
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import (
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
)
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry

from domain.match.due import QUEUE_OF, Work
from domain.match.log import Entry
from service.errors import StoreUnavailable
from service.settings import BadSetting

APPEND = files("service").joinpath("append.lua").read_text()
APPEND_SHA = sha1(APPEND.encode(), usedforsecurity=False).hexdigest()
DAY_S = 86_400
ANSWER_S = 5
_PAGE = 1_000
_UNREACHABLE = (Unconnected, TimedOut, RedisClusterException)
_REFUSING = ("OOM", "MISCONF", "CLUSTERDOWN", "MASTERDOWN", "NOREPLICAS")

Fields = Mapping[bytes, bytes]


class Key(Struct, frozen=True):
    """An idempotency key, `<caller>:<key>`, and a fingerprint of what it came with."""

    name: str
    fingerprint: str


class Appended(Struct, frozen=True):
    """The entry was recorded."""

    version: int


class Stale(Struct, frozen=True):
    """Somebody was faster: the entries after the expected version."""

    entries: list[Entry]


class Repeated(Struct, frozen=True):
    """This key was accepted before, as that version, with that fingerprint."""

    version: int
    fingerprint: str


class Pointer(Struct, frozen=True):
    """What a feed says of an entry: its place in the feed, and where to read it."""

    position: int
    match: str
    version: int
    kind: str


class Due(Struct, frozen=True):
    """Work to be done for a match at this version, due at a time (ms since the epoch).

    What is due at once has the place of its entry in the feed instead, a much smaller number.
    """

    work: Work
    match: str
    version: int
    at: int


class Store:
    """All matches of one Redis; docs/event-store.md has its keys and its promises."""

    def __init__(self, redis: Redis, partitions: int = 16, remember_s: int = DAY_S) -> None:
        self.redis = redis
        self.partitions = partitions
        self._remember_s = remember_s
        with answering():
            found = redis.get("annals:partitions")  # a full one can be read still
            if found is None:
                redis.set("annals:partitions", partitions, nx=True)
                found = redis.get("annals:partitions")
        created = int(cast(bytes, found))
        if created != partitions:
            raise BadSetting(
                f"This event store was created with {created} partitions, which cannot change:"
                f" set ANNALS_PARTITIONS to {created}, not {partitions}."
            )

    def append(
        self, match: str, entry: Entry, work: Mapping[Work, int], key: Key | None = None
    ) -> Appended | Stale | Repeated:
        """Record an entry, if it is the next one of its match, and the work that is due now."""
        tag = self._tag(match)
        keys = (
            f"{tag}:match:{match}",
            f"{tag}:feed",
            f"{tag}:work",
            f"{tag}:key:{match}:{key.name if key else ''}",
        )
        remember = (key.fingerprint, self._remember_s) if key else ("", 0)
        pairs = [part for kind in QUEUE_OF for part in (f"{kind}:{match}", work.get(kind, ""))]
        outcome, answer = self._script(keys, entry.version, match, *remember, *_row(entry), *pairs)
        if outcome == b"appended":
            return Appended(entry.version)
        return _repeated(answer) if outcome == b"repeated" else _stale(entry, answer)

    def read(
        self, match: str, after: int = 0, to: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """The entries of a match from the one after `after` up to `to`, oldest first."""
        last = "+" if to is None else f"{to}-0"
        with answering():
            rows = self.redis.xrange(self._match(match), f"{after + 1}-0", last, limit)
        return [_entry(row_id, fields) for row_id, fields in _rows(rows)]

    def version(self, match: str) -> int:
        """How many entries a match has; 0 if there is no such match."""
        with answering():
            return self.redis.xlen(self._match(match))

    def seen(self, match: str, name: str) -> Repeated | None:
        """As what an idempotency key was accepted before, if it was."""
        with answering():
            value = self.redis.get(f"{self._tag(match)}:key:{match}:{name}")
        return _repeated(cast(bytes, value)) if value is not None else None

    def feed(
        self, partition: int, after: int, limit: int, block_ms: int | None = None
    ) -> list[Pointer]:
        """Pointers to the entries of a partition, in order; waits for the next one if asked to."""
        name = f"{{p{partition}}}:feed"
        with answering():
            answer: Any = self.redis.xread({name: f"{after}-0"}, count=limit, block=block_ms)
        return [_pointer(*row) for _, page in answer or () for row in page]

    def feed_length(self, partition: int) -> int:
        """The position of the last pointer of a feed."""
        with answering():
            return self.redis.xlen(f"{{p{partition}}}:feed")

    def entries(self, pointers: Sequence[Pointer]) -> list[Entry]:
        """The entries that these point to, in the same order."""
        with answering(), self.redis.pipeline(transaction=False) as pipe:
            for pointer in pointers:
                version = f"{pointer.version}-0"
                pipe.xrange(self._match(pointer.match), version, version)
            return [_entry(*row) for rows in pipe.execute() for row in _rows(rows)]

    def due(self, partition: int, until: int, limit: int) -> list[Due]:
        """Work of a partition that is due at a time (ms since the epoch), the oldest first."""
        with answering():
            found = self.redis.zrange(
                f"{{p{partition}}}:work", "-inf", until,
                byscore=True, offset=0, num=limit, withscores=True,
            )  # fmt: skip
            works = [_work(member, at) for member, at in cast(list[tuple[bytes, float]], found)]
            with self.redis.pipeline(transaction=False) as pipe:
                for _, match, _ in works:
                    pipe.xlen(self._match(match))
                versions = pipe.execute() if works else []
        return [
            Due(work, match, version, at)
            for (work, match, at), version in zip(works, versions, strict=True)
        ]

    def partition_of(self, match: str) -> int:
        """The partition that a match belongs to for ever."""
        return crc32(match.encode()) % self.partitions

    def matches(self) -> Iterator[str]:
        """The ids of all matches."""
        for partition in range(self.partitions):
            position = 0
            while page := self.feed(partition, position, _PAGE):
                yield from (pointer.match for pointer in page if pointer.version == 1)
                position = page[-1].position

    def footprint(self) -> tuple[int, int]:
        """How many entries there are, and the bytes of memory of their streams and feeds."""
        feeds = [f"{{p{partition}}}:feed" for partition in range(self.partitions)]
        streams = [self._match(match) for match in self.matches()]
        with answering():
            used = [self.redis.memory_usage(name, samples=0) for name in (*feeds, *streams)]
        entries = sum(self.feed_length(partition) for partition in range(self.partitions))
        return entries, sum(size for size in used if size)

    def _tag(self, match: str) -> str:
        return f"{{p{self.partition_of(match)}}}"

    def _match(self, match: str) -> str:
        return f"{self._tag(match)}:match:{match}"

    def _script(self, keys: Sequence[str], *values: bytes | str | int) -> list[Any]:
        """Run the script in one round trip; send its text if this server has not seen it yet."""
        with answering():
            try:
                answer: Any = self.redis.evalsha(APPEND_SHA, len(keys), *keys, *values)
            except NoScriptError:
                answer = self.redis.eval(APPEND, len(keys), *keys, *values)
        return cast(list[Any], answer)


@contextmanager
def answering() -> Iterator[None]:
    """Say StoreUnavailable if Redis is not there, is just loading its data, or is full."""
    try:
        yield
    except _UNREACHABLE as error:
        raise StoreUnavailable("The event store does not answer.") from error
    except (OutOfMemoryError, ReadOnlyError) as error:
        raise StoreUnavailable("The event store accepts nothing now.") from error
    except ResponseError as error:
        if any(word in str(error) for word in _REFUSING):
            raise StoreUnavailable("The event store accepts nothing now.") from error
        raise


def connect(url: str) -> Redis:
    """A client for `redis://`, `rediss://` or `unix://`; `?cluster=true` for a Redis Cluster.

    It sends again what got no answer because the connection broke. That is safe for an append
    too: the second copy meets the version check, and the store knows its own entry again. One
    that stands still holds nobody for longer than `ANSWER_S` seconds.
    """
    retry = Retry(ExponentialBackoff(cap=0.2, base=0.02), 3, supported_errors=(Unconnected,))
    server, is_cluster = server_of(url)
    if is_cluster:
        return cast(Redis, RedisCluster.from_url(server, retry=retry, socket_timeout=ANSWER_S))
    return Redis.from_url(server, retry=retry, socket_timeout=ANSWER_S)


def server_of(url: str) -> tuple[str, bool]:
    """The URL of the server itself, and whether it belongs to a cluster; BadSetting if what
    stands behind the question mark means nothing.
    """
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    is_cluster = query.pop("cluster", "") == "true"
    server = urlunsplit(parts._replace(query=urlencode(query))) if is_cluster else url
    try:
        Redis.from_url(server).connection_pool.make_connection()
    except (TypeError, ValueError):
        raise BadSetting(
            f"The URL of a Redis asks for what no Redis has: {', '.join(query) or parts.path}."
        ) from None
    return server, is_cluster


def _row(entry: Entry) -> tuple[bytes | str | int, ...]:
    return (
        entry.kind, entry.actor, entry.at, entry.move,
        entry.events, entry.rules, entry.cmd, entry.secret,
    )  # fmt: skip


def _rows(rows: object) -> Iterable[tuple[bytes, Fields]]:
    return cast(Iterable[tuple[bytes, Fields]], rows)


def _number(row_id: bytes) -> int:
    return int(row_id[:-2])  # ids end with `-0`


def _entry(row_id: bytes, fields: Fields) -> Entry:
    return Entry(
        version=_number(row_id),
        kind=fields[b"k"].decode(),
        actor=fields[b"a"].decode(),
        at=int(fields[b"t"]),
        move=fields[b"m"],
        events=fields[b"e"],
        rules=int(fields[b"r"]),
        cmd=fields[b"c"].decode(),
        secret=fields[b"s"],
    )


def _work(member: bytes, at: float) -> tuple[Work, str, int]:
    work, match = member.decode().split(":", 1)
    return cast(Work, work), match, int(at)


def _pointer(row_id: bytes, fields: Fields) -> Pointer:
    return Pointer(_number(row_id), fields[b"m"].decode(), int(fields[b"v"]), fields[b"k"].decode())


def _repeated(value: bytes) -> Repeated:
    version, fingerprint = value.decode().split("|", 1)
    return Repeated(int(version), fingerprint)


def _stale(entry: Entry, rows: Iterable[tuple[bytes, list[bytes]]]) -> Appended | Stale:
    """What others recorded; unless the first is our own, sent twice since its answer was lost."""
    entries = [
        _entry(row_id, dict(zip(flat[::2], flat[1::2], strict=True))) for row_id, flat in rows
    ]
    return Appended(entry.version) if entries[:1] == [entry] else Stale(entries)
