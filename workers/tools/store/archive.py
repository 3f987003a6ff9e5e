"""`annals archive`: moves finished matches from the store into packs, where they can still be read.

A kill at any moment is safe. A pack is written, read back and compared with the store before any
match leaves. Each match leaves in one atomic step, if it still equals its copy in the pack. The
next run does what is left.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any

import click
import structlog
from redis import Redis
from redis.lock import Lock

from domain.audit.texts import Salts, content_of, head_after, text_of
from domain.match.log import CorruptEntry, Entry, fold_match
from domain.match.scheduled_work import due_work
from domain.match.state import GENESIS_HEAD, Match
from service.matches.container import Annals, open_annals
from service.matches.match_cache import ENDED_STATUSES
from service.runtime.errors import StoreUnavailable
from service.runtime.logs import configure_logs
from service.store.archive.packs import (
    IndexItem,
    Pack,
    PackBuilder,
    pack_file,
    read_index,
    unpack_rows,
)
from service.store.archive.stubs import Stub
from service.store.archive.targets import Target
from service.store.entry_codec import ENTRY_FIELD, decode_row
from service.store.event_store import EventStore
from service.store.redis_client import store_errors
from workers.host.errors import CannotRun
from workers.host.redis.checks import await_both
from workers.host.redis.on_demand import running_redis
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings
from workers.tools.stopping import stoppable
from workers.tools.store.daily_tasks import require_answer, run_daily

DAY_MS = 86_400_000
PACK_BYTES = 8_000_000
"""A pack of this size is closed."""
NICE = 10
"""Niceness of the process: requests come first."""
SCAN_COUNT = 500
LOCK_S = 120
log = structlog.get_logger("annals.archive")


@dataclass
class ArchiveResult:
    """What was archived."""

    matches: int = 0
    entries: int = 0
    packs: int = 0
    bytes: int = 0
    corrupt: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.matches} matches, {self.entries} entries, in {self.packs} packs of"
            f" {self.bytes} bytes"
        )


@click.command()
@click.option(
    "--days",
    type=click.FloatRange(0),
    help="Move matches that ended this many days ago; default: ANNALS_ARCHIVE_DAYS.",
)
@click.option("--dry-run", is_flag=True, help="Only print what would be moved.")
@click.option("--daily", is_flag=True, help="Run once a day until you stop it.")
def archive(days: float | None, dry_run: bool, daily: bool) -> None:
    """Move finished matches to packed files, while the service runs or not."""
    settings = read_service_settings(os.environ)
    days = days if days is not None else settings.archive_days or None
    if days is None:
        raise CannotRun("Give the number of days with --days or ANNALS_ARCHIVE_DAYS.")
    if daily:
        configure_logs(settings.log_level)
        os.nice(NICE)
        await_both(settings)
        archive_daily(open_annals(settings), days, Event())
        return
    with running_redis(settings):
        annals, moved = open_annals(settings), ArchiveResult()
        with stoppable() as stop:
            archive_matches(annals, days, dry_run, moved)
    for match, error in moved.corrupt.items():
        click.echo(f"{match}: {error} It stays in the store.")
    click.echo(f"{moved}{' would be' if dry_run else ''} archived.")
    if stop.requested:
        raise CannotRun("Stopped: the same command continues.")


def archive_daily(annals: Annals, days: float, stop: Event) -> None:
    """Archive once a day until `stop` is set; errors are logged, also if the place of the packs
    does not answer at the start.
    """

    def once() -> None:
        moved = archive_matches(annals, days)
        log.info("archived", matches=moved.matches, entries=moved.entries, packs=moved.packs)
        for match in moved.corrupt:
            log.error("entry_corrupt", match=match)

    _log_errors(partial(require_answer, annals.store.rows.archive.target))
    run_daily(partial(_log_errors, once), stop)


def _log_errors(task: Callable[[], None]) -> None:
    try:
        task()
    except StoreUnavailable as reason:
        log.error("archive_refused", reason=str(reason))
    except Exception:
        log.exception("archive_failed")


def archive_matches(
    annals: Annals, days: float, dry_run: bool = False, result: ArchiveResult | None = None
) -> ArchiveResult:
    """Archive all matches that have been over for `days`; add what is done to the result."""
    store, result = annals.store, result or ArchiveResult()
    target = store.rows.archive.target
    until = annals.now() - int(days * DAY_MS)
    with archive_lock(store.redis) as lock:
        found = _find_finished(store, until)
        matches = show_progress("matches", found, len(found))
        for pack, rows in _build_packs(annals, matches, until, result):
            lock.reacquire()
            if not dry_run:
                _write_pack(target, pack, rows)
                rows = {
                    match: rows[match]
                    for match in rows
                    if _replace_by_stub(store, pack, match, rows)
                }
            result.packs += bool(rows)
            result.bytes += len(pack.data)
            result.matches += len(rows)
            result.entries += sum(map(len, rows.values()))
    return result


@contextmanager
def archive_lock(redis: Redis) -> Iterator[Lock]:
    """Hold the lock of the archive. Raises CannotRun if another process holds it."""
    lock = redis.lock("annals:archiving", timeout=LOCK_S)
    if not lock.acquire(blocking=False):
        raise CannotRun(
            "Another process is archiving matches. If it was interrupted, try again in"
            f" {LOCK_S} seconds."
        )
    try:
        yield lock
    finally:
        lock.release()


def _find_finished(store: EventStore, until: int) -> list[str]:
    """Matches in the store without entries since this time, always in the same order."""
    found: list[tuple[int, int, str]] = []
    with store_errors():
        names: Iterator[bytes] = store.redis.scan_iter(
            "{p*}:match:*", count=SCAN_COUNT, _type="STREAM"
        )
        for page in _in_batches(names):
            found += _filter_quiet(store, page, until)
    return [match for _, _, match in sorted(found)]


def _filter_quiet(
    store: EventStore, names: Sequence[bytes], until: int
) -> Iterator[tuple[int, int, str]]:
    """Yield those of these streams without entries since this time: the partition, the time of the
    last entry and the match.
    """
    with store.redis.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.xrevrange(name, count=1)
        lasts: list[Any] = pipe.execute(raise_on_error=False)
    for name, rows in zip(names, lasts, strict=True):
        match = name.decode(errors="replace").split(":", 2)[2]
        at = _last_entry_time(match, rows)
        if at is not None and at <= until:
            yield store.partition_of(match), at, match


def _last_entry_time(match: str, rows: Any) -> int | None:  # noqa: ANN401 - as Redis has it
    """Return the time of the last entry of a match, or 0 if it is corrupt, None if there
    is none.
    """
    if not isinstance(rows, list) or not rows:
        return None
    try:
        return decode_row(match, *rows[0]).at
    except CorruptEntry:
        return 0


def _build_packs(
    annals: Annals, matches: Iterator[str], until: int, result: ArchiveResult
) -> Iterator[tuple[Pack, dict[str, list[bytes]]]]:
    """Yield packs of all of these matches that can be archived, with the rows that the store has of
    them.
    """
    packing, rows = PackBuilder(), dict[str, list[bytes]]()
    for match in matches:
        try:
            found = _rows_to_archive(annals, match, until)
        except CorruptEntry as error:
            result.corrupt[match] = str(error)
            continue
        if found:
            packing.add(match, *found)
            rows[match], _ = found
        if packing.size >= PACK_BYTES:
            yield packing.build(), rows
            packing, rows = PackBuilder(), {}
    if rows:
        yield packing.build(), rows


def _rows_to_archive(annals: Annals, match: str, until: int) -> tuple[list[bytes], bytes] | None:
    """Return the rows and the head of a match without further work, or None for any other match.

    Raises CorruptEntry if an entry is corrupt or the head does not match its chain.
    """
    rows = annals.store.rows.read_stream(match)
    if not rows:
        return None
    entries = _entries(match, rows)
    folded = fold_match(annals.games, entries)
    version, work = annals.store.work_of(match)
    is_over = folded.status in ENDED_STATUSES and folded.updated_at <= until
    if not is_over or version != len(rows) or work or due_work(folded):
        return None
    if compute_head(folded, entries) != folded.head:
        raise CorruptEntry("its head does not match the chain of its entries.")
    return rows, folded.head


def compute_head(match: Match, entries: Iterable[Entry]) -> bytes:
    """Return the head of the chain of these entries."""
    salts, head = Salts(match.id, match.salt_key), GENESIS_HEAD
    for entry in entries:
        head = head_after(head, text_of(salts, entry, content_of(match.game, entry)))
    return head


def _entries(match: str, rows: Sequence[bytes]) -> list[Entry]:
    return [
        decode_row(match, b"%d-0" % version, {ENTRY_FIELD: value})
        for version, value in enumerate(rows, 1)
    ]


def _write_pack(target: Target, pack: Pack, rows: dict[str, list[bytes]]) -> None:
    """Write a pack to the archive, and verify that what can be read there equals the store."""
    file = pack_file(pack.name)
    try:
        target.write(file, pack.data)
    except OSError as error:
        raise CannotRun(f"Cannot write {file} ({error.strerror}): nothing has changed.") from None
    data = target.read(file)
    items = read_index(pack.name, data)
    if [item.match for item in items] != list(rows) or not all(
        _has_rows(item, data, pack.stubs[item.match], rows[item.match]) for item in items
    ):
        raise CannotRun(f"{file} differs from the store: nothing has changed.")


def _has_rows(item: IndexItem, data: bytes, stub: Stub, rows: list[bytes]) -> bool:
    """Return whether a pack has these rows, and the head of the last one, at this index item."""
    found = unpack_rows(stub, data[item.offset : item.offset + item.length])
    return found == rows and _entries(item.match, found)[-1].head.hex() == item.head


def _replace_by_stub(
    store: EventStore, pack: Pack, match: str, rows: dict[str, list[bytes]]
) -> bool:
    """Replace a match in the store by its stub, if it still equals its copy in the pack."""
    with store_errors():
        return store.rows.replace_by_stub(match, rows[match][-1], pack.stubs[match])


def _in_batches(names: Iterator[bytes]) -> Iterator[list[bytes]]:
    page: list[bytes] = []
    for name in names:
        page.append(name)
        if len(page) == SCAN_COUNT:
            yield page
            page = []
    yield page
