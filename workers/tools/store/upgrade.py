"""`annals upgrade --check`: reads a backup or a store, and says what this version changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.metadata import version
from os import environ
from pathlib import Path

import click
from redis import Redis

from domain.games import GAMES
from projections import PROJECTIONS
from projections.core.spaces import Projection, generation_key, position_key, space_of
from projections.studies import STUDIES
from service.runtime.settings import Settings
from service.store.archive.reader import open_archive
from service.store.event_store import EventStore
from service.store.redis_client import connect, store_errors
from service.store.store_format import STORE_LEVEL, last_program, read_level
from workers.host.errors import CannotRun
from workers.host.redis.on_demand import running_redis
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings
from workers.tools.scratch_folder import scratch_folder
from workers.tools.stopping import stoppable
from workers.tools.store.backup import check_backup, read_store, read_valid
from workers.tools.store.backup_file import Record
from workers.tools.store.trial import Trial, begin_trial, run_trial


@click.command()
@click.option("--check", is_flag=True, required=True, help="Check, and change nothing.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
def upgrade(check: bool, file: Path | None) -> None:
    """Read everything with this version, and say what would change: of the backup FILE, or of the
    store of a service, which may run with another version.

    It writes nothing to the store. The exit code is 0 if this version can read all of it, otherwise
    1.
    """
    settings = read_service_settings(environ)
    if file:
        end = check_backup(file)
        total = 1 + end.keys + end.entries
        _check(settings, show_progress("lines", read_valid(file), total))
        return
    with running_redis(settings), closing(connect(settings.events_url)) as redis:
        archive = open_archive(settings)
        store = EventStore(redis, settings.partitions, archive, reads_only=True)
        level, _ = read_level(redis)
        ran = last_program(redis).partition("+")[0]
        _check(settings, read_store(store, level), find_changes_of_lists(store), ran)


def _check(
    settings: Settings, records: Iterable[Record], changes: Iterable[str] = (), ran: str = ""
) -> None:
    """Print what is wrong and what changes; exit with 1 if anything is wrong. `ran` is the version
    that last ran the service on a store; of a backup, its header has the version.
    """
    faults = 0
    with stoppable() as stop, scratch_folder() as folder:
        trial, rest = begin_trial(records)
        for fault in run_trial(trial, rest, settings, folder):
            faults += 1
            click.echo(fault)
    if stop.requested:
        raise CannotRun("Stopped before everything was read.")
    by = f"Annals {version('annals')}"
    if faults:
        click.echo(f"{by} read {trial}, {faults} faults found: do not upgrade before you know why.")
        raise SystemExit(1)
    for change in (*changes, *find_changes(trial)) or ("An upgrade changes nothing.",):
        click.echo(change)
    for alike in trial.looks.alike:
        click.echo(alike)
    click.echo(f"{by} can read {trial}, written by Annals {ran or trial.header.annals}.")


def find_changes(trial: Trial) -> Iterator[str]:
    """Sentences about what an upgrade changes in matches and for the way back."""
    if trial.header.level < STORE_LEVEL:
        yield (
            "Older versions cannot use the store any more: to go back, restore a backup that they"
            " wrote."
        )
    for (game, rules), matches in sorted(trial.earlier_rules.items()):
        now = GAMES[game]
        yield (
            f"{now.title}: {matches} matches in play continue with rules {now.rules}; their last"
            f" moves were made with rules {rules}."
        )
    if added := trial.looks.describe_added():
        yield added


def find_changes_of_lists(store: EventStore) -> Iterator[str]:
    """Sentences about the read models that the start of this version rebuilds."""
    used = [n for n in range(store.partitions) if store.feed_length(n)]
    with store_errors():
        for one in (*PROJECTIONS, *STUDIES):
            if used and not any(_is_folded(store.redis, n, one) for n in used):
                yield (
                    f"{one.name}: the start folds this read model from the first entry, because"
                    " the store has none in this format."
                )


def _is_folded(redis: Redis, partition: int, one: Projection) -> bool:
    generation = int(redis.get(generation_key(partition, one)) or 0)
    return bool(redis.exists(position_key(space_of(partition, one, generation))))
