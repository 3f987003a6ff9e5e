"""SQL over exported tables, with DuckDB, limited to the files that the manifest names.

It reads and writes nothing else on this machine: it runs a single query, no other statement; files
outside are out of reach; and it loads no extensions.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from signal import SIG_DFL, SIGINT, signal
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec
from rich.console import Console
from rich.table import Table

from service.analytics.table_folders import TABLES_VERSION, Manifest, TableFile
from service.runtime.config.texts import absolute_path
from service.store.archive.targets import is_url, open_target
from workers.host.errors import CannotRun
from workers.host.optional_packages import require_duckdb
from workers.tools.running_store import read_service_settings
from workers.tools.tables.parts.folder import load_manifest
from workers.tools.tables.parts.formats import (
    NO_EXTENSIONS,
    column_types,
    csv_cell,
    quote_name,
    quote_text,
    selection,
)
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns, file_type

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Form = Literal["csv", "json"] | None
READERS = {
    "csv": ("read_csv", "header = true, quote = '\"', escape = '\"'"),
    "ndjson": ("read_json", "format = 'newline_delimited'"),
}
FETCH_ROWS = 1_000
MAX_ROWS_SHOWN = 200
"""Number of rows shown as a table; CSV and JSON contain all rows."""


@click.command()
@click.argument("query")
@click.option("--from", "place", help="Place of the tables; default: ANNALS_EXPORT.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--json", "form", flag_value="json", help="Print lines of JSON.")
def sql(query: str, place: str | None, form: Form) -> None:
    """Query exported tables: matches, seats, decisions, draws, events.

    QUERY is one SELECT statement.
    """
    require_duckdb("SQL")
    place = place or read_service_settings(os.environ).export
    if not place:
        raise CannotRun("Name the place of the tables with --from or ANNALS_EXPORT.")
    with end_on_interrupt():
        names, rows = run_query(place, query)
        FORMS[form](names, rows)


@contextmanager
def end_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process: DuckDB would check for it only after a step."""
    before = signal(SIGINT, SIG_DFL)
    try:
        yield
    finally:
        signal(SIGINT, before)


def run_query(place: str, query: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
    """Return the column names and the rows of a query to the tables in a place.
    Raises CannotRun.
    """
    import duckdb

    target = open_target(place, "--from")
    manifest = load_manifest(target)
    if manifest is None:
        raise CannotRun(f"There are no tables in {place}. Write them with `annals export`.")
    # no folder for temporary files, because queries could read and write it
    connection = duckdb.connect(":memory:", config={**NO_EXTENSIONS, "temp_directory": ""})
    try:
        _check_statement(connection, query)
        _create_views(connection, _path_prefix(connection, place), manifest)
        answer = connection.execute(query)
    except duckdb.Error as error:
        raise _query_error(error) from None
    return [name for name, *_ in answer.description or ()], _fetch_rows(answer)


def _check_statement(connection: DuckDBPyConnection, query: str) -> None:
    """CannotRun unless this is one SELECT statement."""
    from duckdb import StatementType

    if [one.type for one in connection.extract_statements(query)] != [StatementType.SELECT]:
        raise CannotRun("Only a single SELECT statement is allowed.")


def _path_prefix(connection: DuckDBPyConnection, place: str) -> str:
    """Return the prefix of file paths for DuckDB."""
    if not is_url(place):
        return str(absolute_path(place))
    from fsspec.core import url_to_fs  # type: ignore[import-untyped]

    found: Any = url_to_fs(place)
    files, path = found
    connection.register_filesystem(files)
    return str(files.unstrip_protocol(path))


def _create_views(connection: DuckDBPyConnection, base: str, manifest: Manifest) -> None:
    """Create a view for each table, and block access to everything else on this machine."""
    allowed = ", ".join(quote_text(f"{base}/{part.path}") for part in manifest.files)
    connection.execute(f"SET allowed_paths = [{allowed}]")
    for name in TABLES:
        parts = [part for part in manifest.files if part.table == name]
        view = _select_files(name, base, parts, manifest) if parts else _select_nothing(name)
        connection.execute(f"CREATE VIEW {name} AS {view}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _select_files(name: str, base: str, parts: Sequence[TableFile], manifest: Manifest) -> str:
    """Return the query that reads a table from its files."""
    files = ", ".join(quote_text(f"{base}/{part.path}") for part in parts)
    hive = ", ".join(f"{one}: VARCHAR" for one in PARTITIONS)
    common = f"[{files}], hive_partitioning = true, hive_types = {{{hive}}}"
    if manifest.made.format == "parquet":
        return f"SELECT * FROM read_parquet({common})"  # noqa: S608 - our own names
    reader, how = READERS[manifest.made.format]
    if manifest.schema != TABLES_VERSION:  # its columns are not those that this program knows
        return f"SELECT * FROM {reader}({common}, {how})"  # noqa: S608
    known = columns(name)
    selected = ", ".join([selection(known), *PARTITIONS])
    return f"SELECT {selected} FROM {reader}({common}, {how}, {column_types(known)})"  # noqa: S608


def _select_nothing(name: str) -> str:
    """Return the query for a table without rows."""
    kinds = [(one.name, file_type(one)) for one in columns(name)]
    kinds += [(partition, "VARCHAR") for partition in PARTITIONS]
    selected = ", ".join(f"NULL::{kind} AS {quote_name(column)}" for column, kind in kinds)
    return f"SELECT {selected} WHERE false"


def _fetch_rows(answer: DuckDBPyConnection) -> Iterator[Sequence[Any]]:
    """Yield all rows, in batches. Raises CannotRun."""
    import duckdb

    try:
        while page := answer.fetchmany(FETCH_ROWS):
            yield from page
    except duckdb.Error as error:
        raise _query_error(error) from None


def _query_error(error: Exception) -> CannotRun:
    """Return the message of DuckDB on one line."""
    return CannotRun(" ".join(str(error).split()))


def _show(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    """Print the rows as a table for the terminal."""
    shown = Table(*names)
    more = False
    for count, row in enumerate(rows):
        more = count == MAX_ROWS_SHOWN
        if more:
            break
        shown.add_row(*("" if value is None else _format_value(value) for value in row))
    console = Console(highlight=False, markup=False)
    console.print(shown)
    if more:
        console.print(f"These are the first {MAX_ROWS_SHOWN} rows; --csv and --json print all.")


def _format_value(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _print_csv(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(map(csv_cell, row) for row in rows)


def _print_json(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> None:
    """Print one object for each row. Raises CannotRun if two columns have the same name."""
    if len(set(names)) < len(names):
        raise CannotRun("Two columns have the same name: rename one with `as`.")
    for row in rows:
        click.echo(msgspec.json.encode(dict(zip(names, row, strict=True)), enc_hook=str))


FORMS: Mapping[Form, Callable[[Sequence[str], Iterator[Sequence[Any]]], None]] = {
    None: _show,
    "csv": _print_csv,
    "json": _print_json,
}
