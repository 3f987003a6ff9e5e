"""Finished matches as tables: correct, and each match exactly once."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import msgspec
import pytest
from redis import Redis
from structlog.testing import capture_logs

from domain.analysis.analysis import analyse
from domain.analysis.facts import facts_of
from domain.analysis.timeline import timeline
from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.decisions import undo
from domain.match.decisions.ending import is_rateable
from domain.match.lines import lines_of
from domain.match.log import read_events
from projections.analyses import store_analysis
from service.analytics.table_folders import TABLES_VERSION
from service.matches.container import Annals
from service.runtime.settings import Settings
from service.store.archive.targets import open_target
from tests.games.modes import Seating, seatings
from tests.support.damage import damage
from tests.support.exported import (
    PLAYERS,
    Short,
    annals,
    contents,
    export,
    files,
    manifest,
    one_of_each,
    over,
    paths,
    read_files,
    run_command,
    select,
    settings,
)
from workers.host.run import build_programs
from workers.tools.store.daily_tasks import DAY_S, FIRST_RUN_S
from workers.tools.tables import export as tool
from workers.tools.tables.parts import formats
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns, file_type

__all__ = ["annals", "settings"]
TOGETHER = [one for one in seatings(GAMES.values()) if one.together]


@pytest.mark.parametrize("key", GAMES)
def test_tables_equal_the_entries(key: str, annals: Annals, tmp_path: Path) -> None:
    short = over(annals.store, key, "m")
    export(tmp_path / "t")
    game, tables = GAMES[key], contents(tmp_path / "t")
    facts = facts_of(game, short.entries)
    assert facts
    [match] = tables["matches"]
    assert (match["match"], match["game"], match["month"]) == ("m", key, "2023-11")
    assert (match["seats"], match["persons"]) == (len(facts.seats),) * 2
    assert (match["end_reason"], match["ended"]) == (facts.end, facts.ended)
    assert match["won"] is None
    assert match["decisions"] == facts.decisions == len(tables["decisions"])
    assert msgspec.json.decode(match["options"]) == facts.options
    assert [seat["score"] for seat in tables["seats"]] == [seat.points for seat in facts.seats]
    assert [seat["win_share"] for seat in tables["seats"]] == [seat.share for seat in facts.seats]
    assert [seat["first"] for seat in tables["seats"]] == [seat.first for seat in facts.seats]
    assert {seat["rating_after"] for seat in tables["seats"]} == {26.0}
    played = [moment for moment in timeline(game, short.entries) if moment.move]
    for row, moment in zip(tables["decisions"], played, strict=True):
        assert moment.seat is not None
        assert (row["version"], row["seat"]) == (moment.version, moment.seat)
        assert row["kind"] == type(moment.move).__name__
        assert row["n_legal"] == len(legal_moves(game, moment.before, moment.seat))
        assert row["actor"] == "person"
        assert row["ms"] == moment.ms
    assert [row["version"] for row in tables["draws"]] == [
        moment.version for moment in timeline(game, short.entries) if moment.draw is not None
    ]
    happened = [
        (entry.version, i, type(event).__name__.partition("[")[0])
        for entry in short.entries
        for i, event in enumerate(read_events(game, entry.events))
    ]
    assert [(row["version"], row["i"], row["type"]) for row in tables["events"]] == happened


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(key, marks=[pytest.mark.long] * (key not in ("qin", "great_wall")))
        for key in GAMES
    ],
)
def test_analyses_are_included_on_request(key: str, annals: Annals, tmp_path: Path) -> None:
    short = over(annals.store, key, "m", moves=5)
    export(tmp_path, "--analyse")
    told, tables = analyse(GAMES[key], short.entries, lambda done, of: None), contents(tmp_path)
    assert tables["matches"][0]["model"] == told.model
    for row, seat in zip(tables["seats"], told.seats, strict=True):
        assert row["luck"] + row["own"] + row["others"] == pytest.approx(seat.result - seat.start)
        assert (row["adjusted"], row["accuracy"]) == (seat.adjusted, seat.accuracy)
    for row, choice in zip(tables["decisions"], told.choices, strict=True):
        assert (row["win_before"], row["chances"]) == (
            choice.before[choice.seat], list(choice.after),
        )  # fmt: skip
        assert row["best_kind"] == (choice.best and choice.best["type"])
        assert (row["error"], row["n_legal"]) == (choice.error, choice.legal)
    for row, draw in zip(tables["draws"], told.draws, strict=True):
        assert (row["what"], row["n_possible"]) == (list(draw.what), draw.outcomes)
        assert row["luck"] == list(draw.luck)


def test_stored_analyses_are_included(annals: Annals, tmp_path: Path) -> None:
    short, store = over(annals.store, "qin", "kept", moves=3), annals.store
    over(store, "qin", "not-kept", moves=3)
    told = analyse(GAMES["qin"], short.entries, lambda done, of: None)
    store_analysis(store.redis, store.partition_of("kept"), GAMES["qin"], told)
    export(tmp_path)
    assert select(tmp_path, "select match, model from matches order by match") == [
        {"match": "kept", "model": told.model},
        {"match": "not-kept", "model": None},
    ]


@pytest.mark.parametrize("key", GAMES)
def test_columns_of_a_missing_analysis_are_null(key: str, annals: Annals, tmp_path: Path) -> None:
    over(annals.store, key, "m", moves=3)
    export(tmp_path)
    rows = select(tmp_path, "select win_before, error, chances, best from decisions")
    assert {value for row in rows for value in row.values()} == {None}
    assert select(tmp_path, "select model, luck from matches join seats using (match)")[0] == {
        "model": None, "luck": None,
    }  # fmt: skip


def test_fast_exports_do_not_count_moves(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "m")
    export(tmp_path / "fast", "--fast")
    export(tmp_path / "all")
    fast, complete = contents(tmp_path / "fast"), contents(tmp_path / "all")
    assert {row["n_legal"] for row in fast["decisions"]} == {None}
    for row, other in zip(fast["decisions"], complete["decisions"], strict=True):
        assert other["n_legal"] > 0
        assert row == {**other, "n_legal": None}


def test_it_runs_once_a_day(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, pauses = Event(), list[float]()
    ending = iter([Short(GAMES["qin"], f"m{n}").end().rate() for n in range(2)])

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        short = next(ending, None)
        if short:
            short.record(annals.store)
        return short is None

    monkeypatch.setattr(stop, "wait", wait)
    target = open_target(str(tmp_path), "PLACE")
    tool.export_daily(annals, target, tool.ExportOptions("parquet"), stop)
    assert pauses == [FIRST_RUN_S, DAY_S, DAY_S]
    assert manifest(tmp_path).tables["matches"].rows == 2


def test_a_failed_run_does_not_end_the_process(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "manifest.json").write_text("{")
    stop, ends = Event(), iter([False, False, True])
    monkeypatch.setattr(stop, "wait", lambda _: next(ends))
    with capture_logs() as logs:
        tool.export_daily(
            annals, open_target(str(tmp_path), "PLACE"), tool.ExportOptions("csv"), stop
        )
    assert [line["event"] for line in logs] == ["export_refused"] * 2


def test_a_service_exports_if_a_place_is_set(tmp_path: Path) -> None:
    names = {program.name for program in build_programs(Settings(export=str(tmp_path)))}
    assert "export-daily" in names
    assert "export-daily" not in {program.name for program in build_programs(Settings())}


def test_all_formats_are_equivalent(annals: Annals, tmp_path: Path) -> None:
    one_of_each(annals.store)
    for name in formats.FORMATS:
        assert "5 matches" in export(tmp_path / name, "--format", name)
    parquet, ndjson, csv = (contents(tmp_path / name) for name in ("parquet", "ndjson", "csv"))
    assert parquet == ndjson == csv


def test_another_engine_reads_the_same_folder(annals: Annals, tmp_path: Path) -> None:
    import polars  # here, because a collection in each process need not wait for it

    types: dict[str, Any] = {
        "BIGINT": polars.Int64,
        "DOUBLE": polars.Float64,
        "BOOLEAN": polars.Boolean,
        "VARCHAR": polars.String,
        "BIGINT[]": polars.List(polars.Int64),
        "DOUBLE[]": polars.List(polars.Float64),
        "VARCHAR[]": polars.List(polars.String),
    }
    one_of_each(annals.store)
    export(tmp_path)
    for table in TABLES:
        read = polars.read_parquet(tmp_path / table / "**/*.parquet", hive_partitioning=True)
        expected = {one.name: types[file_type(one)] for one in columns(table)}
        assert dict(read.schema) == expected | dict.fromkeys(PARTITIONS, polars.String)
        assert len(read) == manifest(tmp_path).tables[table].rows
        for column in columns(table):
            assert column.nullable or not read[column.name].null_count(), column.name
    lazily = {name: polars.scan_parquet(tmp_path / name / "**/*.parquet") for name in TABLES}
    asked = polars.SQLContext(lazily)
    joined = asked.execute("select * from decisions join matches using (match)", eager=True)
    assert len(joined) == manifest(tmp_path).tables["decisions"].rows


def test_the_manifest_names_all_files_with_their_checksums(annals: Annals, tmp_path: Path) -> None:
    one_of_each(annals.store)
    export(tmp_path)
    known = manifest(tmp_path)
    assert files(tmp_path) == {"manifest.json", *paths(known.files)}
    for part in known.files:
        content = (tmp_path / part.path).read_bytes()
        assert (part.bytes, part.sha256) == (len(content), sha256(content).hexdigest())
    assert known.schema == TABLES_VERSION
    for table, total in known.tables.items():
        assert [{"n": total.rows}] == select(tmp_path, f"select count(*) as n from {table}")


def test_the_next_export_adds_only_new_matches(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "first")
    going_on = Short(GAMES["qin"], "second")
    going_on.by_chance(Random(1), 3)
    going_on.record(annals.store)
    export(tmp_path)
    before = {path: (tmp_path / path).read_bytes() for path in files(tmp_path)}
    assert "0 matches" in export(tmp_path)
    assert {path: (tmp_path / path).read_bytes() for path in files(tmp_path)} == before
    going_on.end().rate().record(annals.store)
    over(annals.store, "qin", "third")
    assert "2 matches" in export(tmp_path)
    del before["manifest.json"]
    assert {path: (tmp_path / path).read_bytes() for path in before} == before
    export(tmp_path / "all")
    assert contents(tmp_path) == contents(tmp_path / "all")


def test_a_match_is_exported_once_it_is_rated(annals: Annals, tmp_path: Path) -> None:
    short = Short(GAMES["qin"], "m").end().record(annals.store)
    assert is_rateable(short.match)
    assert "0 matches" in export(tmp_path)
    short.rate().record(annals.store)
    assert "1 matches" in export(tmp_path)
    assert select(tmp_path, "select rated from matches") == [{"rated": True}]
    assert "0 matches" in export(tmp_path)


def test_an_unrated_match_does_not_wait(annals: Annals, tmp_path: Path) -> None:
    over(annals.store, "qin", "m", visibility="private")
    assert "1 matches" in export(tmp_path, "--private")
    assert select(tmp_path, "select rated, unrated from matches") == [
        {"rated": False, "unrated": "private"}
    ]


def test_undone_rows_are_marked(annals: Annals, tmp_path: Path) -> None:
    short = Short(GAMES["qin"], "m", undo="free")
    short.by_chance(Random(1), 3)
    short.act(undo.undo(short.match, PLAYERS[0], None, short.now), PLAYERS[0])
    short.end().record(annals.store)
    export(tmp_path)
    played = lines_of(GAMES["qin"], short.entries).played
    rows = select(tmp_path, "select version, undone from decisions")
    assert {row["undone"] for row in rows} == {True, False}
    assert all(row["undone"] == (row["version"] not in played) for row in rows)
    assert select(tmp_path, "select undos, unrated from matches") == [
        {"undos": 1, "unrated": "free_undo"}
    ]


def test_batches_have_a_maximum_size(
    annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_of_each(annals.store)
    export(tmp_path / "one")
    monkeypatch.setattr(tool, "BATCH_BYTES", 1)
    export(tmp_path / "many")
    assert (manifest(tmp_path / "one").batches, manifest(tmp_path / "many").batches) == (1, 5)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")


def test_several_processes_write_the_same(annals: Annals, tmp_path: Path) -> None:
    one_of_each(annals.store)
    export(tmp_path / "alone")
    run_command("export", tmp_path / "several", "--processes", 2)
    alone, several = manifest(tmp_path / "alone"), manifest(tmp_path / "several")
    assert several.files == alone.files


def test_a_corrupt_match_is_left_out_and_retried(
    annals: Annals, redis_client: Redis, tmp_path: Path
) -> None:
    over(annals.store, "qin", "hurt")
    over(annals.store, "qin", "good")
    key = f"{{p{annals.store.partition_of('hurt')}}}:match:hurt"
    kept = redis_client.dump(key)
    damage(annals.store, "hurt", 5)
    told = export(tmp_path)
    assert "hurt: version 5" in told
    assert "1 matches" in told
    assert manifest(tmp_path).corrupt
    assert not any(b"hurt" in text for text in read_files(tmp_path))
    redis_client.restore(key, 0, kept, replace=True)
    assert "1 matches" in export(tmp_path)
    assert not manifest(tmp_path).corrupt
    export(tmp_path / "all")
    assert contents(tmp_path) == contents(tmp_path / "all")


@pytest.mark.parametrize("one", TOGETHER, ids=str)
def test_tables_have_cooperative_victories(one: Seating, annals: Annals, tmp_path: Path) -> None:
    people = " ".join(PLAYERS[: one.seats])
    match = Short(one.game, "m", people, options=one.options)
    match.by_chance(Random(one.id))
    match.score()
    match.record(annals.store)
    export(tmp_path)
    [told] = select(tmp_path, "select won, unrated, seats from matches")
    scoring = match.match.scoring
    assert scoring
    assert told == {"won": scoring.won, "unrated": "together", "seats": one.seats}
    shares = select(tmp_path, "select distinct win_share from seats")
    assert shares == [{"win_share": float(scoring.won or 0)}]
