"""Archive: matches that are over leave the store for packs, and can be read as before.

Each step is safe to be killed in. A pack is written, read back, and compared with the store before
any match leaves; and each match leaves by itself, in one step, if it is still what is in the pack.
Whatever was not done is done the next time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import click
import structlog
from redis import Redis
from redis.lock import Lock

from domain.audit.texts import Salts, content_of, head_after, text_of
from domain.match.log import Damaged, Entry, fold_match
from domain.match.scheduled_work import due
from domain.match.state import START, Match
from service.matches.container import Annals, open_annals
from service.matches.match_cache import OVER
from service.runtime.logs import write_logs
from service.runtime.settings import read_settings
from service.store.archive.packs import Pack, Packing, Place, file_of, index_of, rows_in
from service.store.archive.stubs import Stub
from service.store.archive.targets import Target
from service.store.entry_codec import FIELD, entry_of
from service.store.event_store import Store
from service.store.redis_client import answering
from workers.host.errors import CannotRun
from workers.host.redis_check import await_both
from workers.host.redis_up import redis_up
from workers.tools.progress import counted
from workers.tools.store.daily_tasks import every_day

DAY_MS = 86_400_000
PACK_BYTES = 8_000_000
"""A pack with so many bytes is closed."""
NICE = 10
"""Whoever waits for an answer goes first."""
PAGE = 500
LOCK_S = 120
log = structlog.get_logger("annals.archive")


@dataclass
class Moved:
    """What went to the archive."""

    matches: int = 0
    entries: int = 0
    packs: int = 0
    bytes: int = 0
    damaged: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.matches} matches, {self.entries} entries, in {self.packs} packs of"
            f" {self.bytes} bytes"
        )


@click.command()
@click.option(
    "--days",
    type=click.FloatRange(0),
    help="Matches that have been over for so many days; ANNALS_ARCHIVE_DAYS otherwise.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@click.option("--daily", is_flag=True, help="Do it once a day, until it is stopped.")
def archive(days: float | None, dry_run: bool, daily: bool) -> None:
    """Move matches that are over to packed files, while the service runs or not."""
    settings = read_settings(os.environ)
    days = days if days is not None else settings.archive_days or None
    if days is None:
        raise CannotRun("After how many days? Say --days, or set ANNALS_ARCHIVE_DAYS.")
    if daily:
        write_logs(settings.log_level)
        os.nice(NICE)
        await_both(settings)
        keep_moving(open_annals(settings), days, Event())
        return
    with redis_up(settings):
        annals = open_annals(settings)
        moved = move(annals, days, dry_run)
    for match, damage in moved.damaged.items():
        click.echo(f"{match}: {damage} It stays where it is.")
    click.echo(f"{moved}{' would be' if dry_run else ''} archived.")


def keep_moving(annals: Annals, days: float, stop: Event) -> None:
    """Move what is there once a day until told to stop; what goes wrong is logged."""

    def once() -> None:
        try:
            moved = move(annals, days)
            log.info("archived", matches=moved.matches, entries=moved.entries, packs=moved.packs)
            for match in moved.damaged:
                log.error("damaged", match=match)
        except Exception:
            log.exception("archiving_failed")

    every_day(once, stop)


def move(annals: Annals, days: float, dry_run: bool = False) -> Moved:
    """Move all matches that have been over for so many days; how many there were."""
    store, moved = annals.store, Moved()
    target = store.rows.archive.target
    until = annals.now() - int(days * DAY_MS)
    with alone(store.redis) as lock:
        found = _ended(store, until)
        matches = counted("matches", found, len(found))
        for pack, rows in _packs(annals, matches, until, moved):
            lock.reacquire()
            if not dry_run:
                _keep(target, pack, rows)
                rows = {match: rows[match] for match in rows if _leave(store, pack, match, rows)}
            moved.packs += bool(rows)
            moved.bytes += len(pack.data)
            moved.matches += len(rows)
            moved.entries += sum(map(len, rows.values()))
    return moved


@contextmanager
def alone(redis: Redis) -> Iterator[Lock]:
    """Move matches while nobody else does; CannotRun."""
    lock = redis.lock("annals:archiving", timeout=LOCK_S)
    if not lock.acquire(blocking=False):
        raise CannotRun(
            "Matches are being archived already; if that was interrupted, try again in"
            f" {LOCK_S} seconds."
        )
    try:
        yield lock
    finally:
        lock.release()


def _ended(store: Store, until: int) -> list[str]:
    """Matches in the store in which nothing has happened since then, in one order every time."""
    found: list[tuple[int, int, str]] = []
    with answering():
        names: Iterator[bytes] = store.redis.scan_iter("{p*}:match:*", count=PAGE, _type="STREAM")
        for page in _pages(names):
            found += _quiet(store, page, until)
    return [match for _, _, match in sorted(found)]


def _quiet(store: Store, names: Sequence[bytes], until: int) -> Iterator[tuple[int, int, str]]:
    """Of these streams, the matches in which nothing has happened since then: with partitions, and
    the times of their last entries.
    """
    with store.redis.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.xrevrange(name, count=1)
        lasts: list[Any] = pipe.execute(raise_on_error=False)
    for name, rows in zip(names, lasts, strict=True):
        match = name.decode(errors="replace").split(":", 2)[2]
        at = _time_of(match, rows)
        if at is not None and at <= until:
            yield store.partition_of(match), at, match


def _time_of(match: str, rows: Any) -> int | None:  # noqa: ANN401 - as Redis has it
    """When the last entry of a match was recorded; 0 if it is damaged, None if there is none."""
    if not isinstance(rows, list) or not rows:
        return None
    try:
        return entry_of(match, *rows[0]).at
    except Damaged:
        return 0


def _packs(
    annals: Annals, matches: Iterator[str], until: int, moved: Moved
) -> Iterator[tuple[Pack, dict[str, list[bytes]]]]:
    """Packs of all of these matches that can leave, and the rows of each as the store has them."""
    packing, rows = Packing(), dict[str, list[bytes]]()
    for match in matches:
        try:
            found = _that_can_leave(annals, match, until)
        except Damaged as damage:
            moved.damaged[match] = str(damage)
            continue
        if found:
            packing.add(match, *found)
            rows[match], _ = found
        if packing.size >= PACK_BYTES:
            yield packing.closed(), rows
            packing, rows = Packing(), {}
    if rows:
        yield packing.closed(), rows


def _that_can_leave(annals: Annals, match: str, until: int) -> tuple[list[bytes], bytes] | None:
    """The rows of a match to which nothing more is to be done, and its head; None for any other.
    Damaged, also if the head is not that of its chain.
    """
    rows = annals.store.rows.stored(match)
    if not rows:
        return None
    entries = _entries(match, rows)
    folded = fold_match(annals.games, entries)
    version, work = annals.store.work_of(match)
    is_over = folded.status in OVER and folded.updated_at <= until
    if not is_over or version != len(rows) or work or due(folded):
        return None
    if head_of(folded, entries) != folded.head:
        raise Damaged("its head is not that of the chain of its entries.")
    return rows, folded.head


def head_of(match: Match, entries: Iterable[Entry]) -> bytes:
    """The head of the chain that these entries of a match make."""
    salts, head = Salts(match.id, match.salt_key), START
    for entry in entries:
        head = head_after(head, text_of(salts, entry, content_of(match.game, entry)))
    return head


def _entries(match: str, rows: Sequence[bytes]) -> list[Entry]:
    return [
        entry_of(match, b"%d-0" % version, {FIELD: value}) for version, value in enumerate(rows, 1)
    ]


def _keep(target: Target, pack: Pack, rows: dict[str, list[bytes]]) -> None:
    """Have a pack in the archive, and see that what can be read there is what the store has."""
    file = file_of(pack.name)
    try:
        target.write(file, pack.data)
    except OSError as error:
        raise CannotRun(f"Cannot write {file} ({error.strerror}): all stays as it was.") from None
    data = target.read(file)
    places = index_of(pack.name, data)
    if [place.match for place in places] != list(rows) or not all(
        _holds(place, data, pack.stubs[place.match], rows[place.match]) for place in places
    ):
        raise CannotRun(f"{file} does not hold what the store has: all stays as it was.")


def _holds(place: Place, data: bytes, stub: Stub, rows: list[bytes]) -> bool:
    """Whether these rows, and the head that the last one has, are what is at a place of a pack."""
    found = rows_in(stub, data[place.offset : place.offset + place.length])
    return found == rows and _entries(place.match, found)[-1].head.hex() == place.head


def _leave(store: Store, pack: Pack, match: str, rows: dict[str, list[bytes]]) -> bool:
    """Let a match leave the store, if it is still what is in the pack."""
    with answering():
        return store.rows.put_away(match, rows[match][-1], pack.stubs[match])


def _pages(names: Iterator[bytes]) -> Iterator[list[bytes]]:
    page: list[bytes] = []
    for name in names:
        page.append(name)
        if len(page) == PAGE:
            yield page
            page = []
    yield page
