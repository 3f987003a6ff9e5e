"""The event store: a Redis stream for each match, and a feed for each partition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha1
from importlib.resources import files
from typing import Any, cast
from zlib import crc32

from msgspec import Struct
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import NoScriptError, ResponseError

from domain.match.log import CorruptEntry, Entry, naming_match
from domain.match.scheduled_work import BOT_QUEUES, PROMPT_QUEUES, QUEUE_OF, QUEUES, Queue, Work
from service.runtime.event_loop import on_loop
from service.store.archive.reader import Archive
from service.store.entry_codec import Pointer, decode_pointer, decode_row, encode_entry
from service.store.feed_batches import FeedBatch, read_batches
from service.store.match_rows import MatchRows, is_archived, raise_unless_no_stream
from service.store.redis_client import store_errors
from service.store.replicas import WRITE_REPLY, Replicas
from service.store.store_format import prepare_store, refuse_unreadable
from service.store.uptime import Uptime

APPEND_SCRIPT = files(__package__).joinpath("append.lua").read_text()
APPEND_SHA = sha1(APPEND_SCRIPT.encode(), usedforsecurity=False).hexdigest()
_FEED_PAGE = 1_000
_FIRST_QUEUE_KEY = 3  # the index of the first work key in the script


class AppendSuccess(Struct, frozen=True):
    """The entry is recorded. `before` is true if it was recorded earlier, by a copy of the same
    request.
    """

    version: int
    is_repeated: bool = False


class AppendConflict(Struct, frozen=True):
    """Another writer appended first: the entries after the expected version. No entries if the
    stored match differs from the one that the caller knows.
    """

    entries: list[Entry]


class DueWork(Struct, frozen=True):
    """Work of a match at this version, due at a time (ms since the epoch).

    For work that is due at once, `at` is the position of its entry in the feed, a much smaller
    number.
    """

    work: Work
    match: str
    version: int
    at: int


class BotTurn(Struct, frozen=True):
    """A due bot turn: its kind of work, its match, and the position of its entry in the feed.

    `is_claimed` is true if the process that appended that entry plays the turn.
    """

    work: Work
    match: str
    at: int
    is_claimed: bool = False


class EventStore:
    """All matches of one Redis; docs/event-store.md describes its keys and guarantees."""

    def __init__(
        self,
        redis: Redis,
        partitions: int = 16,
        archive: Archive | None = None,
        replicas: Replicas | None = None,
        *,
        reads_only: bool = False,
    ) -> None:
        """With `replicas`, an append is acknowledged once a replica has it too. A program that
        `reads_only` leaves no mark of its version.
        """
        self.redis = redis
        self.replicas = replicas
        self.partitions = partitions
        self._work_keys = [
            tuple(f"{{p{n}}}:work:{queue}" for queue in QUEUES) for n in range(partitions)
        ]
        self.archive = archive
        self.rows = MatchRows(redis, self._match_key, archive)
        self.uptime = Uptime(redis)
        self.work_channel = f"annals:due:{redis.get_connection_kwargs().get('db', 0)}"
        with store_errors():
            (refuse_unreadable if reads_only else prepare_store)(redis, partitions)

    def append(
        self, match: str, entry: Entry, work: Mapping[Work, int | None], head: bytes = b""
    ) -> AppendSuccess | AppendConflict:
        """Append an entry if it is the next of its match, and update the due work of the match.

        `work` maps each kind of work that changed to its time, or to None if it is done. With
        `head`, the entry is appended only after the entry with that head. Raises StoreUnavailable,
        also if no replica confirms the entry, which may be recorded nevertheless.
        """
        appended = self._append(match, entry, work, head)
        if self.replicas and isinstance(appended, AppendSuccess) and appended.is_repeated:
            self.confirm(match)
            return self._append(match, entry, work, head)  # the confirming replica may lack it
        return appended

    def confirm(self, match: str) -> None:
        """Wait until everything recorded of a match may be acknowledged. Raises
        StoreUnavailable.
        """
        if self.replicas:
            self.replicas.confirm(self._tag(match))

    def _append(
        self, match: str, entry: Entry, work: Mapping[Work, int | None], head: bytes
    ) -> AppendSuccess | AppendConflict:
        partition = self.partition_of(match)
        tag = f"{{p{partition}}}"
        keys = (
            f"{tag}:match:{match}",
            f"{tag}:feed",
            *self._work_keys[partition],
            plans_key(partition, match),
        )
        row = encode_entry(match, entry)
        values = (entry.version, match, row, head, *_work_arguments(match, work), self.work_channel)
        try:
            outcome, answer = self._run_append(keys, *values)
        except ResponseError as error:
            raise_unless_no_stream(error)
            if known := self._append_to_archived(match, entry, error):
                return known
            outcome, answer = self._run_append(keys, *values)
        if outcome == WRITE_REPLY:
            return AppendSuccess(entry.version)
        return _conflict(entry, [_decode_flat_row(match, *row) for row in answer])

    def _append_to_archived(
        self, match: str, entry: Entry, error: ResponseError
    ) -> AppendConflict | AppendSuccess | None:
        """Handle an append to an archived match. Returns None if the match is no longer archived
        because this is its next entry. Raises the same error for any other match.
        """
        with store_errors():
            stub = self.rows.read_stub(match)
            if stub is None:
                raise error
            if entry.version == stub.version + 1:
                self.rows.restore_stream(match, stub)
                return None
            later = self.rows.archive.read_entries(match, stub, entry.version - 1)
        return _conflict(entry, later)

    def read(
        self, match: str, after: int = 0, to: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """Return the entries of a match from `after` + 1 to `to`, oldest first.

        Raises CorruptEntry if an entry is corrupt or missing.
        """
        with store_errors(), naming_match(match):
            return self.rows.read(match, after, to, limit)

    def read_after(
        self, match: str, version: int, head: bytes, limit: int | None = None
    ) -> list[Entry] | None:
        """Return at most `limit` entries after a version, oldest first. Returns None if the entry
        of that version has another head: the known one was lost with its server. Raises
        CorruptEntry.
        """
        with store_errors(), naming_match(match):
            return self.rows.read_after(match, version, head, limit)

    def version(self, match: str) -> int:
        """Return the number of entries of a match; 0 if it does not exist."""
        with store_errors():
            return self.rows.length(match)

    def read_feed(
        self, partition: int, after: int, limit: int, block_ms: int | None = None
    ) -> list[Pointer]:
        """Return pointers to the entries of a partition, in order; with `block_ms`, wait for the
        first one.
        """
        return self.read_feeds({partition: after}, limit, block_ms).get(partition, [])

    def read_feeds(
        self, after: Mapping[int, int], limit: int, block_ms: int | None = None
    ) -> dict[int, list[Pointer]]:
        """Return up to `limit` pointers of each partition, after a position in its feed; with
        `block_ms`, wait for the first one. On a cluster, all partitions must belong to one server.
        """
        names = {f"{{p{partition}}}:feed".encode(): partition for partition in after}
        positions: dict[Any, Any] = {
            name: f"{after[partition]}-0" for name, partition in names.items()
        }
        with store_errors():
            answer: Any = self.redis.xread(positions, count=limit, block=block_ms)
        return {names[name]: [decode_pointer(*row) for row in page] for name, page in answer or ()}

    def feed_length(self, partition: int) -> int:
        """Return the position of the last pointer of a feed."""
        with store_errors():
            return self.redis.xlen(f"{{p{partition}}}:feed")

    def read_batch(
        self, after: Mapping[int, int], limit: int, block_ms: int | None = None
    ) -> dict[int, FeedBatch]:
        """Return pointers as `read_feeds` does, each with its entry or the error found there."""
        with store_errors():
            found = read_batches(self.redis, self.rows, after, limit)
        if not found and block_ms and self.read_feeds(after, 1, block_ms):
            return self.read_batch(after, limit)
        return found

    def read_histories(
        self, lasts: Mapping[str, int]
    ) -> Iterator[tuple[str, Iterator[Entry | CorruptEntry]]]:
        """Yield the entries of matches, each up to a version, oldest first, or the errors found
        there.
        """
        with store_errors():
            yield from self.rows.read_histories(lasts)

    def due_work(self, partition: int, until: int, limit: int) -> list[DueWork]:
        """Return work of a partition that is due at a time (ms since the epoch), without bot turns.

        Returns at most `limit` items of each queue, the oldest first. Skips corrupt items.
        """
        with store_errors():
            with self.redis.pipeline(transaction=False) as pipe:
                for queue in PROMPT_QUEUES:
                    pipe.zrange(
                        f"{{p{partition}}}:work:{queue}", "-inf", until,
                        byscore=True, offset=0, num=limit, withscores=True,
                    )  # fmt: skip
                works = [work for rows in pipe.execute() for work in _parse_work(rows)]
            with self.redis.pipeline(transaction=False) as pipe:
                for _, match, _ in works:
                    pipe.xlen(self._match_key(match))
                found = pipe.execute(raise_on_error=False) if works else []
            versions = [0 if is_archived(one) else one for one in found]  # archived
        return [
            DueWork(work, match, version, at)
            for (work, match, at), version in zip(works, versions, strict=True)
            if version
        ]

    def work_of(self, match: str) -> tuple[int, dict[Work, int]]:
        """Return the version of a match and its due work, read in one transaction."""
        tag = self._tag(match)
        with store_errors(), self.redis.pipeline(transaction=True) as pipe:
            pipe.xlen(self._match_key(match))
            for kind, queue in QUEUE_OF.items():
                pipe.zscore(f"{tag}:work:{queue}", f"{kind}:{match}")
            version, *scores = pipe.execute(raise_on_error=False)
        found = zip(QUEUE_OF, scores, strict=True)
        works = {kind: int(at) for kind, at in found if at is not None}
        return self.version(match) if is_archived(version) else version, works

    def bot_turns(self, partition: int, after: int = 0) -> list[BotTurn]:
        """Return all bot turns of a partition whose entries come after this position in the
        feed.
        """
        with store_errors(), self.redis.pipeline(transaction=False) as pipe:
            for queue in BOT_QUEUES:
                name = f"{{p{partition}}}:work:{queue}"
                pipe.zrangebyscore(name, f"({after}", "+inf", withscores=True)
                pipe.zrangebyscore(name, "-inf", f"({-after}", withscores=True)
            found = [work for rows in pipe.execute() for work in _parse_work(rows)]
        turns = (BotTurn(work, match, abs(at), at < 0) for work, match, at in found)
        return sorted(turns, key=lambda turn: turn.at)

    def count_work(self) -> dict[Queue, int]:
        """Return how much work each queue has, due now or later."""
        with store_errors(), self.redis.pipeline(transaction=False) as pipe:
            for queue in QUEUES:
                for partition in range(self.partitions):
                    pipe.zcard(f"{{p{partition}}}:work:{queue}")
            counts = pipe.execute()
        return {
            queue: sum(counts[n * self.partitions : (n + 1) * self.partitions])
            for n, queue in enumerate(QUEUES)
        }

    def partition_of(self, match: str) -> int:
        """Return the partition of a match, which never changes."""
        return crc32(match.encode()) % self.partitions

    def match_ids(self) -> Iterator[str]:
        """Yield the ids of all matches."""
        for partition in range(self.partitions):
            position = 0
            while page := self.read_feed(partition, position, _FEED_PAGE):
                yield from (pointer.match for pointer in page if pointer.version == 1)
                position = page[-1].position

    def _tag(self, match: str) -> str:
        return f"{{p{self.partition_of(match)}}}"

    def _match_key(self, match: str) -> str:
        return f"{self._tag(match)}:match:{match}"

    def _run_append(self, keys: Sequence[str], *values: bytes | str | int) -> list[Any]:
        """Run the script in one round trip. If this server does not know it yet, send its text."""
        given = len(keys), *keys, *values
        ask = partial(self.replicas.run_script, keys[0]) if self.replicas else self._send
        with store_errors():
            try:
                answer: Any = ask("EVALSHA", APPEND_SHA, *given)
            except NoScriptError:
                answer = ask("EVAL", APPEND_SCRIPT, *given)
        return cast(list[Any], answer)

    def _send(self, *command: bytes | str | int) -> object:
        """Send a command and return its reply. On a loop this bypasses redis-py's client, unless
        the connection fails.
        """
        pool: Any = getattr(self.redis, "connection_pool", None)
        if on_loop() and hasattr(pool, "send_command"):
            with suppress(Unconnected):
                return cast(object, pool.send_command(*command))
        answer: object = self.redis.execute_command(*command)  # type: ignore[no-untyped-call]
        return answer


def plans_key(partition: int, match: str) -> str:
    """The key of the plans that players have for a match."""
    return f"{{p{partition}}}:plans:{match}"


def _work_arguments(match: str, work: Mapping[Work, int | None]) -> Iterator[str | int]:
    """Yield the work as arguments of the script: the index of the key, the member and the time."""
    for kind, at in work.items():
        queue = _FIRST_QUEUE_KEY + QUEUES.index(QUEUE_OF[kind])
        yield from (queue, f"{kind}:{match}", "" if at is None else at)


def _parse_work(found: Iterable[tuple[bytes, float]]) -> Iterator[tuple[Work, str, int]]:
    for member, at in found:
        work, _, match = member.decode(errors="replace").partition(":")
        if work in QUEUE_OF:
            yield cast(Work, work), match, int(at)


def _conflict(entry: Entry, entries: list[Entry]) -> AppendSuccess | AppendConflict:
    """Return what others appended. If the first entry equals ours, an earlier copy of our request
    has appended it and its reply was lost.
    """
    return (
        AppendSuccess(entry.version, is_repeated=True)
        if entries[:1] == [entry]
        else AppendConflict(entries)
    )


def _decode_flat_row(match: str, row_id: bytes, flat: list[bytes]) -> Entry:
    """Return the entry in a row as scripts return rows."""
    return decode_row(match, row_id, dict(zip(flat[::2], flat[1::2], strict=True)))
