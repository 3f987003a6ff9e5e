"""Exported tables: pseudonyms, places, and when they are continued."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from service.matches.container import Annals
from tests.support.exported import (
    PLAYERS,
    annals,
    contents,
    export,
    files,
    manifest,
    one_of_each,
    over,
    read_files,
    refusal_of,
    select,
    settings,
)
from workers.host import optional_packages
from workers.tools.tables import export as tool
from workers.tools.tables.parts import formats
from workers.tools.tables.parts.pseudonyms import SALT_KEY

__all__ = ["annals", "settings"]


def test_private_matches_are_included_only_on_request(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "hidden", visibility="private")
    over(annals.store, "qin", "open")
    export(tmp_path / "public", "--format", "ndjson")
    assert not any(b"hidden" in text for text in read_files(tmp_path / "public"))
    export(tmp_path / "all", "--private")
    assert len(select(tmp_path / "all", "select * from matches")) == 2


def test_players_are_pseudonymous_by_default(annals: Annals, tmp_path: Path) -> None:
    one_of_each(annals.store)
    export(tmp_path / "t", "--format", "ndjson")
    for text in read_files(tmp_path / "t"):
        assert not [player for player in PLAYERS if player.encode() in text]
    players = select(tmp_path / "t", "select distinct player from seats")
    assert {row["player"][0] for row in players} == {"p"}
    hosts = select(
        tmp_path / "t", "select event->>'host' as player from events where i=0 and version=1"
    )
    assert hosts[0] in players


def test_names_and_ids_are_included_on_request(annals: Annals, tmp_path: Path) -> None:
    ann, _ = annals.players.register("Ann", 0)
    bob, _ = annals.players.register("Bob", 0)
    over(annals.store, "qin", "m", seats=f"{ann.id} {bob.id}")
    export(tmp_path, "--names")
    rows = select(tmp_path, "select player, name from seats order by seat")
    assert rows == [{"player": ann.id, "name": "Ann"}, {"player": bob.id, "name": "Bob"}]
    assert oct((tmp_path / manifest(tmp_path).files[0].path).stat().st_mode)[-3:] == "600"


def test_public_tables_are_readable_by_all_users(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "m")
    export(tmp_path / "t")
    path = tmp_path / "t" / manifest(tmp_path / "t").files[0].path
    assert oct(path.stat().st_mode)[-3:] == "644"
    assert oct(path.parent.stat().st_mode)[-3:] == "755"
    assert oct((tmp_path / "t" / ".stage").stat().st_mode)[-3:] == "700"


def test_pseudonyms_stay_the_same_and_are_not_mixed(
    annals: Annals, redis_client: Redis, tmp_path: Path
) -> None:
    over(annals.store, "qin", "one")
    export(tmp_path)
    over(annals.store, "qin", "two")
    export(tmp_path)
    assert len(select(tmp_path, "select distinct player from seats where seat = 0")) == 1
    redis_client.delete(SALT_KEY)
    assert "pseudonyms of another service" in refusal_of("export", tmp_path)


def test_no_cell_of_csv_is_a_formula(annals: Annals, tmp_path: Path) -> None:
    for text in ("=1+1", "+1", "-1", "@a", "\tx", "\rx"):
        assert formats.csv_cell(text) == f"'{text}"
    assert [formats.csv_cell(value) for value in (-1, None, True, "a=1", (1, 2))] == [
        -1, None, "true", "a=1", "[1,2]",
    ]  # fmt: skip


def test_tables_with_other_options_are_not_continued(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "m")
    export(tmp_path)
    assert refusal_of("export", tmp_path, "--names").startswith(
        "The tables there were written with --format parquet and no other option"
    )
    assert "use the same options" in refusal_of("export", tmp_path, "--format", "csv")


def test_tables_of_another_version_are_not_continued(annals: Annals, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"schema": 99}')
    assert "have version 99" in refusal_of("export", tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    assert "The manifest.json there is invalid" in refusal_of("export", tmp_path)


@pytest.mark.parametrize("form", ["parquet", "ndjson", "csv"])
def test_tables_of_an_earlier_version_are_read_and_not_continued(
    annals: Annals, tmp_path: Path, form: str
) -> None:
    over(annals.store, "qin", "m")
    export(tmp_path, "--format", form)
    file = tmp_path / "manifest.json"
    file.write_text(file.read_text().replace('"schema": 3', '"schema": 2'))
    assert select(tmp_path, "select match, game from matches") == [{"match": "m", "game": "qin"}]
    refusal = refusal_of("export", tmp_path, "--format", form)
    assert refusal.startswith("The tables there have version 2, and this program writes version 3")


def test_tables_of_another_store_are_not_continued(
    annals: Annals, redis_client: Redis, tmp_path: Path
) -> None:
    over(annals.store, "qin", "m")
    export(tmp_path)
    salt = redis_client.get(SALT_KEY)
    redis_client.flushdb()
    assert salt
    redis_client.set(SALT_KEY, salt)
    assert "from another store" in refusal_of("export", tmp_path)


def test_an_unwritable_place_is_named(annals: Annals, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refusal = refusal_of("export", tmp_path / "file")
    assert refusal.startswith(f"Cannot write in {tmp_path}/file/.stage (")
    assert refusal_of("export").startswith("Name a folder or a URL")
    assert "PLACE cannot be reached" in refusal_of("export", "nothing://of/this")


def test_a_remote_place_is_written_and_queried(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = "memory://tables"
    over(annals.store, "qin", "one")
    export(place)
    over(annals.store, "qin", "two")
    assert "1 matches" in export(place)
    export(tmp_path)
    assert contents(place) == contents(tmp_path)


def test_only_parquet_needs_duckdb(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over(annals.store, "qin", "m")
    monkeypatch.setattr(optional_packages, "find_spec", lambda name: None)
    assert refusal_of("export", tmp_path) == (
        "Parquet needs DuckDB: add duckdb (docs/operations.md, Install)."
    )
    assert refusal_of("sql", "select 1").startswith("SQL needs DuckDB: add")
    assert "1 matches" in export(tmp_path, "--format", "ndjson")


def test_one_export_at_a_time_writes_to_a_place(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "m")
    with tool.hold_stage(tmp_path / tool.STAGE, "export"):
        assert "Another export is writing there" in refusal_of("export", tmp_path)
    export(tmp_path)


def test_remains_of_a_killed_export_are_removed(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "one")
    export(tmp_path)
    kept = files(tmp_path)
    folder = tmp_path / "matches/game=qin/month=1999-01"
    folder.mkdir()
    (folder / "part-000002.parquet").write_bytes(b"left")
    (folder / ".part-000002.parquet.new").write_bytes(b"left")
    export(tmp_path)
    assert not list(folder.iterdir())
    assert files(tmp_path) == kept
