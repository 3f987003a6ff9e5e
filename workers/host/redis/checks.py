"""Checks that an external Redis keeps its data."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from urllib.parse import urlsplit

import redis

from service.runtime.errors import REDIS_ERRORS, StoreUnavailable
from service.runtime.redis_urls import is_cluster
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from service.store.redis_client import connect, server_urls
from workers.host.errors import CannotRun
from workers.host.redis.high_water_mark import refuse_loss
from workers.host.redis.server import OLDEST_VERSION

MAX_WAIT_S = 30
READ_ONLY_ERROR = "NOREPLICAS"
"""How a Redis answers a write while it is read-only (workers/host/redis/disk_guard.py)."""
OLDEST_CONFIRMING = (7, 2)  # the oldest whose replicas confirm what is on their disks
WHY_CONFIRMING = "ANNALS_ACKNOWLEDGE=replica waits until replicas have written to disk"


def check_redis(name: str, url: str, *, keeps: bool = True) -> list[str]:
    """Refuse a Redis that may delete data; returns warnings about other weaknesses.

    With `keeps` its data must survive a crash; job queues need not. Unreachable servers of a
    cluster are skipped, unless all are unreachable.
    """
    servers = server_urls(url)
    warnings, away = dict[str, None](), list[Exception]()
    for server in servers:
        try:
            warnings |= dict.fromkeys(_warnings(name, server, keeps))
        except REDIS_ERRORS as error:
            away.append(error)
    if len(away) == len(servers):
        raise CannotRun(describe_redis_error(name, away[0], url))
    return list(warnings)


def _warnings(name: str, server: str, keeps: bool) -> list[str]:
    with _short_client(server) as client:
        check_version(name, client.info("server"))
        return list(find_weaknesses(name, client, keeps))


def _short_client(server: str) -> redis.Redis:
    """Return a client of only this server, without retries and with a short timeout."""
    return redis.Redis.from_url(
        server, decode_responses=True, socket_timeout=5, retry=None, driver_info=None
    )


def check_version(
    name: str, info: dict[str, str], oldest: tuple[int, int] = OLDEST_VERSION
) -> None:
    """CannotRun if the server is too old."""
    version = info.get("redis_version", "0.0")
    if tuple(int(part) for part in version.split(".")[:2]) < oldest:
        needed = ".".join(map(str, oldest))
        why = f", because {WHY_CONFIRMING}" if oldest == OLDEST_CONFIRMING else ""
        raise CannotRun(
            f"{name}: the server is Redis {version}, but Annals needs {needed} or newer{why}."
        )


def find_weaknesses(name: str, client: redis.Redis, keeps: bool) -> Iterator[str]:
    """Yield warnings about the configuration of this server.
    Raises CannotRun if it may evict keys.
    """
    try:
        policy = client.config_get("maxmemory-policy").get("maxmemory-policy", "noeviction")
        saving = client.config_get("append*")
    except redis.ResponseError:
        yield f"{name}: Annals cannot read the configuration of the server; see docs/operations.md."
        return
    if policy != "noeviction":
        raise CannotRun(
            f"{name}: maxmemory-policy is {policy}, which deletes {'matches' if keeps else 'jobs'}"
            " when memory runs short; set it to noeviction."
        )
    if not keeps:
        return
    if saving.get("appendonly") != "yes":
        yield f"{name}: appendonly is off, so a crash of the server loses moves."
    elif saving.get("appendfsync") != "always":
        yield f"{name}: appendfsync is not 'always', so a power failure loses the latest moves."


def refuse_unconfirmed(name: str, url: str) -> None:
    """CannotRun if the replicas of this Redis cannot confirm what is on their disks."""
    for server in server_urls(url):
        with suppress(*REDIS_ERRORS), _short_client(server) as client:
            check_version(name, client.info("server"), OLDEST_CONFIRMING)
            if client.config_get("appendonly") == {"appendonly": "no"}:
                raise CannotRun(f"{name}: appendonly is off, but {WHY_CONFIRMING}.")


def refuse_cluster_part(name: str, url: str) -> None:
    """CannotRun if the URL names one server of a cluster as if it were the whole."""
    if is_cluster(url):
        return
    with suppress(*REDIS_ERRORS), _short_client(url) as client:
        if client.info("cluster").get("cluster_enabled"):
            raise CannotRun(
                f"{name}: this server belongs to a cluster; add ?cluster=true to its URL."
            )


def await_both(settings: Settings) -> None:
    """Wait for the Redis of the events and the Redis of the queues.

    BadSetting if the event store cannot be used, CannotRun if it has lost something.
    """
    for url in (settings.events_url, settings.queue_url):
        await_redis(settings.setting_of(url), url)
        refuse_cluster_part(settings.setting_of(url), url)
    if settings.acknowledge == "replica":
        refuse_unconfirmed(settings.setting_of(settings.events_url), settings.events_url)
    with closing(connect(settings.events_url)) as client:
        await_new_store(settings, client)
        refuse_loss(settings, client)


def await_new_store(settings: Settings, client: redis.Redis) -> None:
    """Wait until a new store can be marked: our own Redis starts read-only."""
    deadline = time.monotonic() + MAX_WAIT_S
    while True:
        try:
            EventStore(client, settings.partitions)
        except (StoreUnavailable, *REDIS_ERRORS) as error:
            if READ_ONLY_ERROR not in str(error.__cause__ or error) or time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def await_redis(name: str, url: str) -> None:
    """Wait while a Redis starts; CannotRun at once if waiting cannot help. For a cluster, one of
    the named servers is enough.
    """
    deadline = time.monotonic() + MAX_WAIT_S
    servers = server_urls(url)
    while error := _connection_error(servers):
        if not may_recover(error) or time.monotonic() > deadline:
            raise CannotRun(describe_redis_error(name, error, url))
        time.sleep(0.1)


def _connection_error(servers: Sequence[str]) -> Exception | None:
    """Return the error of the last of these servers, or None if one of them answers."""
    found = None
    for server in servers:
        with _short_client(server) as client:
            try:
                client.ping()
            except REDIS_ERRORS as error:
                found = error
            else:
                return None
    return found


def may_recover(error: Exception) -> bool:
    """Return whether the next attempt may succeed."""
    return isinstance(error, redis.ConnectionError | redis.TimeoutError) and not isinstance(
        error, redis.AuthenticationError
    )


def describe_redis_error(name: str, error: Exception, url: str) -> str:
    """One sentence for the operator about the Redis that this setting names."""
    words = _describe(error, url)
    return f"{name}: {words}" if name else f"REDIS_URL is not set, and {words}"


def _describe(error: Exception, url: str) -> str:
    """Return what went wrong, without the password."""
    where = address_of(url)
    if isinstance(error, redis.AuthenticationError) or "NOAUTH" in str(error):
        return f"the Redis at {where} rejects the user name or password."
    if isinstance(error, redis.BusyLoadingError):
        return f"the Redis at {where} is still loading its data; try again in a moment."
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        return f"no Redis answers at {where}; is it running?"
    return f"the Redis at {where} answers: {error}"


def address_of(url: str) -> str:
    """Return the address in a Redis URL."""
    parts = urlsplit(url)
    _, _, hosts = parts.netloc.rpartition("@")
    if "," in hosts:
        return hosts
    return parts.path if parts.scheme == "unix" else f"{parts.hostname}:{parts.port or 6379}"
