"""The event store: a Redis stream for each match, and a feed for each partition of matches."""

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

from domain.match.log import Damaged, Entry
from domain.match.scheduled_work import BOT_QUEUES, PROMPT_QUEUES, QUEUE_OF, QUEUES, Queue, Work
from service.runtime.event_loop import on_loop
from service.store.archive.reader import Archive
from service.store.entry_codec import Pointer, entry_of, pointer_of, row_of
from service.store.feed_batches import Portion, portions
from service.store.match_rows import MatchRows, is_archived, refuse_other
from service.store.redis_client import answering
from service.store.replicas import RECORDED, Replicas
from service.store.store_format import admit

APPEND = files(__package__).joinpath("append.lua").read_text()
APPEND_SHA = sha1(APPEND.encode(), usedforsecurity=False).hexdigest()
_PAGE = 1_000
_FIRST_QUEUE = 3  # the number of the first key of work in the script


class Appended(Struct, frozen=True):
    """The entry was recorded; `before` if it was there already, since it was sent twice."""

    version: int
    before: bool = False


class Stale(Struct, frozen=True):
    """Somebody was faster: the entries after the expected version; none if what is there up to that
    is not what the caller goes by.
    """

    entries: list[Entry]


class Due(Struct, frozen=True):
    """Work to be done for a match at this version, due at a time (ms since the epoch).

    What is due at once has the place of its entry in the feed instead, a much smaller number.
    """

    work: Work
    match: str
    version: int
    at: int


class Turn(Struct, frozen=True):
    """A bot turn that waits: the kind of work, the match, the place of its entry in the feed; and
    whether it is in hand: whoever recorded that entry goes on with it.
    """

    work: Work
    match: str
    at: int
    in_hand: bool = False


class Store:
    """All matches of one Redis; docs/event-store.md has its keys and its promises."""

    def __init__(
        self,
        redis: Redis,
        partitions: int = 16,
        archive: Archive | None = None,
        replicas: Replicas | None = None,
    ) -> None:
        """With replicas, what is appended is acknowledged once one of them has it, too."""
        self.redis = redis
        self.replicas = replicas
        self.partitions = partitions
        self.archive = archive
        self.rows = MatchRows(redis, self._match, archive)
        self.bell = f"annals:due:{redis.get_connection_kwargs().get('db', 0)}"
        with answering():
            admit(redis, partitions)

    def append(
        self, match: str, entry: Entry, work: Mapping[Work, int | None], head: bytes = b""
    ) -> Appended | Stale:
        """Record an entry, if it is the next one of its match, and the work that is due otherwise
        than before: its time, or None if there is no more of it. With the head of the entry that
        it follows, it follows no other.

        StoreUnavailable also if no replica confirms it, though it may be recorded.
        """
        appended = self._append(match, entry, work, head)
        if self.replicas and isinstance(appended, Appended) and appended.before:
            self.confirm(match)
            return self._append(match, entry, work, head)  # whoever confirmed may not have had it
        return appended

    def confirm(self, match: str) -> None:
        """Return once what was recorded of a match may be acknowledged; StoreUnavailable."""
        if self.replicas:
            self.replicas.confirm(self._tag(match))

    def _append(
        self, match: str, entry: Entry, work: Mapping[Work, int | None], head: bytes
    ) -> Appended | Stale:
        tag = self._tag(match)
        keys = (
            f"{tag}:match:{match}",
            f"{tag}:feed",
            *(f"{tag}:work:{queue}" for queue in QUEUES),
        )
        row = row_of(match, entry)
        values = (entry.version, match, row, head, *_threes(match, work), self.bell)
        try:
            outcome, answer = self._script(keys, *values)
        except ResponseError as error:
            refuse_other(error)
            if known := self._in_archive(match, entry, error):
                return known
            outcome, answer = self._script(keys, *values)
        if outcome == RECORDED:
            return Appended(entry.version)
        return _stale(entry, [_listed(match, *row) for row in answer])

    def _in_archive(
        self, match: str, entry: Entry, error: ResponseError
    ) -> Stale | Appended | None:
        """What became of an entry whose match is in the archive; None once it is there no more,
        since this is its next entry. The same error for any other match.
        """
        with answering():
            stub = self.rows.stub(match)
            if stub is None:
                raise error
            if entry.version == stub.version + 1:
                self.rows.take_back(match, stub)
                return None
            later = self.rows.archive.entries(match, stub, entry.version - 1)
        return _stale(entry, later)

    def read(
        self, match: str, after: int = 0, to: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        """The entries of a match from the one after `after` up to `to`, oldest first.

        Damaged if one of them is not what was recorded, or is missing.
        """
        with answering():
            return self.rows.read(match, after, to, limit)

    def later(
        self, match: str, version: int, head: bytes, limit: int | None = None
    ) -> list[Entry] | None:
        """The entries after a version, oldest first, at most `limit`; None if the entry of that
        version is not the one with this head, for that was lost with its server. Damaged.
        """
        with answering():
            return self.rows.later(match, version, head, limit)

    def version(self, match: str) -> int:
        """How many entries a match has; 0 if there is no such match."""
        with answering():
            return self.rows.length(match)

    def feed(
        self, partition: int, after: int, limit: int, block_ms: int | None = None
    ) -> list[Pointer]:
        """Pointers to the entries of a partition, in order; waits for the next one if asked to."""
        return self.feeds({partition: after}, limit, block_ms).get(partition, [])

    def feeds(
        self, after: Mapping[int, int], limit: int, block_ms: int | None = None
    ) -> dict[int, list[Pointer]]:
        """Pointers to entries of some partitions, which have to be one on a cluster, after a place
        in the feed of each: of each at most so many; waits for the first one if asked to.
        """
        names = {f"{{p{partition}}}:feed".encode(): partition for partition in after}
        places: dict[Any, Any] = {
            name: f"{after[partition]}-0" for name, partition in names.items()
        }
        with answering():
            answer: Any = self.redis.xread(places, count=limit, block=block_ms)
        return {names[name]: [pointer_of(*row) for row in page] for name, page in answer or ()}

    def feed_length(self, partition: int) -> int:
        """The position of the last pointer of a feed."""
        with answering():
            return self.redis.xlen(f"{{p{partition}}}:feed")

    def portion(
        self, after: Mapping[int, int], limit: int, block_ms: int | None = None
    ) -> dict[int, Portion]:
        """What came after a place in the feeds of some partitions, as of `feeds`: the pointers,
        each with its entry or with what is wrong with it.
        """
        with answering():
            found = portions(self.redis, self.rows, after, limit)
        if not found and block_ms and self.feeds(after, 1, block_ms):
            return self.portion(after, limit)
        return found

    def histories(
        self, lasts: Mapping[str, int]
    ) -> Iterator[tuple[str, Iterator[Entry | Damaged]]]:
        """The entries of matches up to a version each, oldest first, or what is wrong with them."""
        with answering():
            yield from self.rows.histories(lasts)

    def due(self, partition: int, until: int, limit: int) -> list[Due]:
        """What is due at a time (ms since the epoch) in a partition apart from bot turns: of each
        queue at most `limit`, the oldest first.

        What is no work of a match that there is, for it was damaged, is left out.
        """
        with answering():
            with self.redis.pipeline(transaction=False) as pipe:
                for queue in PROMPT_QUEUES:
                    pipe.zrange(
                        f"{{p{partition}}}:work:{queue}", "-inf", until,
                        byscore=True, offset=0, num=limit, withscores=True,
                    )  # fmt: skip
                works = [work for rows in pipe.execute() for work in _works(rows)]
            with self.redis.pipeline(transaction=False) as pipe:
                for _, match, _ in works:
                    pipe.xlen(self._match(match))
                found = pipe.execute(raise_on_error=False) if works else []
            versions = [0 if is_archived(one) else one for one in found]  # nothing is due there
        return [
            Due(work, match, version, at)
            for (work, match, at), version in zip(works, versions, strict=True)
            if version
        ]

    def work_of(self, match: str) -> tuple[int, dict[Work, int]]:
        """The version of a match and the work that is written down for it, at one moment."""
        tag = self._tag(match)
        with answering(), self.redis.pipeline(transaction=True) as pipe:
            pipe.xlen(self._match(match))
            for kind, queue in QUEUE_OF.items():
                pipe.zscore(f"{tag}:work:{queue}", f"{kind}:{match}")
            version, *scores = pipe.execute(raise_on_error=False)
        found = zip(QUEUE_OF, scores, strict=True)
        works = {kind: int(at) for kind, at in found if at is not None}
        return self.version(match) if is_archived(version) else version, works

    def turns(self, partition: int, after: int = 0) -> list[Turn]:
        """All bot turns of a partition whose entries came after this place in the feed."""
        with answering(), self.redis.pipeline(transaction=False) as pipe:
            for queue in BOT_QUEUES:
                name = f"{{p{partition}}}:work:{queue}"
                pipe.zrangebyscore(name, f"({after}", "+inf", withscores=True)
                pipe.zrangebyscore(name, "-inf", f"({-after}", withscores=True)
            found = [work for rows in pipe.execute() for work in _works(rows)]
        turns = (Turn(work, match, abs(at), at < 0) for work, match, at in found)
        return sorted(turns, key=lambda turn: turn.at)

    def work_waiting(self) -> dict[Queue, int]:
        """How much work there is for each queue, due now or later."""
        with answering(), self.redis.pipeline(transaction=False) as pipe:
            for queue in QUEUES:
                for partition in range(self.partitions):
                    pipe.zcard(f"{{p{partition}}}:work:{queue}")
            counts = pipe.execute()
        return {
            queue: sum(counts[n * self.partitions : (n + 1) * self.partitions])
            for n, queue in enumerate(QUEUES)
        }

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

    def _tag(self, match: str) -> str:
        return f"{{p{self.partition_of(match)}}}"

    def _match(self, match: str) -> str:
        return f"{self._tag(match)}:match:{match}"

    def _script(self, keys: Sequence[str], *values: bytes | str | int) -> list[Any]:
        """Run the script in one round trip; send its text if this server has not seen it yet."""
        given = len(keys), *keys, *values
        ask = partial(self.replicas.written, keys[0]) if self.replicas else self._ask
        with answering():
            try:
                answer: Any = ask("EVALSHA", APPEND_SHA, *given)
            except NoScriptError:
                answer = ask("EVAL", APPEND, *given)
        return cast(list[Any], answer)

    def _ask(self, *command: bytes | str | int) -> object:
        """The reply to a command; where a pool can ask by itself, without what a client does around
        it, unless there is no connection.
        """
        pool: Any = getattr(self.redis, "connection_pool", None)
        if on_loop() and hasattr(pool, "ask"):
            with suppress(Unconnected):
                return cast(object, pool.ask(*command))
        answer: object = self.redis.execute_command(*command)  # type: ignore[no-untyped-call]
        return answer


def _threes(match: str, work: Mapping[Work, int | None]) -> Iterator[str | int]:
    """Work as the script takes it: the number of its key, its member, its time."""
    for kind, at in work.items():
        queue = _FIRST_QUEUE + QUEUES.index(QUEUE_OF[kind])
        yield from (queue, f"{kind}:{match}", "" if at is None else at)


def _works(found: Iterable[tuple[bytes, float]]) -> Iterator[tuple[Work, str, int]]:
    for member, at in found:
        work, _, match = member.decode(errors="replace").partition(":")
        if work in QUEUE_OF:
            yield cast(Work, work), match, int(at)


def _stale(entry: Entry, entries: list[Entry]) -> Appended | Stale:
    """What others recorded; unless the first is our own, sent twice since its answer was lost."""
    return Appended(entry.version, before=True) if entries[:1] == [entry] else Stale(entries)


def _listed(match: str, row_id: bytes, flat: list[bytes]) -> Entry:
    """The entry of a row as a script returns it."""
    return entry_of(match, row_id, dict(zip(flat[::2], flat[1::2], strict=True)))
