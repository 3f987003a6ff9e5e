"""Writes tables as lines of JSON, as CSV, or as Parquet.

Rows are staged as lines, in a file for each part. DuckDB converts them to Parquet piece by piece,
so no part is in memory as a whole before it is finished.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import Raw

from service.analytics import csv_escape
from service.analytics.table_folders import FormatName
from workers.host.optional_packages import require_duckdb
from workers.tools.tables.parts.schema import JSON, Column, Row, columns, file_type

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY_LIMIT = "256MB"
"""The memory that DuckDB may use for a part, besides its code."""
GROUP_ROWS = 100_000
"""Number of rows in a row group of a Parquet file; engines read or skip whole groups."""
NO_EXTENSIONS: Mapping[str, str] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""DuckDB may not load anything."""


class Format(Protocol):
    """A format of tables."""

    def encode_lines(self, rows: Iterable[Row]) -> bytes:
        """Encode rows for staging."""
        ...

    def finish(self, table: str, staged: Path) -> bytes:
        """Return the content of the file of a part whose rows are staged in this file."""
        ...


class Ndjson:
    """One JSON object per line."""

    def encode_lines(self, rows: Iterable[Row]) -> bytes:
        """Encode rows for staging."""
        return _ENCODER.encode_lines(rows)

    def finish(self, table: str, staged: Path) -> bytes:
        """Return the staged lines, unchanged."""
        return staged.read_bytes()


class Csv:
    """Names in the first line; lists and records are JSON, null is empty."""

    def encode_lines(self, rows: Iterable[Row]) -> bytes:
        """Encode rows for staging."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            [csv_cell(value) for value in msgspec.structs.astuple(row)] for row in rows
        )
        return text.getvalue().encode()

    def finish(self, table: str, staged: Path) -> bytes:
        """Return the staged lines below a line of names."""
        names = ",".join(column.name for column in columns(table))
        return f"{names}\n".encode() + staged.read_bytes()


class Parquet(Ndjson):
    """Compressed columns: the format that engines read best."""

    def finish(self, table: str, staged: Path) -> bytes:
        """Return the staged lines, converted to Parquet."""
        made = staged.with_suffix(".parquet")
        known = columns(table)
        names = selection(known)
        source = (
            f"read_json({quote_text(staged)}, format = 'newline_delimited', {column_types(known)})"
        )
        with connect_duckdb(staged.parent) as connection:
            connection.execute(
                f"COPY (SELECT {names} FROM {source}) TO {quote_text(made)} (FORMAT parquet,"  # noqa: S608
                f" COMPRESSION zstd, COMPRESSION_LEVEL 9, ROW_GROUP_SIZE {GROUP_ROWS})"
            )
        content = made.read_bytes()
        made.unlink()
        return content


_ENCODER = msgspec.json.Encoder()
FORMATS: Mapping[FormatName, type[Format]] = {"parquet": Parquet, "ndjson": Ndjson, "csv": Csv}


def format_of(name: FormatName) -> Format:
    """Return the format with this name. Raises CannotRun if it needs a package that is not
    installed.
    """
    if name == "parquet":
        require_duckdb("Parquet")
    return FORMATS[name]()


def connect_duckdb(folder: Path) -> DuckDBPyConnection:
    """Return a DuckDB in memory with limits; it swaps to a folder inside this one."""
    import duckdb

    aside = str(folder / "aside")
    bounds = {"threads": "1", "memory_limit": MEMORY_LIMIT, "temp_directory": aside}
    return duckdb.connect(":memory:", config={**NO_EXTENSIONS, **bounds})


def quote_name(name: str) -> str:
    """Return a name, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def quote_text(value: object) -> str:
    """Return a text, quoted for SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def column_types(known: Sequence[Column]) -> str:
    """Return the argument with the types of the columns, for a reader of lines."""
    types = ", ".join(f"{quote_name(one.name)}: '{one.sql}'" for one in known)
    return f"columns = {{{types}}}"


def selection(known: Sequence[Column]) -> str:
    """Return the list of all columns, with the types that files have."""
    return ", ".join(
        f"{quote_name(one.name)}::{file_type(one)} AS {quote_name(one.name)}"
        if one.sql == JSON
        else quote_name(one.name)
        for one in known
    )


def csv_cell(value: object) -> object:
    """Return a value as a CSV cell; texts are escaped, so that no spreadsheet takes them for
    formulas.
    """
    match value:
        case bool():
            return str(value).lower()
        case str():
            return csv_escape.escape_cell(value)
        case Raw():
            return bytes(value).decode()
        case list() | tuple() | dict():
            return _ENCODER.encode(value).decode()
        case _:
            return value
