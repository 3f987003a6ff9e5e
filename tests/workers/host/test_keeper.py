"""The keeper says on the console what its host must know."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from fsspec.implementations.memory import MemoryFileSystem  # type: ignore[import-untyped]
from redis import Redis

from service.accounts.operators import Operators
from service.live import backlog
from service.matches.container import open_annals
from service.runtime.logs import configure_logs
from service.runtime.settings import Settings, read_settings
from service.store.archive.targets import open_target
from service.store.backup_state import BackupState, write_state
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.tlog.folder import Folder
from tests.projections.recorded import RecordedMatch, fold_all
from tests.support import bucket as bucket
from tests.support.patience import eventually
from workers.host import keeper
from workers.host.children.forks import fork
from workers.host.run import build_programs
from workers.tools.store.archive import archive_daily, archive_lock
from workers.tools.tables.export import ExportOptions, export_daily


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


class Once(Event):
    """Is set after the first run of a task."""

    def wait(self, timeout: float | None = None) -> bool:
        was_set = self.is_set()
        self.set()
        return was_set


@contextmanager
def refuse_archive(settings: Settings) -> Iterator[None]:
    with closing(connect(settings.events_url)) as redis, archive_lock(redis):
        yield


@contextmanager
def refuse_export(settings: Settings) -> Iterator[None]:
    manifest = Path(settings.export) / "manifest.json"
    manifest.parent.mkdir()
    manifest.write_text("{")
    yield
    manifest.unlink()


def archive_once(settings: Settings) -> None:
    archive_daily(open_annals(settings), 1, Once())


def export_once(settings: Settings) -> None:
    place = open_target(settings.export, "PLACE")
    export_daily(open_annals(settings), place, ExportOptions("csv"), Once())


@pytest.mark.parametrize(
    ("task", "refuse", "run"),
    [("archive", refuse_archive, archive_once), ("export", refuse_export, export_once)],
)
@pytest.mark.usefixtures("redis_client")
def test_a_daily_task_that_fails_is_named_until_it_works(
    redis_url: str,
    tmp_path: Path,
    task: str,
    refuse: Callable[[Settings], AbstractContextManager[None]],
    run: Callable[[Settings], None],
) -> None:
    given = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}
    settings = read_settings({**given, "ANNALS_EXPORT": str(tmp_path / "tables")})
    (log := tmp_path / "log" / f"{task}-daily.log").parent.mkdir()

    def main() -> None:
        configure_logs("info")
        run(settings)

    def described() -> str:
        os.waitpid(fork(log.stem, main, log), 0)
        return keeper.describe_daily(settings, task)

    assert keeper.list_troubles(settings)[f"The daily {task} works again."]() == ""
    with refuse(settings):
        assert described().startswith(f"The daily {task} failed: ")
    assert described() == ""


@pytest.mark.parametrize("task", keeper.DAILY)
@pytest.mark.usefixtures("redis_client")  # an empty store
def test_a_daily_task_whose_storage_does_not_answer_is_named_at_its_start(
    redis_url: str, tmp_path: Path, task: str
) -> None:
    places = {"ANNALS_EXPORT": "bucket://tables", "ANNALS_ARCHIVE": "bucket://packs"}
    settings = read_settings({"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path), **places})
    (log := tmp_path / "log" / f"{task}-daily.log").parent.mkdir()
    stop = Event()
    stop.set()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("Access Denied")

    def main() -> None:
        configure_logs("info")
        setattr(MemoryFileSystem, "exists", refuse)  # noqa: B010 - in this process only
        annals = open_annals(settings)
        if task == "archive":
            archive_daily(annals, 1, stop)
        else:
            export_daily(annals, open_target(settings.export, "PLACE"), ExportOptions("csv"), stop)

    os.waitpid(fork(log.stem, main, log), 0)
    said = keeper.describe_daily(settings, task)
    assert f"The daily {task} failed: The storage of " in said, log.read_text()


def test_each_daily_task_is_followed() -> None:
    settings = Settings(archive_days=1, export="tables")
    names = {program.name for program in build_programs(settings)}
    assert {name for name in names if name.endswith("-daily")} == {
        f"{task}-daily" for task in keeper.DAILY
    }


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
