"""`annals erase`: shows what it removes, asks before, and can be repeated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.store.erased_players import read_erased_players
from workers.tools.admin.admin import admin
from workers.tools.admin.erase import erase
from workers.tools.store.backup_command import backup
from workers.tools.store.restore import restore


@pytest.fixture
def service(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Annals:
    environ = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    return open_annals(read_settings({**environ, "ANNALS_TOKENS_CACHE_SECONDS": "0"}))


def run(*words: str, answer: str = "") -> tuple[int, str]:
    said = CliRunner().invoke(erase, words, input=answer)
    return said.exit_code, said.stdout


def test_a_player_is_erased_by_name_and_again_by_id(service: Annals) -> None:
    ann, token = service.players.register("Ann", 0)
    assert run("ann", "--yes") == (0, f"{ann.id}: name (1), tokens (1) removed.\n")
    assert service.players.by_token(token) is None
    assert service.players.by_name("Ann") is None
    assert read_erased_players(service.settings.data) == [ann.id]
    assert run("Ann", "--yes")[0] == 1
    assert run(ann.id, "--yes") == (0, f"{ann.id}: nothing removed.\n")
    assert read_erased_players(service.settings.data) == [ann.id]


@pytest.mark.parametrize("words", [("Ann",), ("Ann", "--dry-run")], ids=["no", "dry run"])
def test_no_player_is_erased_without_confirmation(service: Annals, words: tuple[str, ...]) -> None:
    _, token = service.players.register("Ann", 0)
    run(*words, answer="n\n")
    assert service.players.by_token(token)
    assert read_erased_players(service.settings.data) == []


def test_the_admin_log_keeps_actions_without_notes(service: Annals) -> None:
    ann, _ = service.players.register("Ann", 0)
    service.players.register("Bob", 0)
    for who in ("Ann", "Bob"):
        CliRunner().invoke(admin, ["ban", who, "--reason", "Swears", "--yes"])
    run("Ann", "--yes")
    log = CliRunner().invoke(admin, ["log", "--json"]).stdout.splitlines()
    deeds = [
        (one["action"], one["subject"] == ann.id, one["reason"]) for one in map(json.loads, log)
    ]
    assert sorted(deeds) == [("ban", False, "Swears"), ("ban", True, ""), ("erase", True, "")]


def test_an_older_backup_does_not_bring_a_player_back(service: Annals, tmp_path: Path) -> None:
    ann, token = service.players.register("Ann", 0)
    bob, _ = service.players.register("Bob", 0)
    CliRunner().invoke(backup, [str(tmp_path / "before")], catch_exceptions=False)
    run("Ann", "--yes")
    service.store.redis.flushdb()
    restored = CliRunner().invoke(restore, [str(tmp_path / "before")], catch_exceptions=False)
    assert f"{ann.id} was erased before the restore, and is erased again.\n" in restored.stdout
    assert service.players.names([ann.id, bob.id]) == {ann.id: "deleted", bob.id: "Bob"}
    assert service.players.by_token(token) is None
