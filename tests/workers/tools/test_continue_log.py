"""The transparency log after a restore or an accepted loss: it continues if that contradicts no
signature, and otherwise the operator learns what to do.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from service.runtime.settings import Settings, read_settings
from service.tlog.signed_state import SIGNED_KEY
from tests.service.tlog.harness import LogHarness
from workers.tools.check.tlog import tlog
from workers.tools.store.continue_log import continue_log


@pytest.fixture
def log(redis_client: Redis, redis_url: str, tmp_path: Path) -> LogHarness:
    """A log with two openings, and a store that has lost all entries but not the signature."""
    harness = LogHarness(redis_url, tmp_path / "tlog")
    for match in ("m1", "m2"):
        harness.open(match)
    harness.work()
    signed = redis_client.get(SIGNED_KEY)
    redis_client.flushdb()
    harness = LogHarness(redis_url, tmp_path / "tlog")
    redis_client.set(SIGNED_KEY, signed)
    return harness


def settings_of(log: LogHarness) -> Settings:
    settings = read_settings({"ANNALS_DATA": str(log.folder.path.parent)})
    return replace(settings, events_url=log.annals.settings.events_url, partitions=2)


def test_a_log_that_is_newer_than_its_store_continues(log: LogHarness) -> None:
    known = log.list_leaves()
    log.open("m1")
    log.open("m3")
    log.folder.set_stop_reason("it has stopped before")
    said = continue_log(settings_of(log), log.annals.store)
    assert said == "The transparency log continues and keeps its 2 leaves."
    log.work()
    assert log.list_leaves() == [*known, ("m3", "open")]


def test_a_log_that_is_not_there_is_named_and_continues_once_it_is_there(
    log: LogHarness, tmp_path: Path
) -> None:
    known = log.list_leaves()
    elsewhere = log.folder.path.rename(tmp_path / "elsewhere")
    said = continue_log(settings_of(log), log.annals.store)
    assert said.startswith("The transparency log annals.example/v1/log with 2 leaves is not in ")
    assert "`annals tlog resume`" in said
    assert "`annals tlog restart`" in said
    assert not log.folder.path.exists()
    elsewhere.rename(log.folder.path)
    environ = {"ANNALS_DATA": str(log.folder.path.parent)}
    assert CliRunner().invoke(tlog, ["resume"], env=environ).exit_code == 0
    log.open("m3")
    log.work()
    assert log.list_leaves() == [*known, ("m3", "open")]


def test_a_log_that_is_older_than_the_last_signature_signs_nothing(
    log: LogHarness, tmp_path: Path
) -> None:
    older = shutil.copytree(log.folder.path, tmp_path / "older")
    log.open("m1")
    continue_log(settings_of(log), log.annals.store)
    log.open("m3")
    log.work()
    shutil.rmtree(log.folder.path)
    older.rename(log.folder.path)
    said = continue_log(settings_of(log), log.annals.store)
    assert said.startswith("The transparency log signs nothing: The last signature is for ")
    assert "`annals tlog restart`" in said


def test_a_log_without_leaves_that_is_not_there_is_started_again(log: LogHarness) -> None:
    shutil.rmtree(log.folder.path)
    log.annals.store.redis.delete(SIGNED_KEY)
    log.work()
    assert (log.list_leaves(), log.folder.text("checkpoint") is None) == ([], False)
    shutil.rmtree(log.folder.path)
    assert continue_log(settings_of(log), log.annals.store) == ""
    log.open("m3")
    log.work()
    assert log.list_leaves() == [("m3", "open")]


def test_a_service_that_never_had_a_log_hears_nothing_of_it(log: LogHarness) -> None:
    shutil.rmtree(log.folder.path)
    log.annals.store.redis.delete(SIGNED_KEY)
    settings = settings_of(log)
    assert continue_log(settings, log.annals.store) == ""
    assert continue_log(replace(settings, tlog="off"), log.annals.store) == ""
