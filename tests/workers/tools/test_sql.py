"""`annals sql` runs one query over tables, and touches nothing else of the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from signal import SIGINT

import pytest

from service.matches.container import Annals
from tests.support.exported import (
    annals,
    export,
    files,
    over,
    refusal_of,
    run_command,
    select,
    settings,
)
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns
from workers.tools.tables.sql import run_query

__all__ = ["annals", "settings"]


INTERRUPTED_CODE = """
import os, signal, sys, threading
from workers.tools.tables.sql import sql
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
sql(["--from", *sys.argv[1:]])
"""


@pytest.fixture
def tables(annals: Annals, tmp_path: Path) -> Path:
    over(annals.store, "qin", "m")
    export(tmp_path / "tables")
    return tmp_path / "tables"


def test_an_answer_is_a_table_csv_or_json(tables: Path) -> None:
    query = (
        "select 'a,b' as text, [1, 2] as list, null as nothing, '=1' as formula, 0.5::float as n"
    )
    shown = run_command("sql", "--from", tables, query).stdout
    assert [word for word in ("text", "a,b", "[1, 2]", "0.5") if word not in shown] == []
    assert run_command("sql", "--from", tables, "--csv", query).stdout == (
        'text,list,nothing,formula,n\n"a,b","[1,2]",,\'=1,0.5\n'
    )
    assert select(tables, query) == [
        {"text": "a,b", "list": [1, 2], "nothing": None, "formula": "=1", "n": 0.5}
    ]


def test_every_column_can_be_named_without_quotes(tables: Path) -> None:
    """DuckDB gets new keywords: `at` became one after it was a column."""
    queries = [
        f"select max({column})::varchar, count({table}.{column}) from {table} "
        f"where {column} is not null group by {column} order by {column}"
        for table in TABLES
        for column in (*(one.name for one in columns(table)), *PARTITIONS)
    ]
    assert len(queries) > 80
    _, rows = run_query(str(tables), " union all ".join(f"from ({one})" for one in queries))
    assert list(rows)


def test_columns_of_the_same_name_are_refused(tables: Path) -> None:
    query = "select 1 as n, 2 as n"
    assert run_command("sql", "--from", tables, "--csv", query).stdout == "n,n\n1,2\n"
    assert "same name" in refusal_of("sql", "--from", tables, "--json", query)


def test_ctrl_c_ends_an_endless_query(tables: Path) -> None:
    endless = "with recursive r(n) as (select 1 union all select n from r) select count(*) from r"
    ends = subprocess.run([sys.executable, "-c", INTERRUPTED_CODE, tables, endless], timeout=60)
    assert ends.returncode == -SIGINT


def test_only_the_terminal_table_is_truncated(tables: Path) -> None:
    query = "select range as n from range(1000)"
    assert "the first 200 rows" in run_command("sql", "--from", tables, query).stdout
    assert len(select(tables, query)) == 1000


def test_nothing_else_is_read_or_written(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret\n1\n")
    before = files(tmp_path)
    for query in (
        "copy (select 1) to '{0}/stolen.csv'",
        "explain analyze copy (select 1) to '{0}/stolen.csv'",
        "create table t as select 1",
        "attach '{0}/stolen.db'",
        "select 1; select 2",
        "install httpfs",
        "set threads = 1",
        "pragma database_list",
        "",
        "select * from read_csv('{0}/secret.csv')",
        "select * from read_text('{0}/secret.csv')",
        "select * from '{0}/secret.csv'",
        "select * from glob('{0}/*')",
        "select * from read_text('/etc/passwd')",
        "select nothing from matches",
        "selec",
    ):
        told = refusal_of("sql", "--from", tables, query.format(tmp_path))
        assert len(told.splitlines()) == 1, query
        assert files(tmp_path) == before, query


def test_a_late_error_is_reported(tables: Path) -> None:
    """In a format with all rows: a terminal table may show its first ones before the error."""
    query = "select cast(if(range = 50000, 'x', '1') as int) from range(100000)"
    assert "'x'" in refusal_of("sql", "--from", tables, "--csv", query)


def test_files_outside_the_manifest_do_not_count(tables: Path) -> None:
    count = select(tables, "select count(*) as n from matches")
    [first] = tables.glob("matches/game=qin/*/*.parquet")
    (first.parent / "part-000009.parquet").write_bytes(first.read_bytes())
    assert select(tables, "select count(*) as n from matches") == count


@pytest.mark.parametrize("name", ["parquet", "ndjson", "csv"])
def test_tables_without_rows_have_columns(annals: Annals, tmp_path: Path, name: str) -> None:
    export(tmp_path, "--format", name)
    for table in TABLES:
        header = run_command("sql", "--from", tmp_path, "--csv", f"select * from {table}").stdout
        assert header.strip().split(",") == [*(one.name for one in columns(table)), *PARTITIONS]


def test_a_place_without_tables_is_named(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refusal_of("sql", "select 1").startswith("Name the place of the tables")
    assert refusal_of("sql", "--from", tmp_path, "select 1").startswith("There are no tables in")
    monkeypatch.setenv("ANNALS_EXPORT", str(tmp_path))
    export(tmp_path)
    assert "1" in run_command("sql", "select 1").stdout
