"""`annals notary` and `annals tlog`: real processes on a real Redis."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner, Result
from redis import Redis

from domain.audit.notes import read_checkpoint, read_key, read_note, signed_by
from domain.audit.tiles import nodes_of
from domain.audit.tree import check_consistency, consistency
from service.runtime.settings import read_settings
from service.tlog.folder import Folder
from tests.service.tlog.desk import Desk
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import ROOT
from workers.host.errors import CannotRun
from workers.processes import notary
from workers.tools.check import tlog

pytestmark = pytest.mark.slow


class Place:
    """A data folder with a log, and matches to be entered in it."""

    def __init__(self, url: str, data: Path) -> None:
        self.environ = {
            "REDIS_URL": url, "ANNALS_PARTITIONS": "2", "ANNALS_DATA": str(data),
            "ANNALS_PUBLIC_URL": "https://annals.example/play/", "ANNALS_METRICS": "off",
        }  # fmt: skip
        self.data = data
        self.desk = Desk(url, data / "tlog")

    @contextmanager
    def notary(self) -> Iterator[subprocess.Popen[str]]:
        """The process, killed in the end if it is there still."""
        running = subprocess.Popen(
            [sys.executable, "-m", "workers.cli", "notary"], cwd=ROOT, text=True,
            env={**os.environ, **self.environ}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            yield running
        finally:
            running.kill()
            running.communicate()

    @property
    def size(self) -> int:
        """How many leaves are in the checkpoint."""
        return read_checkpoint(read_note(self.desk.folder.text("checkpoint") or "").text).size

    def has(self, size: int) -> bool:
        return (self.desk.folder.public / "checkpoint").exists() and self.size == size

    def call(self, *words: str) -> Result:
        """What `annals tlog` says."""
        return CliRunner(env=self.environ).invoke(tlog.tlog, words)


@pytest.fixture
def place(redis_client: Redis, redis_url: str, tmp_path: Path) -> Place:
    return Place(redis_url, tmp_path)


def told(running: subprocess.Popen[str], event: str) -> dict[str, str]:
    """The line of the log that tells something."""
    assert running.stdout
    for line in running.stdout:
        said: dict[str, str] = json.loads(line)
        if said["event"] == event:
            return said
    raise AssertionError(event)


def test_what_comes_is_signed_and_the_process_stops_when_told(place: Place):
    place.desk.open("m1")
    with place.notary() as running:
        eventually(lambda: place.has(1))
        place.desk.open("m2")
        eventually(lambda: place.has(2))
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE_S) == 0
    assert place.desk.checkpoint().origin == "annals.example/play/v1/log"


def test_a_process_that_is_killed_again_and_again_loses_and_repeats_nothing(place: Place):
    seen = []
    for round_ in range(2):
        with place.notary():
            before = 8 * round_
            eventually(lambda at=before: place.has(at))
            for n in range(8):
                place.desk.open(f"m{round_}-{n}")
            eventually(lambda at=before: place.size > at)
        seen.append(place.desk.checkpoint())
    place.desk.work()
    assert sorted(place.desk.said()) == sorted(
        (f"m{round_}-{n}", "open") for round_ in range(2) for n in range(8)
    )
    last = place.desk.checkpoint()
    for old in seen:
        proof = consistency(old.size, last.size, nodes_of(last.size, place.desk.folder.tile))
        check_consistency(old.size, old.root, last.size, last.root, proof)


def test_a_second_process_on_the_folder_signs_nothing_and_says_so(place: Place):
    with place.desk.folder.held(), place.notary() as running:
        assert "one at a time" in told(running, "log_busy")["why"]
        assert place.desk.folder.text("checkpoint") is None


def test_what_must_not_be_signed_is_told_loudly_until_it_is_put_right(
    place: Place,
):
    place.desk.open("m1")
    place.desk.work()
    copy = shutil.copytree(place.desk.folder.path, place.data / "copy")
    place.desk.open("m2")
    place.desk.work()
    newest = place.desk.folder.path.rename(place.data / "newest")
    copy.rename(place.desk.folder.path)
    place.desk.open("m3")
    with place.notary() as running:
        line = told(running, "log_stopped")
        assert (line["level"], "older copy" in line["why"]) == ("critical", True)
        assert place.desk.folder.refused == line["why"]
        shutil.rmtree(place.desk.folder.path)
        newest.rename(place.desk.folder.path)
        eventually(lambda: place.has(3))
        assert place.desk.folder.refused is None


def test_a_store_that_lost_something_goes_on_once_it_is_told_to(place: Place, redis_client: Redis):
    desk = place.desk
    for name in ("m1", "m2"):
        desk.open(name)
    desk.work()
    lost = desk.said()
    redis_client.flushdb()
    desk = place.desk = Desk(place.environ["REDIS_URL"], desk.folder.path)
    desk.open("m1")
    desk.open("m4")
    assert "older backup" in (attended(place).refused or "")
    assert place.call("resume").exit_code == 0
    assert attended(place).refused is None
    assert desk.said() == [*lost, ("m4", "open")]  # `m1` has its opening already


def test_another_log_begins_with_everything(place: Place):
    desk = place.desk
    desk.open("m1")
    desk.abort("m1")
    desk.work()
    [old] = desk.served.keys().split()
    said = place.call("restart")
    assert said.exit_code == 0, said.output
    assert "annals.example/play/v1/log begins" in said.output
    kept = Folder(desk.folder.path / "ended-1")
    assert old in (kept.text("keys") or "")
    desk.work()
    assert desk.said() == [("m1", "open"), ("m1", "2 aborted")]
    [new] = desk.served.keys().split()
    assert read_key(new).public != read_key(old).public
    said = place.call("restart")
    assert isinstance(said.exception, CannotRun)
    assert "another log needs another one" in str(said.exception)
    assert place.call("restart", "--origin", "annals.example/log3").exit_code == 0


def test_keys_are_changed_beside_a_running_notary(place: Place):
    with place.notary():
        eventually(lambda: place.has(0))
        [old] = map(read_key, place.desk.served.keys().split())
        said = place.call("rotate")
        assert said.exit_code == 0, said.output
        new = read_key(said.output.split()[-1])
        eventually(lambda: len(place.desk.served.keys().split()) == 2)
        eventually(
            lambda: signed_by(read_note(place.desk.served.checkpoint()), [old, new]) == [old, new]
        )
        assert place.call("retire", "00000000").exit_code != 0
        assert place.call("retire", old.id.hex()).exit_code == 0
        eventually(lambda: place.desk.served.keys().split() == [new.vkey])
    place.environ["ANNALS_TLOG_KEYS"] = 43 * "A" + "="
    assert "ANNALS_TLOG_KEYS" in str(place.call("rotate").exception)


def test_a_check_computes_all_anew_and_names_what_is_wrong(place: Place):
    desk = place.desk
    for n in range(300):
        desk.open(f"m{n}")
    desk.work()
    said = place.call("check")
    assert (said.exit_code, said.stdout) == (0, "300 leaves, 0 faults found.\n")
    for name in ("tile/0/000", "tile/entries/000", "tile/1/000.p/1", "tile/entries/001.p/44"):
        path = desk.folder.public / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        said = place.call("check")
        assert (said.exit_code, "1 leaves, 0 faults" in said.stdout) == (1, False), name
        path.write_bytes(whole)
    note = desk.folder.text("checkpoint") or ""
    desk.folder.write_text("checkpoint", note.replace("\n300\n", "\n299\n"))
    said = place.call("check")
    assert said.exit_code == 1
    desk.folder.write_text("checkpoint", "")
    assert "cannot be read" in str(place.call("check").exception)


def test_without_a_log_there_is_nothing_to_look_after(place: Place):
    assert "There is no log" in str(place.call("resume").exception)
    place.environ["ANNALS_TLOG"] = "off"
    for words in (["check"], ["rotate"], ["resume"], ["restart"]):
        assert "ANNALS_TLOG is off" in str(place.call(*words).exception)


def attended(place: Place) -> Folder:
    """The folder once a notary has done what it can, at once."""
    stop = Event()
    stop.set()
    folder = place.desk.folder
    settings = read_settings(place.environ)
    notary.Attended(settings, folder, place.desk.annals.store).go_on([], stop)
    return folder
