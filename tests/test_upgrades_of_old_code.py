"""A house with the code of the oldest recorded version upgrades under load, and rolls back."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from service.store.store_format import STORE_LEVEL
from tests.stored.record import ARCHIVE, BACKUP, LOG, ORIGIN, STORED
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import (
    LEAN,
    ROOT,
    Service,
    fresh_addresses,
    started_service,
)
from tests.test_upgrades import SETTINGS, header_of, heads, play

pytestmark = pytest.mark.long
FIRST = min(STORED.glob(f"*/{BACKUP}"), key=lambda file: header_of(file).at)
KILLS, MAX_START_S = 6, 4.0
"""How often the start of the new version is killed, and after how long at most."""
MOVES = 12
"""How many entries the load writes before an upgrade or a rollback."""
LOST_MOVE = re.compile(r"^.*: version [0-9]* .* in the log")
"""What docs/upgrading.md says of moves made after the backup."""


def git(*words: str) -> bytes:
    """What git prints about this checkout."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def find_oldest_commit() -> str:
    """The commit that recorded the oldest stores. A shallow clone does not have it: there, the code
    of this commit stands for it.
    """
    if git("rev-parse", "--is-shallow-repository").strip() == b"true":
        return "HEAD"
    added = git("log", "--diff-filter=A", "--format=%H", "--", str(FIRST)).split()
    return added[-1].decode()


@dataclass(frozen=True)
class Program:
    """A checkout of Annals that works on a data folder."""

    code: Path
    environ: dict[str, str]

    def start(self, words: Sequence[str], environ: dict[str, str]) -> subprocess.Popen[bytes]:
        """Start a command of this checkout."""
        return subprocess.Popen(
            [sys.executable, "-m", "workers.cli", *words],
            cwd=self.code, env={**environ, "PYTHONPATH": str(self.code)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def run(self, *words: str, codes: Collection[int] = (0,)) -> str:
        """What a command prints, which must end with one of these codes."""
        with self.start(words, {**os.environ, **self.environ}) as process:
            said = process.communicate(timeout=PATIENCE_S)[0].decode()
        assert process.returncode in codes, said
        return said

    @contextmanager
    def serve(self) -> Iterator[Service]:
        """A service of this checkout, until the end of the block."""
        data = Path(self.environ["ANNALS_DATA"])
        with started_service(self.start, data, self.environ) as service:
            yield service


@contextmanager
def playing_on(service: Service, name: str, matches: Iterable[str]) -> Iterator[None]:
    """Let bots play, and a guest with this name look at these matches, during the block; it begins
    once the service makes moves.
    """
    stop, ended = Event(), Event()

    def play_to_the_end() -> None:
        play(service, stop, matches)
        ended.set()

    service.sign_up(name)
    entries = count_entries(service)
    thread = Thread(target=play_to_the_end)
    thread.start()
    try:
        eventually(lambda: count_entries(service) > entries + MOVES)
        yield
    finally:
        stop.set()
        thread.join()
    assert ended.is_set(), "a request was refused"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The settings of the house: those of tests, with the transparency log."""
    lean = {name: value for name, value in LEAN.items() if name != "ANNALS_TLOG"}
    own = {"ANNALS_DATA": str(tmp_path / "var"), "ANNALS_TLOG_ORIGIN": ORIGIN}
    return {**lean, **SETTINGS, **fresh_addresses(), **own}


@pytest.fixture
def old(tmp_path: Path, environ: dict[str, str]) -> Program:
    """The oldest version."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", find_oldest_commit()))) as archive:
        archive.extractall(tmp_path / "old", filter="data")
    return Program(tmp_path / "old", environ)


def test_old_code_gives_way_to_this_one_and_takes_its_backup_back(
    tmp_path: Path, environ: dict[str, str], old: Program
) -> None:
    new, data, before = Program(ROOT, environ), tmp_path / "var", tmp_path / "before-upgrade"
    for name in (LOG, ARCHIVE):
        shutil.copytree(FIRST.parent / name, data / name)
    old.run("restore", str(FIRST))
    recorded = heads(data)
    with old.serve() as service, playing_on(service, "Ada", recorded):
        old.run("backup", str(before))
        new.run("upgrade", "--check", str(before))
        new.run("upgrade", "--check")
    played_by_old = heads(data)
    kill_starts(new)
    with new.serve() as service, playing_on(service, "Bob", recorded):
        assert new.run("verify", "--all").endswith(" 0 faults found.\n")
    assert goes_on(heads(data), played_by_old)
    assert goes_on(played_by_old, recorded)
    if level_of(old) < STORE_LEVEL:
        assert "A newer version wrote to this event store" in old.run("run", codes=[1])
    (data / "redis").rename(data / "redis-after-upgrade")
    assert ", 0 faults found." in old.run("restore", str(before))
    back = heads(data)
    assert goes_on(played_by_old, back)
    assert goes_on(back, recorded)
    with old.serve() as service, playing_on(service, "Cem", recorded):
        said = old.run("verify", "--all", codes=[0, 1])
    lost = [line for line in said.splitlines() if LOST_MOVE.match(line)]
    assert said.endswith(f" {len(lost)} faults found.\n")


def kill_starts(program: Program) -> None:
    """Start a version on the store, and kill it on the way."""
    chance = Random(9)
    for _ in range(KILLS):
        with program.start(["run"], {**os.environ, **program.environ}) as process:
            time.sleep(chance.uniform(0, MAX_START_S))
            process.kill()


def count_entries(service: Service) -> int:
    """How many entries the matches of Qin have."""
    matches = service.insist("GET", "/v1/matches?game=qin")["matches"]
    return sum(one["version"] for one in matches)


def level_of(program: Program) -> int:
    """The level of stores that a version knows."""
    source = (program.code / "service/store/store_format.py").read_text()
    return int(re.findall(r"^STORE_LEVEL = (\d+)$", source, re.MULTILINE)[0])


def goes_on(later: dict[str, list[bytes]], earlier: dict[str, list[bytes]]) -> bool:
    """Whether all matches are there, with the same entries and perhaps more."""
    return all(later[match][: len(found)] == found for match, found in earlier.items())
