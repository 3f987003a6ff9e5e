"""A full disk: recorded matches stay readable, writes get a 503, and the service recovers without
help. If a disk is read-only or ends Redis, the console, `/admin` and `annals doctor` name the cure.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import click
import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from service.accounts.operators import Operators
from service.admin.data_folder import describe_fault
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from tests.support.patience import PATIENCE_S, eventually
from tests.support.warm_start import run_command
from tests.support.whole_service import Service, fresh_addresses, whole_service
from workers.cli import commands as cli
from workers.host.redis.disk_guard import READ_ONLY, WRITE_SWITCH
from workers.host.redis.last_words import last_message
from workers.host.redis.server import run_redis

pytestmark = pytest.mark.slow
SIZE = "24m"
INODES = 1_000
TRIES = 30
COMMANDS = {
    "admin ban": "Ada --reason abuse --yes",
    "admin close": "MATCH --reason abuse --yes",
    "admin codes": "Ada --yes",
    "admin mute": "Ada --reason abuse --yes",
    "admin operators": "--remove Ada",
    "admin setup": "",
    "admin token": "Ada --yes",
    "admin unban": "Ada",
    "admin unmute": "Ada",
    "archive": "--days 0",
    "erase": "Ada --yes",
    "rebuild": "",
    "verify": "--all",
}
"""Commands that write to the store, and what to write behind them; MATCH is the id of a match."""
OTHERS = {
    "they run the service or a part of it": "analyst deliveries discord-worker metrics notary"
    " projector run web worker",
    "they refuse while the service runs": "restore tlog-restart tlog-resume",
    "they write only other files": "backup export report tlog-retire tlog-rotate upgrade",
    "they write only what is missing": "accept-loss",
    "they only read": "admin-log admin-player admin-players config discord-check doctor replay"
    " show sql tlog-check",
    "they need no store of this service": "arena calibrate corpus demo discord-register draw"
    " new-game sample",
    "a signal of the service": "reload",
}
"""All other commands, and why none of them meets a full store."""
AS_ROOT = [] if os.getuid() == 0 or not shutil.which("sudo") else ["sudo", "-n"]
HOTSEAT = {"game": "qin", "seats": [{"me": True}, {"me": True}]}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk; needs root, or sudo without a password."""
    options = f"size={SIZE},nr_inodes={INODES},mode=700,uid={os.getuid()}"
    mount = [*AS_ROOT, "mount", "-t", "tmpfs", "-o", options, "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or subprocess.run(mount, check=False).returncode:
        pytest.skip("this user may mount no small disk")
    try:
        yield tmp_path
    finally:
        subprocess.run([*AS_ROOT, "umount", "--lazy", str(tmp_path)], check=True)


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


def use_inodes(disk: Path) -> Path:
    """Create files until none can be created; returns their folder."""
    (folder := disk / "files").mkdir()
    with suppress(OSError):
        for number in range(INODES):
            (folder / str(number)).touch()
    return folder


def moves_without_inodes(disk: Path, service: Service, player: Player) -> None:
    """No file can be created: moves are recorded, and the host hears of it."""
    folder = use_inodes(disk)
    assert [player.move() for _ in range(3)] == [True] * 3
    cannot = f"Cannot create a file in {service.data} (all inodes of its disk are used)"
    assert describe_fault(service.data, 0).startswith(f"{cannot}, so moves are rec")
    failed = failures_of(service)
    assert failed["data"]["text"] == f"{cannot}."
    without = f"The disk of {service.data} can have 0 more files: its inodes are used up."
    assert failed["disk"]["text"] == without
    shutil.rmtree(folder)


def failures_of(service: Service) -> dict[str, Any]:
    """What `annals doctor` says of the checks that fail."""
    findings = map(json.loads, service.command("doctor", "--json").stdout.splitlines())
    return {one["check"]: one for one in findings if one["level"] == "fail"}


@contextmanager
def mounted_read_only(folder: Path) -> Iterator[None]:
    """Nothing can be created or opened for writing in a folder, as after errors of its disk."""
    for words in (["--bind", folder, folder], ["-o", "remount,bind,ro", folder]):
        subprocess.run([*AS_ROOT, "mount", *words], check=True)
    try:
        yield
    finally:
        subprocess.run([*AS_ROOT, "umount", "--lazy", folder], check=True)


def outlives_a_failing_disk(service: Service, player: Player) -> None:
    """The disk is mounted read-only, which Redis survives. An error of it ends Redis, and reads
    stop, because no other process knows what was recorded last.
    """
    redis = connect(own_redis_url(service.data))
    Operators(redis).add(service.insist("GET", "/v1/me")["id"])
    cannot = f"Cannot write in {service.data} (Read-only file system)"
    with closing(redis), mounted_read_only(service.data):
        eventually(lambda: redis.config_get(WRITE_SWITCH) == {WRITE_SWITCH: READ_ONLY})
        assert not player.move()
        assert service.call("GET", player.path)[0] == 200
        eventually(lambda: str(fault_shown(service)).startswith(f"{cannot}, so no move is"))
        os.kill(service.processes()["redis"][0], signal.SIGKILL)
        eventually(lambda: service.call("GET", player.path)[0] == 503)
        for path in (player.path, "/v1/matches", "/v1/admin/health"):
            status, problem = service.call("GET", path)
            assert (status, problem["code"]) == (503, "store_unavailable"), path
        failed = failures_of(service)
        assert failed["data"]["text"] == f"{cannot}."
        assert "it starts by itself" in failed["redis"]["cure"]
    eventually(player.move)


def fault_shown(service: Service) -> str | None:
    """What operators see of the disk."""
    fault: str | None = service.insist("GET", "/v1/admin/health")["disk"]["fault"]
    return fault


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
        moves_without_inodes(disk, service, player)
        before = service.processes()
        filler = fill(disk)
        eventually(lambda: not player.move())
        with suppress(ProcessLookupError):  # it may have exited already, for lack of space
            os.kill(before["redis"][0], signal.SIGKILL)
        eventually(lambda: service.call("GET", player.path)[0] == 200)
        refused = [player.move() for _ in range(TRIES)]
        refuses_accounts_and_reloads(service)
        reads = [service.call("GET", path)[0] for path in (player.path, "/v1/matches") * TRIES]
        after = service.processes()
        commands = try_commands(service, player.path.rpartition("/")[2])
        filler.unlink()
        eventually(player.move)
        outlives_a_failing_disk(service, player)
        assert player.recorded_moves() == player.acknowledged
        said = service.command("verify", "--all")
        assert (said.returncode, said.stdout) == (0, "1 matches checked, 0 faults found.\n")
    refuse_all(commands)
    assert "Make room there, and the service goes on by itself." in service.said
    assert not any(refused)
    assert set(reads) == {200}
    assert set(player.refusals) == {(503, "store_unavailable", "1")}
    ours = ("web", "projector", "worker")
    assert [after[kind] for kind in ours] == [before[kind] for kind in ours]
    assert "Traceback" not in service.said
    assert len(service.said.splitlines()) < 20, service.said


def refuse_all(commands: Mapping[str, subprocess.CompletedProcess[str]]) -> None:
    """Each command ends with the sentence about the full disk."""
    full = "Less than 4 MB (ANNALS_DISK_RESERVE_MB)"
    for name, said in commands.items():
        assert (name, said.returncode, said.stdout) == (name, 1, ""), said.stderr
        assert (name, said.stderr.splitlines()[-1][: len(full)]) == (name, full)


def try_commands(service: Service, match: str) -> dict[str, subprocess.CompletedProcess[str]]:
    return {
        name: service.command(*f"{name} {words}".replace("MATCH", match).split())
        for name, words in COMMANDS.items()
    }


def leaves(command: click.Command, *words: str) -> Iterator[tuple[str, ...]]:
    """The words of each command that is no group."""
    if not isinstance(command, click.Group):
        yield words
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found
        yield from leaves(found, *words, name)


def test_no_command_is_forgotten_here() -> None:
    others = {name for names in OTHERS.values() for name in names.split()}
    tried = {name.replace(" ", "-") for name in COMMANDS}
    assert not others & tried
    assert others | tried == {"-".join(words) for words in leaves(cli)}


def refuses_accounts_and_reloads(service: Service) -> None:
    status, problem = service.call("POST", "/v1/players", {"name": "Eve"})
    assert (status, problem["detail"]) == (503, "The event store accepts no writes at present.")
    assert service.command("reload").returncode == 0  # its console says why nothing is reloaded


def test_a_new_store_does_not_begin_on_a_full_disk(tmp_path: Path) -> None:
    place = {"ANNALS_DATA": str(tmp_path), "ANNALS_DISK_RESERVE_MB": f"{10**9}"}
    said = run_command(["run"], {**os.environ, **place, **fresh_addresses()})
    assert said.returncode == 1
    [sentence] = (said.stdout + said.stderr).splitlines()
    assert f"are free in {tmp_path}: make room there" in sentence


@pytest.fixture
def read_only(disk: Path) -> Path:
    """A folder of data on a disk that is mounted read-only."""
    data = disk / "var"
    with run_redis(data / "redis"):
        pass
    subprocess.run([*AS_ROOT, "mount", "-o", "remount,ro", str(disk)], check=True)
    return data


def test_a_read_only_disk_is_named_with_its_cure(read_only: Path) -> None:
    environ = {**os.environ, "ANNALS_DATA": str(read_only), **fresh_addresses()}
    environ.pop("REDIS_URL", None)
    said = run_command(["run"], environ)
    [sentence] = (said.stdout + said.stderr).splitlines()
    cannot = f"Cannot write in {read_only} (Read-only file system)"
    assert sentence.startswith(f"{cannot}: mount its disk for writing (")
    trouble = describe_fault(read_only, 0)
    assert trouble.startswith(f"{cannot}, so no move is recorded: mount its disk for writing (")
    findings = map(json.loads, run_command(["doctor", "--json"], environ).stdout.splitlines())
    [found] = [one for one in findings if one["check"] == "data"]
    assert (found["level"], found["text"]) == ("fail", f"{cannot}.")
    assert found["cure"].startswith("Mount its disk for writing (")


def test_a_redis_says_in_plain_words_that_its_disk_is_full(
    disk: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = tmp_path_factory.mktemp("log") / "redis.log"
    (disk / "redis").mkdir()
    (disk / "redis" / "redis.log").symlink_to(log)  # that it has room for its last words
    with run_redis(disk / "redis") as url, closing(Redis.from_url(url, retry=None)) as client:
        fill(disk)
        with pytest.raises(RedisConnectionError):
            client.set("key", bytes(1_000_000))
    assert last_message(log) == "its disk is full: make room there"
