"""A full disk: recorded matches stay readable, writes get a 503, and the service recovers without
help.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import Service, whole_service

pytestmark = pytest.mark.slow
SIZE = "24m"
TRIES = 30
COMMANDS = (["archive", "--days", "0"], ["rebuild"], ["verify", "--all"], ["erase", "Ada", "--yes"])
"""Commands that write to the store."""
HOTSEAT = {"game": "qin", "seats": [{"me": True}, {"me": True}]}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk; needs root, or sudo without a password."""
    as_root = [] if os.getuid() == 0 or not shutil.which("sudo") else ["sudo", "-n"]
    options = f"size={SIZE},mode=700,uid={os.getuid()}"
    mount = [*as_root, "mount", "-t", "tmpfs", "-o", options, "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or subprocess.run(mount, check=False).returncode:
        pytest.skip("this user may mount no small disk")
    try:
        yield tmp_path
    finally:
        subprocess.run([*as_root, "umount", "--lazy", str(tmp_path)], check=True)


def fill(disk: Path) -> Path:
    """Write until no byte is left; returns the file."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return filler


class Player:
    """A player of both seats of a match, who remembers the acknowledged moves."""

    def __init__(self, service: Service) -> None:
        self.service = service
        service.sign_up("Ada")
        self.path = f"/v1/matches/{service.insist('POST', '/v1/matches', HOTSEAT)['id']}"
        self.acknowledged: dict[int, Any] = {}
        self.refusals: list[tuple[int, str, str | None]] = []

    def move(self) -> bool:
        """Make the first legal move; returns whether it was acknowledged."""
        status, found = self.service.call("GET", f"{self.path}/legal-moves")
        if status != 200:  # Redis is restarting
            return False
        move = found["moves"][0]
        headers = {
            "Authorization": f"Bearer {self.service.token}",
            "Content-Type": "application/json",
        }
        body = json.dumps({"move": move}).encode()
        sent = Request(f"{self.service.url}{self.path}/moves", body, headers)
        try:
            with urlopen(sent, timeout=PATIENCE_S) as answer:
                self.acknowledged[json.load(answer)["version"]] = move
        except HTTPError as error:
            problem = json.load(error)
            self.refusals.append((error.code, problem["code"], error.headers["Retry-After"]))
            return False
        return True

    def recorded_moves(self) -> dict[int, Any]:
        """The moves of the match by version."""
        entries = self.service.insist("GET", f"{self.path}/events?limit=200")["events"]
        return {one["version"]: one["move"] for one in entries if one["kind"] == "Moved"}


def test_a_full_disk_refuses_only_writes_and_only_while_it_is_full(disk: Path) -> None:
    with whole_service(disk / "var", ANNALS_DISK_RESERVE_MB="4", ANNALS_WORKERS="1") as service:
        player = Player(service)
        assert [player.move() for _ in range(3)] == [True] * 3
        before = service.processes()
        filler = fill(disk)
        eventually(lambda: not player.move())
        with suppress(ProcessLookupError):  # it may have exited already, for lack of space
            os.kill(before["redis"][0], signal.SIGKILL)
        eventually(lambda: service.call("GET", player.path)[0] == 200)
        refused = [player.move() for _ in range(TRIES)]
        reads = [service.call("GET", path)[0] for path in (player.path, "/v1/matches") * TRIES]
        after = service.processes()
        commands = [service.command(*words) for words in COMMANDS]
        filler.unlink()
        eventually(player.move)
        assert player.recorded_moves() == player.acknowledged
        said = service.command("verify", "--all")
        assert (said.returncode, said.stdout) == (0, "1 matches checked, 0 faults found.\n")
    for command in commands:
        assert (command.returncode, command.stdout) == (1, "")
        assert command.stderr.splitlines()[-1].startswith("Less than 4 MB (ANNALS_DISK_RESERVE_MB)")
    assert not any(refused)
    assert set(reads) == {200}
    assert set(player.refusals) == {(503, "store_unavailable", "1")}
    ours = ("web", "projector", "worker")
    assert [after[kind] for kind in ours] == [before[kind] for kind in ours]
    assert "Traceback" not in service.said
    assert len(service.said.splitlines()) < 20, service.said
