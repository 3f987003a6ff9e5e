"""The lines of the systemd units start, reload and stop the service, as systemd would run them;
meanwhile it calls no other host.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.request import Request, urlopen

import pytest
from click import Context
from redis import Redis

from service.runtime.config.sources import NAMES
from service.store.redis_client import CLIENT_PREFIX
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import ROOT, Service, fresh_addresses
from tests.test_no_other_host import (
    PYTHON_PROCESSES,
    await_beats,
    calls,
    has_internet_socket,
    is_here,
    recorded,
)
from workers.cli import commands
from workers.host.redis.server import run_redis

__all__ = ["recorded"]
SAMPLES = ROOT / "examples" / "hosting"
PROGRAM = "/opt/annals/.venv/bin/annals"
OF_SYSTEMD = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
"""What systemd gives a service, besides the lines `Environment=`."""


CLEAN = (0, -signal.SIGTERM)
"""What systemd takes for a clean end; the second if a process was not ready yet."""


class Unit:
    """A unit whose folders are in an empty one."""

    def __init__(self, name: str, root: Path) -> None:
        text = (SAMPLES / name).read_text()
        for folder in ("/var/lib/annals", "/run/annals"):
            (root / folder[1:]).mkdir(0o700, parents=True)
            text = text.replace(folder, f"{root}{folder}")
        text = text.replace(PROGRAM, str(Path(sys.executable).with_name("annals")))
        lines = [line.partition("=") for line in text.splitlines() if not line.startswith("#")]
        self.all = [(key, value) for key, _, value in lines if value]
        self.data = root / "var/lib/annals"

    def __getitem__(self, name: str) -> str:
        """The only value of this name."""
        [found] = self.values(name)
        return found

    def values(self, name: str) -> Sequence[str]:
        """All values of this name."""
        return [value for key, value in self.all if key == name]

    def environ(self) -> dict[str, str]:
        """The variables of its processes."""
        own = dict(value.split("=", 1) for value in self.values("Environment"))
        assert {name for name in own if name.startswith("ANNALS_")} <= NAMES
        return {**OF_SYSTEMD, **own}

    def command(self, name: str, **parts: str) -> list[str]:
        """The words of a line, with these in the place of `%i` and `$MAINPID`."""
        line = (
            self[name].replace("%i", parts.get("i", "")).replace("$MAINPID", parts.get("pid", ""))
        )
        return shlex.split(line)


@contextmanager
def started(
    unit: Unit, command: Sequence[str], more: Mapping[str, str]
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command, env={**unit.environ(), **more}, cwd="/", text=True, umask=int(unit["UMask"], 8),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def read_until(said: IO[str] | None, beginning: str) -> str:
    """The first line with this beginning."""
    assert said
    return next(line for line in said if line.startswith(beginning))


def test_the_unit_starts_reloads_and_stops_a_service_that_calls_no_other_host(
    tmp_path: Path, recorded: dict[str, str]
) -> None:
    unit, addresses = Unit("annals.service", tmp_path), fresh_addresses()
    settings = "".join(f"{name}={value}\n" for name, value in addresses.items())
    (unit.data / "annals.conf").write_text(f"{settings}ANNALS_SIZE=small\n")
    (unit.data / "annals.conf").chmod(0o600)
    public = unit.data / "tlog/public"
    with started(unit, unit.command("ExecStart"), recorded) as process:
        line = read_until(process.stdout, "Annals runs at ")
        address = line.split()[3]
        assert urlopen(f"{address}/readyz", timeout=PATIENCE_S).status == 200
        open_to_others = {file for file in unit.data.rglob("*") if file.lstat().st_mode & 0o077}
        assert {file for file in open_to_others if file.is_file()} <= {*public.rglob("*")}
        service = Service(process, {"ANNALS_DATA": str(unit.data), **addresses})  # type: ignore[arg-type]
        before = service.titles()
        with (unit.data / "annals.conf").open("a") as file:
            file.write("ANNALS_CORS_ORIGINS=https://reloaded.example\n")
        subprocess.run(unit.command("ExecReload", pid=str(process.pid)), check=True)
        read_until(process.stdout, "Reloading ...")
        read_until(process.stdout, "Annals runs at ")
        check_reload(service, before, tmp_path / "run/annals")
        check_calls(service, recorded)
        assert unit["KillMode"] == "mixed"  # SIGTERM only to the main process
        process.terminate()
        read_until(process.stdout, "Annals has stopped.")
        assert process.wait(PATIENCE_S) == 0
    assert not list((tmp_path / "run/annals").rglob("*.db"))
    assert {host for _, host in calls(recorded) if not is_here(host)} == set()


def check_reload(service: Service, before: Mapping[int, str], metrics: Path) -> None:
    """All processes but Redis are others than before, with other metrics and the new settings."""
    eventually(lambda: {*service.titles().values()} == {*before.values(), "painter"})
    eventually(lambda: not before.keys() & service.titles().keys())
    eventually(lambda: not before.keys() & {*find_writers(metrics)})
    asked = Request(f"{service.url}/v1/matches", headers={"Origin": "https://other.example"})
    with urlopen(asked, timeout=PATIENCE_S) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] is None  # as the file says now


def find_writers(folder: Path) -> Iterator[int]:
    """The processes whose metrics are in a folder."""
    yield from (int(file.stem.rpartition("_")[2]) for file in folder.rglob("*.db"))


def check_calls(service: Service, recorded: dict[str, str]) -> None:
    """Check that the calls of each process are recorded, and that no Redis can make one."""
    await_beats(service)
    found = service.processes()

    def find_silent() -> list[str]:
        callers = {pid for pid, _ in calls(recorded)}
        return [kind for kind in PYTHON_PROCESSES if not callers & {*found[kind]}]

    eventually(lambda: not find_silent())
    for kind in ("redis", "queue"):
        assert [pid for pid in found[kind] if has_internet_socket(pid)] == []


PROCESSES = re.findall(r"annals@([\w-]+)", (SAMPLES / "annals@.service").read_text())


def test_each_process_of_the_template_is_a_command() -> None:
    assert "worker" in PROCESSES
    assert {*PROCESSES} <= {*commands.list_commands(Context(commands))}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name != "worker")) for name in PROCESSES],
)
def test_a_process_of_the_template_starts_and_stops(name: str, tmp_path: Path) -> None:
    unit = Unit("annals@.service", tmp_path)
    with run_redis(tmp_path / "redis", fsync="no") as url, Redis.from_url(url) as redis:
        more = {"EVENTS_REDIS_URL": url, "QUEUE_REDIS_URL": url, **fresh_addresses()}
        with started(unit, unit.command("ExecStart", i=name), more) as process:
            eventually(
                lambda: any(one["name"].startswith(CLIENT_PREFIX) for one in redis.client_list())
            )
            process.terminate()
            said, _ = process.communicate(timeout=PATIENCE_S)
            assert process.returncode in CLEAN, said
