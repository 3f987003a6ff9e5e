"""Whether a Redis that is not ours will keep what it is told."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from urllib.parse import urlsplit

import redis

from service.runtime.settings import Settings, is_cluster
from service.store.event_store import Store
from service.store.redis_client import connect, servers_of
from workers.host.errors import CannotRun
from workers.host.high_water_mark import refuse_loss
from workers.host.redis_server import OLDEST

PATIENCE = 30
CONFIRMING = (7, 2)  # the oldest whose replicas confirm what they have on their disks
OF_SYNCED = "ANNALS_ACKNOWLEDGE=replica waits for what replicas have on their disks"


def check_redis(name: str, url: str, *, keeps: bool = True) -> list[str]:
    """Refuse a Redis that may lose data by itself; the rest of what is amiss, as warnings.

    Whether it `keeps` what it was told after a crash does not matter for job queues. Of the servers
    of a cluster those are left out that are away, unless all are.
    """
    servers = servers_of(url)
    warnings, away = dict[str, None](), list[redis.RedisError]()
    for server in servers:
        try:
            warnings |= dict.fromkeys(_warnings(name, server, keeps))
        except redis.RedisError as error:
            away.append(error)
    if len(away) == len(servers):
        raise CannotRun(complaint(name, away[0], url))
    return list(warnings)


def _warnings(name: str, server: str, keeps: bool) -> list[str]:
    with _asking(server) as client:
        check_version(name, client.info("server"))
        return list(weaknesses(name, client, keeps))


def _asking(server: str) -> redis.Redis:
    """A client of this server alone, which asks once and does not wait long."""
    return redis.Redis.from_url(server, decode_responses=True, socket_timeout=5, retry=None)


def check_version(name: str, info: dict[str, str], oldest: tuple[int, int] = OLDEST) -> None:
    """Refuse a server that lacks what we use."""
    version = info.get("redis_version", "0.0")
    if tuple(int(part) for part in version.split(".")[:2]) < oldest:
        needed = ".".join(map(str, oldest))
        why = f", as {OF_SYNCED}" if oldest == CONFIRMING else ""
        raise CannotRun(
            f"{name}: the server is Redis {version}, and {needed} is the oldest that will do{why}."
        )


def weaknesses(name: str, client: redis.Redis, keeps: bool) -> Iterator[str]:
    """What this server's configuration puts at risk."""
    try:
        policy = client.config_get("maxmemory-policy").get("maxmemory-policy", "noeviction")
        saving = client.config_get("append*")
    except redis.ResponseError:
        yield f"{name}: the server does not show its configuration; see docs/operations.md."
        return
    if policy != "noeviction":
        raise CannotRun(
            f"{name}: maxmemory-policy is {policy}, which throws {'matches' if keeps else 'jobs'}"
            " away when memory runs short; set it to noeviction."
        )
    if not keeps:
        return
    if saving.get("appendonly") != "yes":
        yield f"{name}: appendonly is off; a crash of the server loses moves."
    elif saving.get("appendfsync") != "always":
        yield f"{name}: appendfsync is not 'always'; a power cut loses the latest moves."


def refuse_unsure(name: str, url: str) -> None:
    """Refuse a Redis whose replicas cannot confirm what they have on their disks."""
    for server in servers_of(url):
        with suppress(redis.RedisError), _asking(server) as client:
            check_version(name, client.info("server"), CONFIRMING)
            if client.config_get("appendonly") == {"appendonly": "no"}:
                raise CannotRun(f"{name}: appendonly is off, and {OF_SYNCED}.")


def refuse_part(name: str, url: str) -> None:
    """Refuse a server of a cluster that is named as if it had everything."""
    if is_cluster(url):
        return
    with suppress(redis.RedisError), _asking(url) as client:
        if client.info("cluster").get("cluster_enabled"):
            raise CannotRun(f"{name}: this is a server of a cluster; add ?cluster=true to its URL.")


def await_both(settings: Settings) -> None:
    """Wait for the Redis of the events and the one of the queue; BadSetting for an event store that
    cannot be used, CannotRun for one that has lost something.
    """
    for url in (settings.events_url, settings.queue_url):
        await_redis(settings.named_by(url), url)
        refuse_part(settings.named_by(url), url)
    if settings.acknowledge == "replica":
        refuse_unsure(settings.named_by(settings.events_url), settings.events_url)
    with closing(connect(settings.events_url)) as redis:
        Store(redis, settings.partitions)
        refuse_loss(settings, redis)


def await_redis(name: str, url: str) -> None:
    """Wait while a Redis is starting, of a cluster all servers that are named; refuse at once when
    waiting cannot help.
    """
    deadline = time.monotonic() + PATIENCE
    servers = servers_of(url)
    while error := _why_nobody_answers(servers):
        if not may_pass(error) or time.monotonic() > deadline:
            raise CannotRun(complaint(name, error, url))
        time.sleep(0.1)


def _why_nobody_answers(servers: Sequence[str]) -> redis.RedisError | None:
    """What is wrong with the last of these servers; None if one of them answers."""
    found = None
    for server in servers:
        with _asking(server) as client:
            try:
                client.ping()
            except redis.RedisError as error:
                found = error
            else:
                return None
    return found


def may_pass(error: redis.RedisError) -> bool:
    """Whether the next try may well succeed."""
    return isinstance(error, redis.ConnectionError | redis.TimeoutError) and not isinstance(
        error, redis.AuthenticationError
    )


def complaint(name: str, error: redis.RedisError, url: str) -> str:
    """One sentence for the host about the Redis that this setting names, if any does."""
    words = in_words(error, url)
    return f"{name}: {words}" if name else f"REDIS_URL is not set, and {words}"


def in_words(error: redis.RedisError, url: str) -> str:
    """What went wrong, without the password."""
    where = without_password(url)
    if isinstance(error, redis.AuthenticationError) or "NOAUTH" in str(error):
        return f"the Redis at {where} wants another user name or password."
    if isinstance(error, redis.BusyLoadingError):
        return f"the Redis at {where} is still loading its data; try again in a moment."
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        return f"no Redis answers at {where}; is it running?"
    return f"the Redis at {where} says: {error}"


def without_password(url: str) -> str:
    """The place a Redis URL names."""
    parts = urlsplit(url)
    _, _, hosts = parts.netloc.rpartition("@")
    if "," in hosts:
        return hosts
    return parts.path if parts.scheme == "unix" else f"{parts.hostname}:{parts.port or 6379}"
