"""Each call of a host is recorded; by this, tests/running/test_units.py shows that nothing phones
home.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing, suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from service.matches.container import wall_clock
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from service.store.uptime import Uptime
from tests.support.patience import eventually
from tests.support.whole_service import Service

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]
RECORDER = """
import os, sys

def record(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        host = arguments[1][0] if isinstance(arguments[1], tuple) else "unix"
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    os.write(file, f"{os.getpid()} {host}\\n".encode())

file = os.open(os.environ["CALLED_HOSTS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
sys.addaudithook(record)
"""
"""Python imports this in each process at its start. It records every host that is called or
resolved.
"""
PYTHON_PROCESSES = ("web", "worker", "projector", "notary", "keeper", "deliveries", "analyst")


@pytest.fixture
def recorded(tmp_path: Path) -> dict[str, str]:
    """Settings that record the hosts which processes call, in the file `called`."""
    (tmp_path / "recorder").mkdir()
    (tmp_path / "recorder/sitecustomize.py").write_text(RECORDER)
    path = os.pathsep.join([str(tmp_path / "recorder"), os.environ.get("PYTHONPATH", "")])
    return {"PYTHONPATH": path, "CALLED_HOSTS": str(tmp_path / "called")}


def calls(recorded: dict[str, str]) -> list[tuple[int, str]]:
    """The process and the host of each call so far."""
    lines = Path(recorded["CALLED_HOSTS"]).read_text().splitlines()
    return [(int(pid), host) for pid, host in (line.split(" ", 1) for line in lines)]


def is_here(host: str) -> bool:
    """Whether a host is this machine."""
    if host in ("unix", "localhost", "None"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def await_beats(service: Service) -> None:
    """Return once the service has recorded twice more that it runs."""
    with closing(connect(own_redis_url(service.data))) as redis:
        before = Uptime(redis).record(wall_clock()).beats
        eventually(lambda: Uptime(redis).record(wall_clock()).beats > before + 1)


def has_internet_socket(pid: int) -> bool:
    """Whether a process, such as a Redis, has a socket that is not a file."""
    open_files = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            open_files.add(os.readlink(file))
    rows = [
        row.split()
        for name in ("tcp", "tcp6", "udp", "udp6")
        if (table := Path(f"/proc/{pid}/net/{name}")).exists()
        for row in table.read_text().splitlines()[1:]
    ]
    return bool(open_files & {f"socket:[{row[9]}]" for row in rows})


@pytest.mark.parametrize(
    "call", ["getaddrinfo('annals.invalid', 80)", "socket().connect(('192.0.2.1', 80))"]
)
def test_the_recorder_notices_a_call(recorded: dict[str, str], call: str) -> None:
    program = f"from socket import *; setdefaulttimeout(0.001); {call}"
    subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | recorded, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert [is_here(host) for _, host in calls(recorded)] == [False]
