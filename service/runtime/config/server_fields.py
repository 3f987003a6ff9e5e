"""The first settings: server, data, Redis and processes."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from service.runtime.config import checks
from service.runtime.config.record import setting

SIZES = ("small", "medium", "large")
CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much processor time a container may use, and in what time."""


def count_cores() -> int:
    """Return how many processors this process may use, at least 2."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    quota, _, period = (CPU_QUOTA.read_text() if CPU_QUOTA.is_file() else "max").partition(" ")
    if quota.isdigit():
        cores = min(cores, math.ceil(int(quota) / int(period)))
    return max(2, min(64, cores))


CORES = count_cores()


# fmt: off
@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFields:
    """The settings of the server, in the order of docs/settings.md."""

    port: int = setting("ANNALS_PORT", 8000, 1, 65535, about="port of the web server")
    host: str = setting(
        "ANNALS_HOST", "127.0.0.1",
        about="address of the web server; `0.0.0.0` opens it to the network",
    )
    data: Path = setting(  # noqa: RUF009 - it makes a field
        "ANNALS_DATA", Path("var"),
        about="folder for data and logs",
    )
    config: str = setting(
        "ANNALS_CONFIG", "",
        about="the file with settings; without it, `annals.conf` in the data folder",
    )
    redis_url: str = setting(
        "REDIS_URL", "", check=checks.redis_url, secret=True,
        about="the Redis for events and queues; without it `annals run` starts its own two",
    )
    events_url: str = setting(
        "EVENTS_REDIS_URL", "", check=checks.redis_url, secret=True,
        about="the Redis of matches and projections, if not `REDIS_URL`; can be a cluster: "
        "`redis://one:6379,two:6379,three:6379/0?cluster=true` names some of its servers, of "
        "which one has to answer",
    )
    queue_url: str = setting(
        "QUEUE_REDIS_URL", "", check=checks.redis_url, secret=True,
        about="the Redis of the job queues, if not `REDIS_URL`; not a cluster; best one that "
        "writes nothing to disk",
    )
    partitions: int = setting(
        "ANNALS_PARTITIONS", 16, 1, 1024,
        about="partitions of a new store; fixed for the life of a store",
    )
    acknowledge: str = setting(
        "ANNALS_ACKNOWLEDGE", "server", words=("server", "replica"),
        about="when Annals acknowledges a move: once the `server` has it, or once a `replica` has "
        "it on its disk too ([When a server dies](operations.md#when-a-server-dies))",
    )
    size: str = setting(
        "ANNALS_SIZE", "medium", words=SIZES,
        about="which defaults the settings for processes and memory have: `small` for 512 MB and a "
        "table of friends, `large` to use all cores ([sizes](hosting.md#sizes))",
    )
    workers: int = setting(
        "ANNALS_WORKERS", 2, 1, 64, small=1, large=CORES,
        about="worker processes of `annals run`; if there are several, one leaves bots that search "
        "to the others",
    )
    web_processes: int = setting(
        "ANNALS_WEB_PROCESSES", 2, 1, 64, small=1, large=CORES,
        about="processes of the web server",
    )
    warm_up: int = setting(
        "ANNALS_WARM_UP", 1, 0, 1, small=0,
        about="whether pages, texts and the contract are prepared before the service starts; with "
        "`0` it starts some seconds sooner, and the first callers wait",
    )

# fmt: on
