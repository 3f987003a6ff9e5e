"""Writes everything that cannot be rebuilt into one file, from which you can fill any store."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from zlib import crc32

import click
from msgspec import json
from redis import Redis

from domain.match.log import CorruptEntry
from service.matches.container import wall_clock
from service.matches.queries import iso
from service.store.archive.stubs import decode_stub
from service.store.entry_codec import ENTRY_FIELD, decode_row
from service.store.event_store import EventStore
from service.store.store_format import STORE_FORMAT, STORE_LEVEL
from service.store.uptime import UPTIME_KEY
from service.tlog.signed_state import SIGNED_KEY
from workers.host.errors import CannotRun
from workers.tools.progress import show_progress
from workers.tools.store.backup_file import (
    DELETED,
    FORMAT,
    BadBackup,
    End,
    Header,
    Record,
    StoredEntry,
    StoredKey,
    StoredStub,
    as_bytes,
    backup_writer,
    read_backup,
)
from workers.tools.store.dump import feed_lengths, keys_by_treatment, read_entries, read_keys
from workers.tools.store.stored_keys import Treatment, treatment_of

MAX_PASSES = 5
"""How often accounts are read after the entries; on a busy service there is always a change."""
ALONE = (UPTIME_KEY, SIGNED_KEY)
"""Keys that change all the time, and that no other key must fit."""
KEY_TREATMENTS: tuple[Treatment, ...] = ("result", "account")
"""The kinds of keys that a backup has."""
MAX_NAME = 80
"""How much of the name of another key a message quotes."""


def write_backup(store: EventStore, file: Path) -> End:
    """Write a backup of a store; returns its end record."""
    with backup_writer(file) as writer:
        for record in read_store(store):
            writer.write(record)
            for fault in _find_corruption(record):
                click.echo(f"{fault} The backup has it unchanged.", err=True)
        return writer.end()


def read_store(store: EventStore, level: int = STORE_LEVEL) -> Iterator[Record]:
    """Yield the records of a backup of a store at this level, but for the end record.

    They are consistent although the service continues. Entries never change, and all entries of a
    match are in one feed in order, so the entries up to a position in the feed are a state of the
    match. The positions are read at one moment, so no match refers to anything outside the backup.
    Accounts are read before and after the entries, so no account is missing that an entry names,
    and again until none changes meanwhile; those deleted are named.
    The results of ratings are read before the entries: a restore repeats later ratings, and entries
    have the earlier ones.
    """
    now = wall_clock()
    keys = keys_by_treatment(store.redis, "result", "account", None)
    for name in sorted(keys[None]):
        click.echo(
            f"{name.decode(errors='replace')} is not a key of Annals and is left out.", err=True
        )
    results = list(read_keys(store.redis, keys["result"], now))
    accounts = list(read_keys(store.redis, keys["account"], now))
    lengths = feed_lengths(store)
    entries = sum(lengths)
    program = version("annals")
    yield Header(FORMAT, STORE_FORMAT, program, iso(now), store.partitions, entries, level)
    yield from results
    yield from accounts
    yield from show_progress("entries", read_entries(store, lengths), entries)
    known = {key.name: _digest(key) for key in accounts}
    for _ in range(MAX_PASSES):
        changed = list(_read_changes(store.redis, known, now))
        yield from changed
        if all(key.name in ALONE for key in changed):
            return


def _read_changes(redis: Redis, known: dict[str, int], now: int) -> Iterator[StoredKey]:
    """Yield the accounts that differ from the known ones, and update these."""
    gone = set(known)
    for key in read_keys(redis, keys_by_treatment(redis, "account")["account"], now):
        gone.discard(key.name)
        if known.get(key.name) != _digest(key):
            known[key.name] = _digest(key)
            yield key
    for name in gone:
        del known[name]
        yield StoredKey(name, DELETED, "")


def check_backup(file: Path) -> End:
    """Return the end record of a valid backup. Raises CannotRun if the file is corrupt."""
    *_, end = deque(read_valid(file), maxlen=1)
    assert isinstance(end, End)
    return end


def read_valid(file: Path) -> Iterator[Record]:
    """Yield the records of a backup; CannotRun names the first corrupt line, or a key that no
    backup has: jobs of the queues, for example, are code that workers run.
    """
    try:
        for record in read_backup(file):
            if isinstance(record, StoredKey):
                _refuse_foreign_key(record)
            yield record
    except BadBackup as error:
        raise CannotRun(f"{file}: {error}") from None
    except OSError as error:
        raise CannotRun(f"Cannot read {file} ({error.strerror}).") from None


def _refuse_foreign_key(key: StoredKey) -> None:
    name = as_bytes(key.name).decode(errors="replace")
    if treatment_of(name) not in KEY_TREATMENTS:
        raise BadBackup(
            f"it has the key {name[:MAX_NAME]!a}, which Annals writes into no backup: someone has"
            " changed it, or it is of a later version."
        )


def _find_corruption(record: Record) -> Iterator[str]:
    """Yield what is wrong with a stored entry, if anything; archived entries are not checked."""
    match record:
        case StoredStub():
            yield from _errors_of(record.match, lambda: decode_stub(record.match, record.value))
        case StoredEntry(archived=False, value=b""):
            yield f"{record.match}: version {record.version} is missing."
        case StoredEntry(archived=False):
            row_id, fields = f"{record.version}-0".encode(), {ENTRY_FIELD: record.value}
            yield from _errors_of(record.match, lambda: decode_row(record.match, row_id, fields))
        case _:
            pass


def _errors_of(match: str, decode: Callable[[], object]) -> Iterator[str]:
    try:
        decode()
    except CorruptEntry as error:
        yield f"{match}: {error}"


def _digest(key: StoredKey) -> int:
    return crc32(json.encode((key.type, key.value)))
