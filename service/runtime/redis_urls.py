"""URLs of Redis servers: those that a setting names, and those that `annals run` starts."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote, urlsplit

MAX_SOCKET_PATH_BYTES = 100  # the kernel allows 104 to 108 bytes
SOCKET_FOLDER = Path(f"/tmp/annals-{os.getuid()}")  # noqa: S108 - only its owner may enter


def is_redis_url(url: str) -> bool:
    """Return whether this has the form of a Redis URL."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "unix":
            return bool(parts.path.strip("/"))
        hosts = parts.netloc.rpartition("@")[2].split(",")
        enough = len(hosts) == 1 or is_cluster(url)
        return parts.scheme in ("redis", "rediss") and enough and all(map(is_host, hosts))
    except ValueError:
        return False


def is_host(given: str) -> bool:
    """Return whether this is a host with an optional port. Raises ValueError if the port is
    invalid.
    """
    parts = urlsplit(f"//{given}")
    return bool(parts.hostname) and parts.port != 0


def is_cluster(url: str) -> bool:
    """Return whether the URL of a Redis names a cluster."""
    return "cluster=true" in urlsplit(url).query.split("&")


def own_redis_url(data: Path) -> str:
    """Return the URL of the Redis for events that `annals run` starts for this data folder."""
    return f"unix://{quote(str(socket_path(data / 'redis')))}"


def own_queue_url(data: Path) -> str:
    """Return the URL of the Redis for job queues that `annals run` starts for this data folder."""
    return f"unix://{quote(str(socket_path(data / 'queue')))}"


def socket_path(folder: Path) -> Path:
    """Return the path of the socket of the Redis in this folder.

    The path follows from the folder's, so a copy is never mistaken for the original. If the path is
    too long for a socket, the socket is in a temporary folder of the user.
    """
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES:
        return path
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:24]
    return SOCKET_FOLDER / f"{name}.sock"
