"""SQL over exported tables, by DuckDB, of the files that the manifest names and of nothing else.

Whatever is asked, nothing on this machine is written or read besides: one query is taken, no other
statement; files outside are out of reach; and no extension is loaded from anywhere.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIG_DFL, SIGINT, signal
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec
from rich.console import Console
from rich.table import Table

from service.analytics.table_folders import Manifest, Part
from service.runtime.settings import read_settings
from service.store.archive.targets import is_url, target_at
from workers.host.errors import CannotRun
from workers.tools.tables.parts.folder import manifest_of
from workers.tools.tables.parts.formats import (
    NO_EXTENSIONS,
    cell,
    quoted,
    require_duckdb,
    selection,
    text,
    typed,
)
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns, stored_as

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Form = Literal["csv", "json"] | None
READERS = {
    "csv": ("read_csv", "header = true, quote = '\"', escape = '\"'"),
    "ndjson": ("read_json", "format = 'newline_delimited'"),
}
PAGE = 1_000
SHOWN = 200
"""So many rows are shown as a table; CSV and JSON have all."""


@click.command()
@click.argument("query")
@click.option("--from", "place", help="Where the tables are; ANNALS_EXPORT otherwise.")
@click.option("--csv", "form", flag_value="csv", help="The answer as CSV.")
@click.option("--json", "form", flag_value="json", help="The answer as lines of JSON.")
def sql(query: str, place: str | None, form: Form) -> None:
    """Ask exported tables: matches, seats, decisions, draws, events.

    QUERY is one statement that selects something.
    """
    require_duckdb("SQL")
    place = place or read_settings(os.environ).export
    if not place:
        raise CannotRun("Which tables? Say --from, or set ANNALS_EXPORT.")
    with ended_at_once():
        names, rows = asked(place, query)
        FORMS[form](names, rows)


@contextmanager
def ended_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process: DuckDB looks for it only after a step, which may never end."""
    before = signal(SIGINT, SIG_DFL)
    try:
        yield
    finally:
        signal(SIGINT, before)


def asked(place: str, query: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
    """The names of the columns, and the rows, that a query selects of the tables in a place;
    CannotRun.
    """
    import duckdb

    target = target_at(place, "--from")
    manifest = manifest_of(target)
    if manifest is None:
        raise CannotRun(f"There are no tables in {place}: `annals export` writes some.")
    # Without a folder for temporary files, or it could be read and written.
    connection = duckdb.connect(":memory:", config={**NO_EXTENSIONS, "temp_directory": ""})
    try:
        _refuse_other(connection, query)
        _open(connection, _base(connection, place), manifest)
        answer = connection.execute(query)
    except duckdb.Error as error:
        raise _refusal(error) from None
    return [name for name, *_ in answer.description or ()], _rows(answer)


def _refuse_other(connection: DuckDBPyConnection, query: str) -> None:
    """CannotRun unless this is one query."""
    from duckdb import StatementType

    if [one.type for one in connection.extract_statements(query)] != [StatementType.SELECT]:
        raise CannotRun("Only one query is answered here, as `select ...`; nothing is written.")


def _base(connection: DuckDBPyConnection, place: str) -> str:
    """What comes before the paths of files, for DuckDB."""
    if not is_url(place):
        return str(Path(place).expanduser().absolute())
    from fsspec.core import url_to_fs  # type: ignore[import-untyped]

    found: Any = url_to_fs(place)
    files, path = found
    connection.register_filesystem(files)
    return str(files.unstrip_protocol(path))


def _open(connection: DuckDBPyConnection, base: str, manifest: Manifest) -> None:
    """Have a view of each table, and nothing else of this machine."""
    allowed = ", ".join(text(f"{base}/{part.path}") for part in manifest.files)
    connection.execute(f"SET allowed_paths = [{allowed}]")
    for name in TABLES:
        parts = [part for part in manifest.files if part.table == name]
        view = _view(name, base, parts, manifest) if parts else _empty(name)
        connection.execute(f"CREATE VIEW {name} AS {view}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _view(name: str, base: str, parts: Sequence[Part], manifest: Manifest) -> str:
    """What selects all of a table from its files."""
    files = ", ".join(text(f"{base}/{part.path}") for part in parts)
    hive = ", ".join(f"{one}: VARCHAR" for one in PARTITIONS)
    common = f"[{files}], hive_partitioning = true, hive_types = {{{hive}}}"
    if manifest.made.format == "parquet":
        return f"SELECT * FROM read_parquet({common})"  # noqa: S608 - our own names
    reader, how = READERS[manifest.made.format]
    known = columns(name)
    selected = ", ".join([selection(known), *PARTITIONS])
    return f"SELECT {selected} FROM {reader}({common}, {how}, {typed(known)})"  # noqa: S608


def _empty(name: str) -> str:
    """What selects a table that has no rows yet."""
    kinds = [(one.name, stored_as(one)) for one in columns(name)]
    kinds += [(partition, "VARCHAR") for partition in PARTITIONS]
    selected = ", ".join(f"NULL::{kind} AS {quoted(column)}" for column, kind in kinds)
    return f"SELECT {selected} WHERE false"


def _rows(answer: DuckDBPyConnection) -> Iterator[Sequence[Any]]:
    """All rows, worked out as they are wanted; CannotRun."""
    import duckdb

    try:
        while page := answer.fetchmany(PAGE):
            yield from page
    except duckdb.Error as error:
        raise _refusal(error) from None


def _refusal(error: Exception) -> CannotRun:
    """What DuckDB says, in a line."""
    return CannotRun(" ".join(str(error).split()))


def _show(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    """The answer for people."""
    shown = Table(*names)
    more = False
    for count, row in enumerate(rows):
        more = count == SHOWN
        if more:
            break
        shown.add_row(*("" if value is None else _said(value) for value in row))
    console = Console(highlight=False, markup=False)
    console.print(shown)
    if more:
        console.print(f"These are the first {SHOWN} rows; --csv and --json have all.")


def _said(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _print_csv(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(map(cell, row) for row in rows)


def _print_json(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    """A line for each row; CannotRun if a name would stand for two of its values."""
    if len(set(names)) < len(names):
        raise CannotRun("Two columns have the same name: tell them apart with `as`.")
    for row in rows:
        click.echo(msgspec.json.encode(dict(zip(names, row, strict=True)), enc_hook=str))


FORMS: Mapping[Form, Callable[[Sequence[str], Iterator[Sequence[Any]]], None]] = {
    None: _show,
    "csv": _print_csv,
    "json": _print_json,
}
