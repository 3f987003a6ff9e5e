"""`annals sql` answers one query over tables, and touches nothing else of the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from signal import SIGINT

import pytest

from service.matches.container import Annals
from tests.support.exported import annals, export, files, over, refused, said, select, settings
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns

__all__ = ["annals", "settings"]


INTERRUPTED = """
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


def test_an_answer_is_a_table_or_csv_or_json(tables: Path) -> None:
    query = (
        "select 'a,b' as text, [1, 2] as list, null as nothing, '=1' as formula, 0.5::float as n"
    )
    shown = said("sql", "--from", tables, query).stdout
    assert [word for word in ("text", "a,b", "[1, 2]", "0.5") if word not in shown] == []
    assert said("sql", "--from", tables, "--csv", query).stdout == (
        'text,list,nothing,formula,n\n"a,b","[1,2]",,\'=1,0.5\n'
    )
    assert select(tables, query) == [
        {"text": "a,b", "list": [1, 2], "nothing": None, "formula": "=1", "n": 0.5}
    ]


def test_no_value_is_lost_to_another_of_the_same_name(tables: Path) -> None:
    query = "select 1 as n, 2 as n"
    assert said("sql", "--from", tables, "--csv", query).stdout == "n,n\n1,2\n"
    assert "same name" in refused("sql", "--from", tables, "--json", query)


def test_what_never_ends_is_ended_by_ctrl_c(tables: Path) -> None:
    endless = "with recursive r(n) as (select 1 union all select n from r) select count(*) from r"
    ends = subprocess.run([sys.executable, "-c", INTERRUPTED, tables, endless], timeout=60)
    assert ends.returncode == -SIGINT


def test_a_long_answer_is_cut_for_people_alone(tables: Path) -> None:
    query = "select range as n from range(1000)"
    assert "the first 200 rows" in said("sql", "--from", tables, query).stdout
    assert len(select(tables, query)) == 1000


@pytest.mark.parametrize(
    "query",
    [
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
    ],
)
def test_nothing_else_is_read_or_written(query: str, tables: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret\n1\n")
    before = files(tmp_path)
    told = refused("sql", "--from", tables, query.format(tmp_path))
    assert len(told.splitlines()) == 1
    assert files(tmp_path) == before


def test_a_fault_late_in_an_answer_is_told(tables: Path) -> None:
    """By a form that has all rows: a table for people may have its first ones before the fault."""
    query = "select cast(if(range = 50000, 'x', '1') as int) from range(100000)"
    assert "'x'" in refused("sql", "--from", tables, "--csv", query)


def test_files_of_which_the_manifest_says_nothing_do_not_count(tables: Path) -> None:
    count = select(tables, "select count(*) as n from matches")
    [first] = tables.glob("matches/game=qin/*/*.parquet")
    (first.parent / "part-000009.parquet").write_bytes(first.read_bytes())
    assert select(tables, "select count(*) as n from matches") == count


@pytest.mark.parametrize("name", ["parquet", "ndjson", "csv"])
def test_tables_without_rows_have_columns(annals: Annals, tmp_path: Path, name: str) -> None:
    export(tmp_path, "--format", name)
    for table in TABLES:
        header = said("sql", "--from", tmp_path, "--csv", f"select * from {table}").stdout
        assert header.strip().split(",") == [*(one.name for one in columns(table)), *PARTITIONS]


def test_what_is_no_place_of_tables_is_named(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused("sql", "select 1").startswith("Which tables?")
    assert refused("sql", "--from", tmp_path, "select 1").startswith("There are no tables in")
    monkeypatch.setenv("ANNALS_EXPORT", str(tmp_path))
    export(tmp_path)
    assert "1" in said("sql", "select 1").stdout
