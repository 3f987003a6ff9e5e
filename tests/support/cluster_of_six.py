"""A Redis Cluster of three masters with a replica each, any of which a test can kill."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from redis.crc import key_slot

from tests.support.patience import eventually
from tests.support.ports import free_port
from tests.support.redis_process import RedisProcess

SLOTS = 16_384
MASTERS = 3
NODE_TIMEOUT_MS = 2_000
FLAGS: Mapping[str, str] = {
    "cluster-enabled": "yes",
    "cluster-require-full-coverage": "no",
    "cluster-replica-validity-factor": "0",
    "maxmemory-policy": "noeviction",
    "repl-diskless-sync-delay": "0",
    "stream-node-max-bytes": "2048",
}
"""Settings of each server, besides syncing every write; operators should set them, too."""
REPLICA_REQUIRED: Mapping[str, str] = {"min-replicas-to-write": "1", "min-replicas-max-lag": "10"}
"""With these settings a server without a replica refuses writes."""


class Node(RedisProcess):
    """One server of a cluster."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        folder.mkdir()
        self.bus = free_port()
        more = {**FLAGS, **settings, "cluster-port": str(self.bus)}
        words = (word for name, value in more.items() for word in (f"--{name}", value))
        super().__init__(folder, *words, tcp=True)
        self.port = int(self.url.rpartition(":")[2])

    def ask(self, *command: str | int) -> Any:
        """The server's reply."""
        with self.client() as client:
            return client.execute_command(*command)

    @property
    def id(self) -> str:
        """Its id in the cluster."""
        return str(self.ask("CLUSTER", "MYID").decode())

    @property
    def role(self) -> str:
        """`master` or `slave`, as the server reports it."""
        return str(self.ask("ROLE")[0].decode())

    @property
    def follows(self) -> int:
        """The port of its master."""
        return int(self.ask("ROLE")[2])

    def stop(self) -> None:
        """Pause the process, with its connections open, until `go_on`."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume after `stop`."""
        os.kill(self.pid, signal.SIGCONT)


class Cluster:
    """Its servers: the masters first, then a replica of each in the same order."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        ports = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
        self.url = f"redis://{ports}/0?cluster=true"

    def form(self) -> None:
        """Make a cluster of new servers."""
        first, masters = self.nodes[0], self.nodes[:MASTERS]
        for number, node in enumerate(masters):
            bounds = (SLOTS * number // MASTERS, SLOTS * (number + 1) // MASTERS - 1)
            node.ask("CLUSTER", "ADDSLOTSRANGE", *bounds)
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in self.nodes[1:]:
            node.ask("CLUSTER", "MEET", "127.0.0.1", first.port, first.bus)
        eventually(lambda: all(self._knows_all(node) for node in self.nodes))
        for master, replica in zip(masters, self.nodes[MASTERS:], strict=True):
            replica.ask("CLUSTER", "REPLICATE", master.id)
        eventually(self.is_whole)

    def is_whole(self) -> bool:
        """Whether all servers run and agree, and each master has a replica in sync."""
        return all(map(self._agrees, self.nodes)) and len(self._in_step()) == MASTERS

    def master_of(self, key: str) -> Node | None:
        """The server that has a key now; None while the running ones disagree."""
        slot = key_slot(key.encode())
        found = {self._owner(node, slot) for node in self.nodes if node.is_running}
        if len(found) > 1:
            return None
        return next(node for node in self.nodes if node.port in found)

    def replica_of(self, master: Node) -> Node:
        """Its replica."""
        others = [node for node in self.nodes if node is not master and node.is_running]
        return next(one for one in others if one.role == "slave" and one.follows == master.port)

    def _agrees(self, node: Node) -> bool:
        info = node.ask("CLUSTER", "INFO")
        seen = node.ask("CLUSTER", "NODES")
        return b"cluster_state:ok" in info and b"fail" not in seen and self._knows_all(node)

    def _knows_all(self, node: Node) -> bool:
        lines = node.ask("CLUSTER", "NODES").decode().splitlines()
        return len(lines) == len(self.nodes) and not any("handshake" in one for one in lines)

    def _in_step(self) -> set[int]:
        """The masters whose replicas have all their data."""
        states = (node.ask("ROLE") for node in self.nodes)
        return {int(one[2]) for one in states if one[0] == b"slave" and one[3] == b"connected"}

    def _owner(self, node: Node, slot: int) -> int:
        spans = node.ask("CLUSTER", "SLOTS")
        return next(int(master[1]) for low, high, master, *_ in spans if low <= slot <= high)


@contextmanager
def cluster_of_six(
    folder: Path,
    settings: Mapping[str, str] = MappingProxyType({}),
    node_timeout_ms: int = NODE_TIMEOUT_MS,
) -> Iterator[Cluster]:
    """Three masters with a replica each, each with its own folder."""
    given = {**settings, "cluster-node-timeout": str(node_timeout_ms)}
    folder.mkdir(parents=True, exist_ok=True)
    nodes: list[Node] = []
    try:
        nodes.extend(Node(folder / f"node-{number}", given) for number in range(2 * MASTERS))
        cluster = Cluster(nodes)
        cluster.form()
        yield cluster
    finally:
        for node in nodes:
            if node.is_running:
                node.kill()
