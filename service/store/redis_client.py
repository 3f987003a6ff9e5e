"""Clients of the Redis that keep events and queues: one server, or a cluster of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from service.runtime.settings import BadSetting, is_cluster

OF_ANNALS = "annals-"
CLIENT = f"{OF_ANNALS}{token_hex(4)}"
"""What Redis calls the connections of this process, so that a restore finds those of others."""
ANSWER_S = 5
"""How long Redis may take for a reply; on a loop also until it is connected, and not counting what
it is asked to wait by itself."""
UNREACHABLE = (Unconnected, TimedOut, RedisClusterException)
_REFUSING = ("OOM", "MISCONF", "CLUSTERDOWN", "MASTERDOWN", "NOREPLICAS", "TRYAGAIN", "UNBLOCKED")
_PORT = 6379


class Cluster(RedisCluster):
    """A cluster, of which any server may be away."""

    def determine_slot(self, *args: Any) -> int | None:  # noqa: ANN401 - as redis-py has it
        """The slot of the keys of a command. For XREAD redis-py would ask a server that may be
        away, though the one that has the feed is there.
        """
        if args[0] == "XREAD":
            words = [one if isinstance(one, bytes) else str(one).encode() for one in args]
            return key_slot(words[words.index(b"STREAMS") + 1])
        return super().determine_slot(*args)


def is_of_cluster(redis: object) -> bool:
    """Whether a client is one of a cluster, which its type does not say."""
    return isinstance(redis, Cluster)


@contextmanager
def answering() -> Iterator[None]:
    """Say StoreUnavailable if Redis is not there, is just loading its data, or is full."""
    try:
        yield
    except UNREACHABLE as error:
        raise StoreUnavailable("The event store does not answer.") from error
    except (OutOfMemoryError, ReadOnlyError) as error:
        raise StoreUnavailable("The event store accepts nothing now.") from error
    except ResponseError as error:
        if any(word in str(error) for word in _REFUSING):
            raise StoreUnavailable("The event store accepts nothing now.") from error
        raise


class Backoff(ExponentialBackoff):
    """Waits by itself, in a way that holds up nobody else."""

    def compute(self, failures: int) -> float:
        """Wait as long as one should after so many failures; nothing is left to wait for."""
        pause(super().compute(failures))
        return 0


def connect(url: str, pool: type[ConnectionPool] = ConnectionPool) -> Redis:
    """A client for `redis://`, `rediss://` or `unix://`; `?cluster=true` for a Redis Cluster, of
    which several servers may be named with commas between: one of them has to be there.

    It sends again what got no answer because the connection broke. That is safe for an append
    too: the second copy meets the version check, and the store knows its own entry again. One
    that stands still holds nobody for longer than `ANSWER_S` seconds.
    """
    retry = Retry(Backoff(cap=0.2, base=0.02), 3, supported_errors=(Unconnected,))
    servers = servers_of(url)
    if is_cluster(url):
        return cast(
            Redis,
            Cluster.from_url(
                servers[0],
                startup_nodes=[_node(server) for server in servers[1:]],
                retry=retry,
                socket_timeout=ANSWER_S,
                client_name=CLIENT,
                connection_pool_class=pool,
            ),
        )
    pooled = pool.from_url(url, retry=retry, socket_timeout=ANSWER_S, client_name=CLIENT)
    return Redis(connection_pool=pooled)


def servers_of(url: str) -> Sequence[str]:
    """The URLs of the servers that are named: one, or those of a cluster. BadSetting if what stands
    behind the question mark means nothing.
    """
    servers = list(_each_of(url)) if is_cluster(url) else [url]
    parts = urlsplit(servers[0])
    try:
        for server in servers:
            Redis.from_url(server).connection_pool.make_connection()
    except (TypeError, ValueError):
        asked = ", ".join(name for name, _ in parse_qsl(parts.query)) or parts.path
        raise BadSetting(f"The URL of a Redis asks for what no Redis has: {asked}.") from None
    return servers


def _each_of(url: str) -> Iterator[str]:
    """A URL for each server of a cluster, with the same user, password and options."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    query = urlencode([one for one in parse_qsl(parts.query) if one[0] != "cluster"])
    for host in hosts.split(","):
        yield urlunsplit(parts._replace(netloc=f"{user}{at}{host}", query=query))


def _node(server: str) -> ClusterNode:
    parts = urlsplit(server)
    return ClusterNode(parts.hostname, parts.port or _PORT)  # type: ignore[no-untyped-call]
