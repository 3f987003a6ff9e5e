"""The lines of the systemd units start, reload and stop the service, as systemd would run them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.request import urlopen

import pytest
from redis import Redis

from service.runtime.config.sources import NAMES
from service.store.redis_client import CLIENT_PREFIX
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import ROOT, fresh_addresses
from workers.host.redis.server import run_redis

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


def test_the_unit_starts_reloads_and_stops_the_service(tmp_path: Path) -> None:
    unit, addresses = Unit("annals.service", tmp_path), fresh_addresses()
    settings = "".join(f"{name}={value}\n" for name, value in addresses.items())
    (unit.data / "annals.conf").write_text(f"{settings}ANNALS_SIZE=small\n")
    (unit.data / "annals.conf").chmod(0o600)
    public = unit.data / "tlog/public"
    with started(unit, unit.command("ExecStart"), {}) as process:
        line = read_until(process.stdout, "Annals runs at ")
        address = line.split()[3]
        assert urlopen(f"{address}/readyz", timeout=PATIENCE_S).status == 200
        open_to_others = {file for file in unit.data.rglob("*") if file.lstat().st_mode & 0o077}
        assert {file for file in open_to_others if file.is_file()} <= {*public.rglob("*")}
        subprocess.run(unit.command("ExecReload", pid=str(process.pid)), check=True)
        read_until(process.stdout, "Reloading ...")
        read_until(process.stdout, "Annals runs at ")
        assert urlopen(f"{address}/readyz", timeout=PATIENCE_S).status == 200
        assert unit["KillMode"] == "mixed"  # SIGTERM only to the main process
        process.terminate()
        read_until(process.stdout, "Annals has stopped.")
        assert process.wait(PATIENCE_S) == 0
    assert not list((tmp_path / "run/annals").rglob("*.db"))


@pytest.mark.parametrize("name", ["web", "projector", "worker", "notary", "metrics"])
def test_each_process_of_the_template_starts_and_stops(name: str, tmp_path: Path) -> None:
    unit = Unit("annals@.service", tmp_path)
    assert f"annals@{name}" in (SAMPLES / "annals@.service").read_text()
    with run_redis(tmp_path / "redis", fsync="no") as url, Redis.from_url(url) as redis:
        more = {"EVENTS_REDIS_URL": url, "QUEUE_REDIS_URL": url, **fresh_addresses()}
        with started(unit, unit.command("ExecStart", i=name), more) as process:
            eventually(
                lambda: any(one["name"].startswith(CLIENT_PREFIX) for one in redis.client_list())
            )
            process.terminate()
            said, _ = process.communicate(timeout=PATIENCE_S)
            assert process.returncode in CLEAN, said
