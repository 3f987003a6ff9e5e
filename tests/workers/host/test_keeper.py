"""The keeper says on the console what its host must know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from redis import Redis

from service.accounts.operators import Operators
from service.live import backlog
from service.runtime.settings import read_settings
from service.store.backup_state import BackupState, write_state
from service.store.event_store import EventStore
from service.tlog.folder import Folder
from tests.projections.recorded import RecordedMatch, fold_all
from tests.support.patience import eventually
from workers.host import keeper


def test_the_console_says_what_goes_wrong_and_when_it_is_over(
    redis_client: Redis, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(keeper, "say", said.append)
    monkeypatch.setattr(keeper, "LOOK_INTERVAL_S", 0.001)
    monkeypatch.setattr(backlog, "BACKLOG_CACHE_S", 0)
    given = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}
    settings = replace(read_settings(given), backup="elsewhere")
    store = EventStore(redis_client, settings.partitions)
    folder, stop = Folder(tmp_path / "tlog"), Event()
    thread = Thread(target=keeper.follow_troubles, args=(settings, stop))
    thread.start()
    try:
        for reason in ("run `annals tlog resume`", None):
            already = len(said)
            folder.set_stop_reason(reason)
            eventually(lambda already=already: len(said) > already)  # type: ignore[misc]
        for failure in ("disk full.", ""):
            already = len(said)
            write_state(tmp_path, BackupState(name="one", failure=failure))
            eventually(lambda already=already: len(said) > already)  # type: ignore[misc]
        RecordedMatch(store, "ann bob", match="m").play(3)  # long ago, and nothing folds it
        eventually(lambda: len(said) == 5)
        fold_all(store)
        eventually(lambda: len(said) == 6)
    finally:
        stop.set()
        thread.join()
    assert said == [
        "The transparency log signs nothing: run `annals tlog resume`",
        "The transparency log continues.",
        "The backup failed: disk full. The last good one is one.",
        "Backups work again.",
        "The lists of matches, webhooks and ratings are behind: the projector does not work, or has"
        f" more work than it can do; see {tmp_path}/log/projector.log.",
        "The lists are up to date again.",
    ]


def test_the_console_says_an_error_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(keeper, "say", said.append)
    note = keeper.note_once("No sample")
    for reason in ("full", "full", "gone"):
        note(OSError(reason))
    assert said == ["Note: No sample: full", "Note: No sample: gone"]


def test_the_console_has_a_link_for_the_first_operator_until_there_is_one(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(keeper, "say", said.append)
    here, settings = "http://127.0.0.1:8000", read_settings({"REDIS_URL": redis_url})
    keeper.offer_setup(settings, here)
    [line] = said
    link, _, code = line.rpartition(": ")[2].partition("?code=")
    assert link == f"{here}/setup"
    operators = Operators(redis_client)
    assert operators.is_valid(code)
    keeper.offer_setup(settings, here)  # after a reload, the link is in use
    assert operators.is_valid(code)
    assert "`annals admin setup`" in said.pop()
    operators.redeem(code)
    proxied = {"REDIS_URL": redis_url, "ANNALS_PUBLIC_URL": "https://annals.example.org/play/"}
    keeper.offer_setup(read_settings(proxied), here)
    assert "https://annals.example.org/play/setup?code=" in said[1]
    operators.add("u0123456789abcdef")
    keeper.offer_setup(settings, here)
    keeper.offer_setup(read_settings({"REDIS_URL": "redis://127.0.0.1:1"}), here)
    assert len(said) == 2
