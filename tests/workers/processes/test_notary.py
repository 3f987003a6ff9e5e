"""`annals notary` and `annals tlog`: real processes on a real Redis."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from domain.audit.notes import find_signers, read_checkpoint, read_key, read_note
from domain.audit.tiles import nodes_of
from domain.audit.tree import check_consistency, consistency
from service.accounts.house import House, HouseRecord
from service.runtime.settings import read_settings
from service.tlog.folder import Folder
from tests.service.tlog.harness import LogHarness
from tests.support.patience import PATIENCE_S, eventually
from tests.support.warm_start import Process, start_command
from workers.host.errors import CannotRun
from workers.processes import notary
from workers.tools.check import tlog

pytestmark = pytest.mark.slow


class Place:
    """A data folder with a log, and matches to log."""

    def __init__(self, url: str, data: Path) -> None:
        self.environ = {
            "REDIS_URL": url, "ANNALS_PARTITIONS": "2", "ANNALS_DATA": str(data),
            "ANNALS_PUBLIC_URL": "https://annals.example/play/", "ANNALS_METRICS": "off",
        }  # fmt: skip
        self.data = data
        self.harness = LogHarness(url, data / "tlog")

    @contextmanager
    def notary(self) -> Iterator[Process]:
        """The process, killed at the end if it still runs."""
        with start_command(["notary"], {**os.environ, **self.environ}) as running:
            try:
                yield running
            finally:
                running.kill()

    @property
    def size(self) -> int:
        """The number of leaves in the checkpoint."""
        return read_checkpoint(read_note(self.harness.folder.text("checkpoint") or "").text).size

    def has(self, size: int) -> bool:
        return (self.harness.folder.public / "checkpoint").exists() and self.size == size

    def call(self, *words: str) -> Result:
        """Run `annals tlog`."""
        return CliRunner(env=self.environ).invoke(tlog.tlog, words)


@pytest.fixture
def place(redis_client: Redis, redis_url: str, tmp_path: Path) -> Place:
    return Place(redis_url, tmp_path)


def find_log_line(running: Process, event: str) -> dict[str, str]:
    """The log line of an event."""
    assert running.stdout
    for line in running.stdout:
        said: dict[str, str] = json.loads(line)
        if said["event"] == event:
            return said
    raise AssertionError(event)


def test_new_entries_are_signed_and_the_process_stops_on_a_signal(place: Place):
    place.harness.open("m1")
    with place.notary() as running:
        eventually(lambda: place.has(1))
        place.harness.open("m2")
        eventually(lambda: place.has(2))
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE_S) == 0
    assert place.harness.checkpoint().origin == "annals.example/play/v1/log"


def test_a_log_without_leaves_takes_the_address_that_operators_set(place: Place):
    del place.environ["ANNALS_PUBLIC_URL"]
    house = HouseRecord(place.harness.annals.store.redis, 0)
    with place.notary():
        eventually(lambda: place.has(0))
        assert place.harness.checkpoint().origin == "127.0.0.1:8000/v1/log"
        house.write(House("", "https://annals.example"))
        eventually(lambda: place.harness.checkpoint().origin == "annals.example/v1/log")
        place.harness.open("m1")
        eventually(lambda: place.has(1))
    house.write(House("", "https://moved.example"))
    assert run_notary_once(place).stop_reason is None
    assert place.harness.checkpoint().origin == "annals.example/v1/log"


def test_a_log_with_leaves_keeps_an_origin_that_names_only_this_machine(place: Place):
    del place.environ["ANNALS_PUBLIC_URL"]
    place.harness.open("m1")
    run_notary_once(place)
    HouseRecord(place.harness.annals.store.redis, 0).write(House("", "https://annals.example"))
    assert run_notary_once(place).stop_reason is None
    assert place.harness.checkpoint().origin == "127.0.0.1:8000/v1/log"


def test_a_repeatedly_killed_process_loses_and_repeats_nothing(place: Place):
    seen = []
    for round_ in range(2):
        with place.notary():
            before = 8 * round_
            eventually(lambda at=before: place.has(at))
            for n in range(8):
                place.harness.open(f"m{round_}-{n}")
            eventually(lambda at=before: place.size > at)
        seen.append(place.harness.checkpoint())
    place.harness.work()
    assert sorted(place.harness.list_leaves()) == sorted(
        (f"m{round_}-{n}", "open") for round_ in range(2) for n in range(8)
    )
    last = place.harness.checkpoint()
    for old in seen:
        proof = consistency(old.size, last.size, nodes_of(last.size, place.harness.folder.tile))
        check_consistency(old.size, old.root, last.size, last.root, proof)


def test_a_second_process_on_the_folder_signs_nothing_and_says_so(place: Place):
    with place.harness.folder.lock(), place.notary() as running:
        assert "Only one may run" in find_log_line(running, "tlog_busy")["reason"]
        assert place.harness.folder.text("checkpoint") is None


def test_a_stopped_log_is_logged_as_critical_until_it_is_repaired(
    place: Place,
):
    place.harness.open("m1")
    place.harness.work()
    copy = shutil.copytree(place.harness.folder.path, place.data / "copy")
    place.harness.open("m2")
    place.harness.work()
    newest = place.harness.folder.path.rename(place.data / "newest")
    copy.rename(place.harness.folder.path)
    place.harness.open("m3")
    with place.notary() as running:
        line = find_log_line(running, "tlog_stopped")
        assert (line["level"], "older copy" in line["reason"]) == ("critical", True)
        assert place.harness.folder.stop_reason == line["reason"]
        shutil.rmtree(place.harness.folder.path)
        newest.rename(place.harness.folder.path)
        eventually(lambda: place.has(3))
        assert place.harness.folder.stop_reason is None


def test_resume_continues_after_the_store_lost_entries(place: Place, redis_client: Redis):
    harness = place.harness
    for name in ("m1", "m2"):
        harness.open(name)
    harness.work()
    lost = harness.list_leaves()
    redis_client.flushdb()
    harness = place.harness = LogHarness(place.environ["REDIS_URL"], harness.folder.path)
    harness.open("m1")
    harness.open("m4")
    assert "older backup" in (run_notary_once(place).stop_reason or "")
    said = place.call("check")
    assert (said.exit_code, "The log has stopped: " in said.stdout) == (1, True)
    assert "`annals tlog resume`" in said.stdout
    assert place.call("resume").exit_code == 0
    assert run_notary_once(place).stop_reason is None
    assert harness.list_leaves() == [*lost, ("m4", "open")]  # `m1` has its opening already


def test_check_says_why_a_log_that_is_not_there_signs_nothing(place: Place):
    assert "There is no signed log in" in str(place.call("check").exception)
    place.harness.open("m1")
    place.harness.work()
    shutil.rmtree(place.harness.folder.path)  # as after a restore elsewhere
    reason = run_notary_once(place).stop_reason
    assert reason
    assert str(place.call("check").exception) == reason


def test_restart_logs_all_matches_again(place: Place):
    harness = place.harness
    harness.open("m1")
    harness.abort("m1")
    harness.work()
    [old] = harness.served.keys().split()
    said = place.call("restart")
    assert said.exit_code == 0, said.output
    assert "annals.example/play/v1/log starts" in said.output
    kept = Folder(harness.folder.path / "ended-1")
    assert old in (kept.text("keys") or "")
    harness.work()
    assert harness.list_leaves() == [("m1", "open"), ("m1", "2 aborted")]
    [new] = harness.served.keys().split()
    assert read_key(new).public != read_key(old).public
    said = place.call("restart")
    assert isinstance(said.exception, CannotRun)
    assert "a new log needs another origin" in str(said.exception)
    assert place.call("restart", "--origin", "annals.example/log3").exit_code == 0


def test_keys_are_rotated_while_the_notary_runs(place: Place):
    with place.notary():
        eventually(lambda: place.has(0))
        [old] = map(read_key, place.harness.served.keys().split())
        said = place.call("rotate")
        assert said.exit_code == 0, said.output
        new = read_key(said.output.split()[-1])
        eventually(lambda: len(place.harness.served.keys().split()) == 2)
        eventually(
            lambda: (
                find_signers(read_note(place.harness.served.checkpoint()), [old, new]) == [old, new]
            )
        )
        assert place.call("retire", "00000000").exit_code != 0
        assert place.call("retire", old.id.hex()).exit_code == 0
        eventually(lambda: place.harness.served.keys().split() == [new.vkey])
    place.environ["ANNALS_TLOG_KEYS"] = 43 * "A" + "="
    assert "ANNALS_TLOG_KEYS" in str(place.call("rotate").exception)


def test_check_recomputes_everything_and_reports_errors(place: Place):
    harness = place.harness
    for n in range(300):
        harness.open(f"m{n}")
    harness.work()
    said = place.call("check")
    assert (said.exit_code, said.stdout) == (0, "300 leaves, 0 faults found.\n")
    for name in ("tile/0/000", "tile/entries/000", "tile/1/000.p/1", "tile/entries/001.p/44"):
        path = harness.folder.public / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        said = place.call("check")
        assert (said.exit_code, "1 leaves, 0 faults" in said.stdout) == (1, False), name
        path.write_bytes(whole)
    note = harness.folder.text("checkpoint") or ""
    harness.folder.write_text("checkpoint", note.replace("\n300\n", "\n299\n"))
    said = place.call("check")
    assert said.exit_code == 1
    harness.folder.write_text("checkpoint", "")
    assert "cannot be read" in str(place.call("check").exception)


def test_without_a_log_the_notary_does_not_run(place: Place):
    assert "There is no log" in str(place.call("resume").exception)
    place.environ["ANNALS_TLOG"] = "off"
    for words in (["check"], ["rotate"], ["resume"], ["restart"]):
        assert "ANNALS_TLOG is off" in str(place.call(*words).exception)


def run_notary_once(place: Place) -> Folder:
    """The folder after a notary has done all work."""
    stop = Event()
    stop.set()
    folder = place.harness.folder
    settings = read_settings(place.environ)
    notary.LogRunner(settings, folder, place.harness.annals.store).run([], stop)
    return folder
