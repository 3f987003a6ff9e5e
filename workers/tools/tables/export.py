"""`annals export`: writes finished matches as tables for tools that do not know Annals.

You can kill it at any moment; the next run continues: see workers/tools/tables/parts/folder.py.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event

import click
import structlog
from msgspec import Struct

from service.analytics.table_folders import REAL_IDS, FeedMark, FormatName, TableOptions
from service.matches.container import Annals, open_annals
from service.runtime.atomic_write import PRIVATE_MODE, PUBLIC_MODE
from service.runtime.errors import StoreUnavailable
from service.runtime.logs import configure_logs
from service.store.archive.targets import FolderTarget as LocalFolder
from service.store.archive.targets import Target, open_target
from service.store.redis_client import store_errors
from service.tlog.folder import CHECKPOINT
from service.tlog.folder import Folder as LogFolder
from workers.host.errors import CannotRun
from workers.host.redis.checks import await_both
from workers.host.redis.on_demand import running_redis
from workers.tools.progress import show_progress
from workers.tools.running_store import read_service_settings
from workers.tools.stage_folder import hold_stage
from workers.tools.stopping import stoppable
from workers.tools.store.daily_tasks import require_answer, run_daily
from workers.tools.tables.parts import feeds
from workers.tools.tables.parts.feeds import FeedItem
from workers.tools.tables.parts.folder import TableFolder
from workers.tools.tables.parts.formats import FORMATS, format_of
from workers.tools.tables.parts.pseudonyms import Pseudonyms, read_salt
from workers.tools.tables.parts.rows_of_matches import NICE, Outcome, make_rows
from workers.tools.tables.parts.schema import TABLES
from workers.tools.tables.parts.staging import Stage

BATCH_BYTES = 64_000_000
"""A batch of this size is written; a killed export has to repeat at most this much."""
STAGE = ".stage"
log = structlog.get_logger("annals.export")


@click.command()
@click.argument("place", required=False)
@click.option(
    "--format", "name", type=click.Choice(sorted(FORMATS)), default="parquet", show_default=True
)
@click.option("--private", is_flag=True, help="Include private matches.")
@click.option("--names", is_flag=True, help="Write ids and names of players instead of pseudonyms.")
@click.option("--analyse", is_flag=True, help="Analyse matches that have no analysis yet.")
@click.option("--fast", is_flag=True, help="Do not count legal moves.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
@click.option("--daily", is_flag=True, help="Run once a day until you stop it.")
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
    """Write finished matches as tables to PLACE: a folder, or a URL for fsspec.

    If there are tables already, it adds the matches that have ended since. PLACE defaults to
    ANNALS_EXPORT.
    """
    settings = read_service_settings(os.environ)
    place = place or settings.export
    if not place:
        raise CannotRun("Name a folder or a URL, or set ANNALS_EXPORT.")
    format_of(name)
    mode = PRIVATE_MODE if private or names else PUBLIC_MODE
    os.umask(0o777 & ~(mode | 0o111))  # users who may read a file may enter its folders
    target = open_target(place, "PLACE", mode)
    options = ExportOptions(name, private, names, analyse, fast)
    if daily:
        configure_logs(settings.log_level)
        os.nice(NICE)
        await_both(settings)
        export_daily(open_annals(settings), target, options, Event())
        return
    with running_redis(settings):
        task = Export(open_annals(settings), target, options)
        with name_place(place), stoppable() as stop:
            task.run(processes)
    for match, error in task.corrupt.items():
        click.echo(f"{match}: {error} It is left out; the next export tries again.")
    rows = ", ".join(f"{task.rows[table]} {table}" for table in TABLES)
    click.echo(f"{rows} were written in {task.files} files.")
    if stop.requested:
        raise CannotRun("Stopped: the next export continues.")


class ExportOptions(Struct, frozen=True):
    """The options of an export; see docs/tables.md."""

    format: FormatName
    private: bool = False
    names: bool = False
    analyse: bool = False
    fast: bool = False


class Export:
    """Writes the matches that have ended since the last export."""

    def __init__(self, annals: Annals, target: Target, options: ExportOptions) -> None:
        self._annals, self._target = annals, target
        self._format = format_of(options.format)
        with store_errors():
            people = REAL_IDS if options.names else Pseudonyms(read_salt(annals.store.redis)).mark
        self._options = TableOptions(
            options.format, options.private, options.analyse, options.fast, people
        )
        self.rows = Counter[str]()
        self.files = 0
        self.corrupt: dict[str, str] = {}

    def run(self, processes: int = 1) -> None:
        """Process all entries since the last export. Raises CannotRun."""
        with hold_stage(self._stage_folder, "export") as rows:
            folder = TableFolder(self._target, self._options)
            known = folder.manifest
            feeds.check_marks(self._annals.store, known.reached)
            ends = feeds.feed_lengths(self._annals.store)
            ahead = sum(ends.values()) - sum(one.position for one in known.reached.values())
            found = feeds.read_new(self._annals.store, known.reached, ends)
            again = list(feeds.reread(self._annals.store, known.corrupt))
            every = chain(again, show_progress("entries", found, ahead))
            self._write(
                folder, Stage(rows), make_rows(self._annals, self._options, every, processes)
            )

    def _write(
        self, folder: TableFolder, stage: Stage, outcomes: Iterable[tuple[FeedItem, Outcome]]
    ) -> None:
        """Write the rows of all finished matches."""
        reached, corrupt = dict(folder.manifest.reached), set(folder.manifest.corrupt)
        for one, outcome in outcomes:
            if one.location in corrupt:
                corrupt.discard(one.location)
            else:
                reached[one.partition] = one.mark
            if isinstance(outcome, str):
                corrupt.add(one.location)
                self.corrupt[one.pointer.match] = outcome
            elif outcome:
                stage.add(outcome)
            if stage.size >= BATCH_BYTES:
                self._publish(folder, stage, reached, corrupt)
        self._publish(folder, stage, reached, corrupt)

    def _publish(
        self,
        folder: TableFolder,
        stage: Stage,
        reached: Mapping[int, FeedMark],
        corrupt: Set[tuple[int, int]],
    ) -> None:
        """Publish the staged rows, and record how far the feeds have been read."""
        known = folder.manifest
        if known.updated and (reached, corrupt) == (known.reached, set(known.corrupt)):
            return
        parts = [
            folder.write_file(group, rows, self._format.finish(group.table, path))
            for group, rows, path in stage.files()
        ]
        folder.publish(parts, reached, corrupt, self._annals.now(), self._checkpoint())
        for part in parts:
            self.rows[part.table] += part.rows
        self.files += len(parts)

    @property
    def _stage_folder(self) -> Path:
        """The folder for staged rows and the lock; for a remote place it is beside the data."""
        if isinstance(self._target, LocalFolder):
            return self._target.path / STAGE
        return self._annals.settings.data / STAGE

    def _checkpoint(self) -> str | None:
        folder = self._annals.settings.tlog_folder
        return LogFolder(folder).text(CHECKPOINT) if folder else None


@contextmanager
def name_place(place: str) -> Iterator[None]:
    """Turn an OSError into a CannotRun that names the place."""
    try:
        yield
    except (CannotRun, StoreUnavailable):
        raise
    except OSError as error:
        raise CannotRun(f"Cannot write to {place}: {error.strerror or error}.") from None


def export_daily(annals: Annals, target: Target, options: ExportOptions, stop: Event) -> None:
    """Export once a day until `stop` is set; errors are logged, also if the place of the tables
    does not answer at the start.
    """

    def once() -> None:
        task = Export(annals, target, options)
        task.run()
        log.info("exported", files=task.files, **task.rows)
        for match in task.corrupt:
            log.error("entry_corrupt", match=match)

    _log_errors(partial(require_answer, target))
    run_daily(partial(_log_errors, once), stop)


def _log_errors(task: Callable[[], None]) -> None:
    try:
        task()
    except (CannotRun, StoreUnavailable) as reason:
        log.error("export_refused", reason=str(reason))
    except Exception:
        log.exception("export_failed")
