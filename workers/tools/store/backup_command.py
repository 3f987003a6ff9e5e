"""`annals backup`: writes a file from which you can fill any store, or keeps some by a schedule."""

from __future__ import annotations

from os import environ
from pathlib import Path

import click

from service.store.archive.reader import open_archive
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.host.errors import CannotRun
from workers.host.redis.on_demand import running_redis
from workers.tools.running_store import read_service_settings
from workers.tools.store.backup import check_backup, write_backup
from workers.tools.store.backup_file import End
from workers.tools.store.scheduled_backup import keep_backups


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--check", is_flag=True, help="Check an existing FILE; needs no store.")
@click.option("--overwrite", is_flag=True, help="Replace FILE if it exists.")
@click.option("--scheduled", is_flag=True, help="Back up by a schedule until you stop it.")
@click.option("--accept-faults", is_flag=True, help="Count the faults of the store as known.")
def backup(
    file: Path | None, check: bool, overwrite: bool, scheduled: bool, accept_faults: bool
) -> None:
    """Write all matches and accounts to FILE, while the service runs or not.

    Without FILE, write a backup to ANNALS_BACKUP, verify it, and delete those that are no longer
    needed. If the store has faults that you know, --accept-faults lets its backups count as good
    until it has others.
    """
    if file is None and (check or overwrite):
        raise click.UsageError("Name a FILE to check or to replace.")
    if file and (scheduled or accept_faults):
        raise click.UsageError("That takes no FILE: it backs up to ANNALS_BACKUP.")
    if scheduled and accept_faults:
        raise click.UsageError("--accept-faults accepts those of now: leave out --scheduled.")
    if file is None:
        keep_backups(read_service_settings(environ), scheduled=scheduled, accept=accept_faults)
    elif check:
        click.echo(f"{file} is valid: {_summarize(check_backup(file))}.")
    else:
        _back_up_to(file, overwrite)


def _back_up_to(file: Path, overwrite: bool) -> None:
    if file.exists() and not overwrite:
        raise CannotRun(f"{file} exists already: choose another name, or add --overwrite.")
    settings = read_service_settings(environ)
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


def _summarize(end: End) -> str:
    summed = f"{end.matches} matches, {end.entries} entries, {end.keys} other keys"
    return f"{summed}; keep its {len(end.packs)} archive packs with it" if end.packs else summed
