"""`annals backup`: writes everything that cannot be rebuilt into one file, from which you can fill
any store.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from importlib.metadata import version
from os import environ
from pathlib import Path
from zlib import crc32

import click
from msgspec import json

from domain.match.log import CorruptEntry
from service.matches.container import wall_clock
from service.matches.queries import iso
from service.runtime.settings import read_settings
from service.store.archive.reader import open_archive
from service.store.archive.stubs import decode_stub
from service.store.entry_codec import ENTRY_FIELD, decode_row
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.store.store_format import STORE_FORMAT, STORE_LEVEL
from workers.host.errors import CannotRun
from workers.host.redis.on_demand import running_redis
from workers.tools.progress import show_progress
from workers.tools.store.backup_file import (
    FORMAT,
    BackupWriter,
    BadBackup,
    End,
    Header,
    Record,
    StoredEntry,
    StoredKey,
    StoredStub,
    backup_writer,
    read_backup,
)
from workers.tools.store.dump import feed_lengths, keys_by_treatment, read_entries, read_keys


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--check", is_flag=True, help="Check an existing FILE; needs no store.")
@click.option("--overwrite", is_flag=True, help="Replace FILE if it exists.")
def backup(file: Path, check: bool, overwrite: bool) -> None:
    """Write all matches and accounts to FILE, while the service runs or not."""
    if check:
        click.echo(f"{file} is valid: {_summarize(check_backup(file))}.")
        return
    if file.exists() and not overwrite:
        raise CannotRun(f"{file} exists already: choose another name, or add --overwrite.")
    settings = read_settings(environ)
    with running_redis(settings):
        archive = open_archive(settings)
        store = EventStore(connect(settings.events_url), settings.partitions, archive)
        try:
            end = write_backup(store, file)
        except OSError as error:
            raise CannotRun(
                f"Cannot write {file} ({error.strerror}): no file was left behind."
            ) from None
    click.echo(f"{file}: {_summarize(end)}, {file.stat().st_size} bytes.")


def write_backup(store: EventStore, file: Path) -> End:
    """Write a backup of a store; returns its end record.

    The backup is consistent although the service continues. Entries never change, and all entries
    of a match are in one feed in order, so the entries up to a position in the feed are a state of
    the match. The positions are read at one moment, so no match refers to anything outside the
    backup. Accounts are read before and after the entries, so no account is missing that an entry
    names. The results of ratings are read before the entries: a restore repeats later ratings, and
    entries have the earlier ones.
    """
    now = wall_clock()
    with backup_writer(file) as writer:
        keys = keys_by_treatment(store.redis)
        for name in keys.get(None, []):
            click.echo(
                f"{name.decode(errors='replace')} is not a key of Annals and is left out.", err=True
            )
        before = list(
            read_keys(store.redis, (*keys.get("result", []), *keys.get("account", [])), now)
        )
        lengths = feed_lengths(store)
        program, entries = version("annals"), sum(lengths)
        header = Header(
            FORMAT, STORE_FORMAT, program, iso(now), store.partitions, entries, STORE_LEVEL
        )
        writer.write(header)
        known = {key.name: _digest(key) for key in before}
        for key in before:
            writer.write(key)
        _write_entries(store, writer, lengths)
        again = keys_by_treatment(store.redis).get("account", [])
        for key in read_keys(store.redis, again, now):
            if known.get(key.name) != _digest(key):
                writer.write(key)
        return writer.end()


def _write_entries(store: EventStore, writer: BackupWriter, lengths: list[int]) -> None:
    for record in show_progress("entries", read_entries(store, lengths), sum(lengths)):
        writer.write(record)
        for fault in _find_corruption(record):
            click.echo(f"{fault} The backup has it unchanged.", err=True)


def check_backup(file: Path) -> End:
    """Return the end record of a valid backup. Raises CannotRun if the file is corrupt."""
    *_, end = deque(read_valid(file), maxlen=1)
    assert isinstance(end, End)
    return end


def read_valid(file: Path) -> Iterator[Record]:
    """Yield the records of a backup; CannotRun names the first corrupt line."""
    try:
        yield from read_backup(file)
    except BadBackup as error:
        raise CannotRun(f"{file}: {error}") from None
    except OSError as error:
        raise CannotRun(f"Cannot read {file} ({error.strerror}).") from None


def _find_corruption(entry: StoredStub | StoredEntry) -> Iterator[str]:
    """Yield what is wrong with a stored entry, if anything; archived entries are not checked."""
    try:
        if isinstance(entry, StoredStub):
            decode_stub(entry.match, entry.value)
        elif entry.archived:
            return
        elif entry.value:
            decode_row(entry.match, f"{entry.version}-0".encode(), {ENTRY_FIELD: entry.value})
        else:
            yield f"{entry.match}: version {entry.version} is missing."
    except CorruptEntry as error:
        yield f"{entry.match}: {error}"


def _digest(key: StoredKey) -> int:
    return crc32(json.encode((key.type, key.value)))


def _summarize(end: End) -> str:
    summed = f"{end.matches} matches, {end.entries} entries, {end.keys} other keys"
    return f"{summed}; keep its {len(end.packs)} archive packs with it" if end.packs else summed
