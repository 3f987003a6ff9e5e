"""Export: matches that are over as tables, for tools that know nothing of Annals.

It can be killed at any moment, and goes on where it was: see workers/tools/tables/parts/folder.py.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Event

import click
import structlog
from msgspec import Struct

from service.analytics.table_folders import IDS, FormatName, Made, Reached
from service.matches.container import Annals, open_annals
from service.runtime.atomic_write import FOR_ALL, FOR_US
from service.runtime.errors import StoreUnavailable
from service.runtime.logs import write_logs
from service.runtime.settings import read_settings
from service.store.archive.targets import Folder as LocalFolder
from service.store.archive.targets import Target, target_at
from service.store.redis_client import answering
from service.tlog.folder import CHECKPOINT
from service.tlog.folder import Folder as LogFolder
from workers.host.errors import CannotRun
from workers.host.redis_check import await_both
from workers.host.redis_up import redis_up
from workers.tools.progress import counted
from workers.tools.store.daily_tasks import every_day
from workers.tools.tables.parts import feeds
from workers.tools.tables.parts.feeds import Seen
from workers.tools.tables.parts.folder import Folder
from workers.tools.tables.parts.formats import FORMATS, format_of
from workers.tools.tables.parts.pseudonyms import People, salt_of
from workers.tools.tables.parts.rows_of_matches import NICE, Outcome, made
from workers.tools.tables.parts.schema import TABLES
from workers.tools.tables.parts.staging import Stage, held

BATCH_BYTES = 64_000_000
"""A batch with so many bytes of rows is concluded: a killed export has so much to do again."""
STAGE = ".stage"
log = structlog.get_logger("annals.export")


@click.command()
@click.argument("place", required=False)
@click.option(
    "--format", "name", type=click.Choice(sorted(FORMATS)), default="parquet", show_default=True
)
@click.option("--private", is_flag=True, help="Private matches, too.")
@click.option("--names", is_flag=True, help="Ids and names of players instead of pseudonyms.")
@click.option("--analyse", is_flag=True, help="Analyse matches that are not analysed yet.")
@click.option("--fast", is_flag=True, help="Do not count legal moves.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
@click.option("--daily", is_flag=True, help="Do it once a day, until it is stopped.")
def export(
    place: str | None,
    name: FormatName,
    private: bool,
    names: bool,
    analyse: bool,
    fast: bool,
    processes: int,
    daily: bool,
) -> None:
    """Write matches that are over as tables to PLACE: a folder, or a URL for fsspec.

    Where there are tables already, those matches follow that have ended since. Without PLACE it is
    that of ANNALS_EXPORT.
    """
    settings = read_settings(os.environ)
    place = place or settings.export
    if not place:
        raise CannotRun("Where to? Name a folder or a URL, or set ANNALS_EXPORT.")
    format_of(name)
    mode = FOR_US if private or names else FOR_ALL
    os.umask(0o777 & ~(mode | 0o111))  # who may read a file may also enter the folders above it
    target = target_at(place, "PLACE", mode)
    wanted = Wanted(name, private, names, analyse, fast)
    if daily:
        write_logs(settings.log_level)
        os.nice(NICE)
        await_both(settings)
        keep_exporting(open_annals(settings), target, wanted, Event())
        return
    with redis_up(settings):
        job = Export(open_annals(settings), target, wanted)
        with said_where(place):
            job.run(processes)
    for match, damage in job.damage.items():
        click.echo(f"{match}: {damage} It is left out, and tried again the next time.")
    rows = ", ".join(f"{job.rows[table]} {table}" for table in TABLES)
    click.echo(f"{rows} were written in {job.files} files.")


class Wanted(Struct, frozen=True):
    """What tables are wanted; docs/tables.md has the options."""

    format: FormatName
    private: bool = False
    names: bool = False
    analyse: bool = False
    fast: bool = False


class Export:
    """Writes what has ended since the last time."""

    def __init__(self, annals: Annals, target: Target, wanted: Wanted) -> None:
        self._annals, self._target = annals, target
        self._format = format_of(wanted.format)
        with answering():
            people = IDS if wanted.names else People(salt_of(annals.store.redis)).mark
        self._how = Made(wanted.format, wanted.private, wanted.analyse, wanted.fast, people)
        self.rows = Counter[str]()
        self.files = 0
        self.damage: dict[str, str] = {}

    def run(self, processes: int = 1) -> None:
        """Go through all that was recorded since; CannotRun."""
        with held(self._stage_folder) as rows:
            folder = Folder(self._target, self._how)
            known = folder.manifest
            feeds.check(self._annals.store, known.reached)
            ends = feeds.lengths(self._annals.store)
            ahead = sum(ends.values()) - sum(one.position for one in known.reached.values())
            found = feeds.seen(self._annals.store, known.reached, ends)
            again = list(feeds.again(self._annals.store, known.damaged))
            every = chain(again, counted("entries", found, ahead))
            self._write(folder, Stage(rows), made(self._annals, self._how, every, processes))

    def _write(
        self, folder: Folder, stage: Stage, outcomes: Iterable[tuple[Seen, Outcome]]
    ) -> None:
        """Write what came of all that was seen."""
        reached, damaged = dict(folder.manifest.reached), set(folder.manifest.damaged)
        for one, outcome in outcomes:
            if one.place in damaged:
                damaged.discard(one.place)
            else:
                reached[one.partition] = one.reached
            if isinstance(outcome, str):
                damaged.add(one.place)
                self.damage[one.pointer.match] = outcome
            elif outcome:
                stage.add(outcome)
            if stage.size >= BATCH_BYTES:
                self._conclude(folder, stage, reached, damaged)
        self._conclude(folder, stage, reached, damaged)

    def _conclude(
        self,
        folder: Folder,
        stage: Stage,
        reached: Mapping[int, Reached],
        damaged: Set[tuple[int, int]],
    ) -> None:
        """Let what is on the stage count, and that everything was seen up to there."""
        known = folder.manifest
        if known.updated and (reached, damaged) == (known.reached, set(known.damaged)):
            return
        parts = [
            folder.put(group, rows, self._format.finished(group.table, path))
            for group, rows, path in stage.files()
        ]
        folder.conclude(parts, reached, damaged, self._annals.now(), self._checkpoint())
        for part in parts:
            self.rows[part.table] += part.rows
        self.files += len(parts)

    @property
    def _stage_folder(self) -> Path:
        """Where rows are staged, and a lock is: for a place elsewhere it is beside the data."""
        if isinstance(self._target, LocalFolder):
            return self._target.path / STAGE
        return self._annals.settings.data / STAGE

    def _checkpoint(self) -> str | None:
        folder = self._annals.settings.tlog_folder
        return LogFolder(folder).text(CHECKPOINT) if folder else None


@contextmanager
def said_where(place: str) -> Iterator[None]:
    """Say which place cannot be written to."""
    try:
        yield
    except (CannotRun, StoreUnavailable):
        raise
    except OSError as error:
        raise CannotRun(f"Cannot write to {place}: {error.strerror or error}.") from None


def keep_exporting(annals: Annals, target: Target, wanted: Wanted, stop: Event) -> None:
    """Export what has ended once a day until told to stop; what goes wrong is logged."""

    def once() -> None:
        try:
            job = Export(annals, target, wanted)
            job.run()
            log.info("exported", files=job.files, **job.rows)
            for match in job.damage:
                log.error("damaged", match=match)
        except CannotRun as reason:
            log.error("not_exported", why=str(reason))
        except Exception:
            log.exception("export_failed")

    every_day(once, stop)
