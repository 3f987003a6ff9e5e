"""`annals upgrade --check` reads a whole backup or store, and leaves it as it is."""

from __future__ import annotations

import signal
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from domain.games import GAMES
from service.matches.container import Annals
from service.runtime.settings import BadSetting, Settings
from service.store.event_store import EventStore
from service.store.store_format import LEVELS_KEY, STORE_LEVEL, VERSION_KEY
from tests.engine.toy import GAME as TOY
from tests.support.archived import annals, entries_of, run_command, settings
from tests.support.damage import damage, put_nonsense
from tests.support.killing import killing, run_in_child
from workers.tools.store import restore, trial
from workers.tools.store.archive import archive_matches
from workers.tools.store.backup import write_backup
from workers.tools.store.upgrade import find_changes_of_lists

__all__ = ["annals", "settings"]


@pytest.fixture
def file(annals: Annals, tmp_path: Path) -> Path:
    write_backup(annals.store, file := tmp_path / "b")
    return file


def test_a_backup_that_this_version_can_read_is_counted(annals: Annals, file: Path) -> None:
    result = run_command("upgrade", "--check", file)
    assert result.exit_code == 0
    said = result.stdout.splitlines()
    assert said[0] == "An upgrade changes nothing."
    matches = len(list(annals.store.match_ids()))
    entries = sum(annals.store.feed_length(partition) for partition in range(16))
    assert f" can read {matches} matches, {entries} entries and " in said[1]


def test_matches_that_this_version_cannot_read_are_named(annals: Annals, tmp_path: Path) -> None:
    put_nonsense(annals.store, "running", 2)
    write_backup(annals.store, tmp_path / "b")
    result = run_command("upgrade", "--check", tmp_path / "b")
    assert result.exit_code == 1
    assert "running: version 2 cannot be decoded: " in result.stdout
    assert ", 1 faults found: do not upgrade before you know why." in result.stdout


def test_all_faults_of_a_store_are_named(annals: Annals) -> None:
    for match, version in (("running", 2), ("open", 1)):
        damage(annals.store, match, version)
    said = run_command("upgrade", "--check").stdout
    assert "running: version 2 is corrupt: its checksum is wrong." in said
    assert "open: version 1 is corrupt: its checksum is wrong." in said
    assert ", 2 faults found:" in said


def test_a_running_store_is_read_and_gets_no_mark(
    annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = annals.store.redis
    redis.set(VERSION_KEY, "0.3.9+0123456789ab")
    before = {name: redis.dump(name) for name in redis.scan_iter()}
    for module in ("service.store.store_format", "workers.tools.store.upgrade"):
        monkeypatch.setattr(f"{module}.STORE_LEVEL", STORE_LEVEL + 1)
    result = run_command("upgrade", "--check")
    assert result.exit_code == 0, result.output
    assert "Older versions cannot use the store any more" in result.stdout
    assert result.stdout.endswith(", written by Annals 0.3.9.\n")
    assert {name: redis.dump(name) for name in redis.scan_iter()} == before


def test_matches_in_play_continue_with_newer_rules(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "toy", replace(TOY, rules=TOY.rules + 1))
    said = run_command("upgrade", "--check", file).stdout
    assert f"matches in play continue with rules {TOY.rules + 1}; " in said


def test_a_read_model_of_another_format_is_named(annals: Annals) -> None:
    named = [sentence.partition(":")[0] for sentence in find_changes_of_lists(annals.store)]
    assert named == ["statistics", "explorer"], "which no analyst has folded"


def test_a_store_of_a_newer_version_is_refused_in_words(annals: Annals) -> None:
    annals.store.redis.hset(LEVELS_KEY, str(STORE_LEVEL + 1), "9.9.9")
    result = run_command("upgrade", "--check")
    assert isinstance(result.exception, BadSetting)
    assert ": use Annals 9.9.9 or newer." in str(result.exception)


def test_an_empty_store_is_not_marked(annals: Annals) -> None:
    annals.store.redis.flushdb()
    with pytest.raises(BadSetting, match="This event store is empty"):
        EventStore(annals.store.redis, reads_only=True)
    assert annals.store.redis.dbsize() == 0


def test_a_kill_during_the_check_changes_nothing_and_the_next_check_deletes_its_files(
    annals: Annals, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (scratch := tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    redis = annals.store.redis
    before = {name: redis.dump(name) for name in redis.scan_iter()}

    def work() -> None:
        killing(monkeypatch, trial, "restore_derived", False, 2)
        run_command("upgrade", "--check")

    assert run_in_child(work) == signal.SIGKILL
    assert {name: redis.dump(name) for name in redis.scan_iter()} == before
    assert list(scratch.iterdir())
    assert run_command("upgrade", "--check").exit_code == 0
    assert not list(scratch.iterdir())


RESTORE_STEPS = (
    "put_key", "put_entry", "put_stub", "restore_derived", "fold_projections", "reset_deliveries",
    "erase_again", "reset_mark", "continue_log",
)  # fmt: skip


def test_a_restore_that_is_killed_at_any_step_says_so_and_can_be_begun_again(
    annals: Annals, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    annals.players.register("Ann", 1)
    archive_matches(annals, 1)
    write_backup(annals.store, file := tmp_path / "b")
    redis, before = annals.store.redis, entries_of(annals.store)
    for step in RESTORE_STEPS:
        redis.flushdb()

        def work(step: str = step) -> None:
            killing(monkeypatch, restore, step, True, 1)
            run_command("restore", file)

        assert run_in_child(work) == signal.SIGKILL, step
        with pytest.raises(BadSetting, match="was interrupted"):
            EventStore(redis)
    redis.flushdb()
    assert run_command("restore", file).exit_code == 0
    assert entries_of(EventStore(redis, archive=annals.store.rows.archive)) == before
