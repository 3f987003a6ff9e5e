"""Clients for the Redis of events and of queues: one server or a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from secrets import token_hex
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from redis import ConnectionPool, Redis
from redis.backoff import ExponentialBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.crc import key_slot
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import (
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
)
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry

from service.runtime.errors import StoreUnavailable
from service.runtime.event_loop import pause
from service.runtime.redis_urls import is_cluster
from service.runtime.settings import BadSetting

CLIENT_PREFIX = "annals-"
CLIENT_NAME = f"{CLIENT_PREFIX}{token_hex(4)}"
"""The name of this process's connections in Redis; a restore finds those of other processes by it.
"""
REPLY_TIMEOUT_S = 5
"""Timeout of a reply in seconds. On a loop it includes connecting, and excludes the time that a
blocking command waits.
"""
CONNECTION_ERRORS = (Unconnected, TimedOut, RedisClusterException)
_REFUSAL_WORDS = (
    "OOM",
    "MISCONF",
    "CLUSTERDOWN",
    "MASTERDOWN",
    "NOREPLICAS",
    "TRYAGAIN",
    "UNBLOCKED",
)
_DEFAULT_PORT = 6379


class Cluster(RedisCluster):
    """A cluster, some of whose servers may be down."""

    def determine_slot(self, *args: Any) -> int | None:  # noqa: ANN401 - as redis-py has it
        """Return the slot of the keys of a command. For XREAD, redis-py would ask any server, which
        may be down although the server of the feed is up.
        """
        if args[0] == "XREAD":
            words = [one if isinstance(one, bytes) else str(one).encode() for one in args]
            return key_slot(words[words.index(b"STREAMS") + 1])
        return super().determine_slot(*args)


def is_cluster_client(redis: object) -> bool:
    """Return whether a client is one of a cluster; its static type does not say so."""
    return isinstance(redis, Cluster)


def explain_outage(error: Exception) -> str:
    """Return why a command failed: Redis is down or loads its data, or it is full; empty for other
    errors.
    """
    if isinstance(error, CONNECTION_ERRORS):
        return "The event store does not answer."
    refuses = isinstance(error, OutOfMemoryError | ReadOnlyError) or (
        isinstance(error, ResponseError) and any(word in str(error) for word in _REFUSAL_WORDS)
    )
    return "The event store accepts no writes at present." if refuses else ""


class store_errors:  # noqa: N801 - reads like a function; a generator would take thrice as long
    """A context that raises StoreUnavailable if Redis is down, loading its data, or full."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, (*CONNECTION_ERRORS, ResponseError)) and (
            reason := explain_outage(error)
        ):
            raise StoreUnavailable(reason) from error


class Backoff(ExponentialBackoff):
    """A backoff that sleeps itself, without blocking the loop."""

    def compute(self, failures: int) -> float:
        """Sleep as long as this number of failures requires; return 0, so that redis-py does not
        sleep.
        """
        pause(super().compute(failures))
        return 0


def connect(url: str, pool: type[ConnectionPool] = ConnectionPool) -> Redis:
    """Return a client for `redis://`, `rediss://` or `unix://`; with `?cluster=true` for a Redis
    Cluster. For a cluster the URL may name several servers, comma-separated; one of them must be
    up.

    If the connection breaks before a reply, the client sends the command again. That is safe for
    appends too: the copy fails the version check, and the store recognizes its own entry. A server
    that hangs blocks a caller for at most `REPLY_TIMEOUT_S` seconds. A new connection does not name
    this library to the server, which would take two more commands.
    """
    retry = Retry(Backoff(cap=0.2, base=0.02), 3, supported_errors=(Unconnected,))
    servers = server_urls(url)
    if is_cluster(url):
        return cast(
            Redis,
            Cluster.from_url(
                servers[0],
                startup_nodes=[_node(server) for server in servers[1:]],
                retry=retry,
                socket_timeout=REPLY_TIMEOUT_S,
                client_name=CLIENT_NAME,
                driver_info=None,
                connection_pool_class=pool,
            ),
        )
    pooled = pool.from_url(
        url,
        retry=retry,
        socket_timeout=REPLY_TIMEOUT_S,
        client_name=CLIENT_NAME,
        driver_info=None,
    )
    return Redis(connection_pool=pooled)


@cache
def server_urls(url: str) -> Sequence[str]:
    """Return the URLs of the named servers: one, or those of a cluster. Raises BadSetting if the
    query of the URL is invalid.
    """
    servers = tuple(_expand_servers(url)) if is_cluster(url) else (url,)
    parts = urlsplit(servers[0])
    try:
        for server in servers:
            ConnectionPool.from_url(server, driver_info=None).make_connection()
    except (TypeError, ValueError):
        asked = ", ".join(name for name, _ in parse_qsl(parts.query)) or parts.path
        raise BadSetting(f"The URL of a Redis has unknown options: {asked}.") from None
    return servers


def _expand_servers(url: str) -> Iterator[str]:
    """Yield a URL for each server of a cluster, with the same user, password and options."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    query = urlencode([one for one in parse_qsl(parts.query) if one[0] != "cluster"])
    for host in hosts.split(","):
        yield urlunsplit(parts._replace(netloc=f"{user}{at}{host}", query=query))


def _node(server: str) -> ClusterNode:
    parts = urlsplit(server)
    return ClusterNode(parts.hostname, parts.port or _DEFAULT_PORT)  # type: ignore[no-untyped-call]
