"""How tables are written: as lines of JSON, as CSV, or as Parquet.

Rows are always staged as lines, in a file for each part. Parquet is made of those by DuckDB, which
reads and writes piece by piece: so no part is ever in memory as a whole before it is finished.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import Raw

from service.analytics import csv_escape
from service.analytics.table_folders import FormatName
from workers.host.errors import CannotRun
from workers.tools.tables.parts.schema import JSON, Column, Row, columns, stored_as

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "256MB"
"""What DuckDB may take to make a part, besides its code."""
GROUP_ROWS = 100_000
"""So many rows stand together in a Parquet file; engines read it, or leave it out, by these."""
NO_EXTENSIONS: Mapping[str, str] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""DuckDB loads nothing from elsewhere."""


class Format(Protocol):
    """How a table is written."""

    def lines(self, rows: Iterable[Row]) -> bytes:
        """Rows as they are staged."""
        ...

    def finished(self, table: str, staged: Path) -> bytes:
        """The file of a part whose rows are staged here."""
        ...


class Ndjson:
    """A row is an object of JSON in a line."""

    def lines(self, rows: Iterable[Row]) -> bytes:
        """Rows as they are staged."""
        return _ENCODER.encode_lines(rows)

    def finished(self, table: str, staged: Path) -> bytes:
        """The file of a part whose rows are staged here: just these."""
        return staged.read_bytes()


class Csv:
    """Names in the first line; lists and records are JSON, null is nothing."""

    def lines(self, rows: Iterable[Row]) -> bytes:
        """Rows as they are staged."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            [cell(value) for value in msgspec.structs.astuple(row)] for row in rows
        )
        return text.getvalue().encode()

    def finished(self, table: str, staged: Path) -> bytes:
        """The file of a part whose rows are staged here: these, below their names."""
        names = ",".join(column.name for column in columns(table))
        return f"{names}\n".encode() + staged.read_bytes()


class Parquet(Ndjson):
    """Columns apart, each compressed by itself; what engines read best."""

    def finished(self, table: str, staged: Path) -> bytes:
        """The file of a part whose rows are staged here."""
        made = staged.with_suffix(".parquet")
        known = columns(table)
        source = f"read_json({text(staged)}, format = 'newline_delimited', {typed(known)})"
        with duckdb_of(staged.parent) as connection:
            connection.execute(
                f"COPY (SELECT {selection(known)} FROM {source}) TO {text(made)} (FORMAT parquet,"  # noqa: S608
                f" COMPRESSION zstd, COMPRESSION_LEVEL 9, ROW_GROUP_SIZE {GROUP_ROWS})"
            )
        content = made.read_bytes()
        made.unlink()
        return content


_ENCODER = msgspec.json.Encoder()
FORMATS: Mapping[FormatName, type[Format]] = {"parquet": Parquet, "ndjson": Ndjson, "csv": Csv}


def format_of(name: FormatName) -> Format:
    """How tables of this format are written; CannotRun if something is not installed for it."""
    if name == "parquet":
        require_duckdb("Parquet")
    return FORMATS[name]()


def require_duckdb(what: str) -> None:
    """CannotRun unless there is DuckDB, which this needs."""
    if find_spec("duckdb") is None:
        raise CannotRun(f"{what} needs DuckDB: pip install 'annals[analytics]'.")


def duckdb_of(folder: Path) -> DuckDBPyConnection:
    """A DuckDB in memory that keeps to bounds, and puts aside in a folder what is too much."""
    import duckdb

    aside = str(folder / "aside")
    bounds = {"threads": "1", "memory_limit": MEMORY, "temp_directory": aside}
    return duckdb.connect(":memory:", config={**NO_EXTENSIONS, **bounds})


def quoted(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def text(value: object) -> str:
    """A text as SQL has it."""
    return "'" + str(value).replace("'", "''") + "'"


def typed(known: Sequence[Column]) -> str:
    """What tells a reader of lines the types of the columns."""
    types = ", ".join(f"{quoted(one.name)}: '{one.sql}'" for one in known)
    return f"columns = {{{types}}}"


def selection(known: Sequence[Column]) -> str:
    """All columns as they are in files."""
    return ", ".join(
        f"{quoted(one.name)}::{stored_as(one)} AS {quoted(one.name)}"
        if one.sql == JSON
        else quoted(one.name)
        for one in known
    )


def cell(value: object) -> object:
    """A value as a cell of CSV; no text is taken for a formula."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return csv_escape.cell(value)
        case Raw():
            return bytes(value).decode()
        case list() | tuple() | dict():
            return _ENCODER.encode(value).decode()
        case _:
            return value
