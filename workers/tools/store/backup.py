"""Backup: everything that cannot be made anew, in one file that any store can be filled from."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from importlib.metadata import version
from os import environ
from pathlib import Path
from zlib import crc32

import click
from msgspec import json

from domain.match.log import Damaged
from service.matches.container import wall_clock
from service.matches.queries import iso
from service.runtime.settings import read_settings
from service.store.archive.reader import archive_of
from service.store.archive.stubs import stub_in
from service.store.entry_codec import FIELD, entry_of
from service.store.event_store import Store
from service.store.redis_client import connect
from service.store.store_format import FORMAT as STORE_FORMAT
from workers.host.errors import CannotRun
from workers.host.redis_up import redis_up
from workers.tools.progress import counted
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
from workers.tools.store.dump import feed_lengths, keys_by_treatment, stored_entries, stored_keys


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--check", is_flag=True, help="Check a FILE that is there; no store is needed.")
@click.option("--overwrite", is_flag=True, help="Replace FILE if it is there.")
def backup(file: Path, check: bool, overwrite: bool) -> None:
    """Write all matches and accounts to FILE, while the service runs or not."""
    if check:
        click.echo(f"{file} is sound: {_summed_up(checked(file))}.")
        return
    if file.exists() and not overwrite:
        raise CannotRun(f"{file} is there already: choose another name, or add --overwrite.")
    settings = read_settings(environ)
    with redis_up(settings):
        archive = archive_of(settings)
        store = Store(connect(settings.events_url), settings.partitions, archive)
        try:
            end = write_backup(store, file)
        except OSError as error:
            raise CannotRun(
                f"Cannot write {file} ({error.strerror}): nothing was kept of it."
            ) from None
    click.echo(f"{file}: {_summed_up(end)}, {file.stat().st_size} bytes.")


def write_backup(store: Store, file: Path) -> End:
    """Write a backup of a store; what it has in it.

    It is consistent although the service goes on. Entries never change, and all of a match are in
    one feed in their order: so those up to a place in the feed are the match as it was. The places
    are taken at one moment, at which no match had led to anything that is not in the feeds, too.
    Accounts are read before and after it, so that one which is being changed is in one of the two;
    none is missing that an entry names. Results of ratings are read before it: what is rated later
    is rated again after a restore, and what was is known by its entry.
    """
    now = wall_clock()
    with backup_writer(file) as writer:
        keys = keys_by_treatment(store.redis)
        for name in keys.get(None, []):
            click.echo(f"{name.decode(errors='replace')} is no key of Annals: left out.", err=True)
        before = list(
            stored_keys(store.redis, (*keys.get("result", []), *keys.get("account", [])), now)
        )
        lengths = feed_lengths(store)
        writer.write(
            Header(
                FORMAT, STORE_FORMAT, version("annals"), iso(now), store.partitions, sum(lengths)
            )
        )
        known = {key.name: _digest(key) for key in before}
        for key in before:
            writer.write(key)
        _write_entries(store, writer, lengths)
        again = keys_by_treatment(store.redis).get("account", [])
        for key in stored_keys(store.redis, again, now):
            if known.get(key.name) != _digest(key):
                writer.write(key)
        return writer.end()


def _write_entries(store: Store, writer: BackupWriter, lengths: list[int]) -> None:
    for record in counted("entries", stored_entries(store, lengths), sum(lengths)):
        writer.write(record)
        for fault in _damage(record):
            click.echo(f"{fault} It is in the backup as it is.", err=True)


def checked(file: Path) -> End:
    """What a backup has in it, if it is sound to its end; CannotRun if it is not."""
    *_, end = deque(sound(file), maxlen=1)
    assert isinstance(end, End)
    return end


def sound(file: Path) -> Iterator[Record]:
    """The records of a backup; CannotRun says in which line it is damaged."""
    try:
        yield from read_backup(file)
    except BadBackup as error:
        raise CannotRun(f"{file}: {error}") from None
    except OSError as error:
        raise CannotRun(f"Cannot read {file} ({error.strerror}).") from None


def _damage(entry: StoredStub | StoredEntry) -> Iterator[str]:
    """What is wrong with what is stored, if anything is; the archive is not looked at."""
    try:
        if isinstance(entry, StoredStub):
            stub_in(entry.match, entry.value)
        elif entry.archived:
            return
        elif entry.value:
            entry_of(entry.match, f"{entry.version}-0".encode(), {FIELD: entry.value})
        else:
            yield f"{entry.match}: version {entry.version} is missing."
    except Damaged as damage:
        yield f"{entry.match}: {damage}"


def _digest(key: StoredKey) -> int:
    return crc32(json.encode((key.type, key.value)))


def _summed_up(end: End) -> str:
    summed = f"{end.matches} matches, {end.entries} entries, {end.keys} other keys"
    return f"{summed}; keep {len(end.packs)} packs of the archive with it" if end.packs else summed
