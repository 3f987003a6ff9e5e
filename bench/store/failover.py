"""What is lost when a master of a cluster is killed during play, in each mode; and the cost of a
mode.

The whole service plays on a cluster of three masters with a replica each. In some rounds a master
is killed. In others its replica is stopped for a while first, as if the network between them were
cut, and killed before it continues, so that it never reads what its system has buffered. Then it
restarts from its disk and takes over.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import NamedTuple, get_args

from bench.load.limits import spread, time_call
from bench.load.many import copy_match
from projections.progress import read_progress
from service.matches.container import Annals
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.store.replicas import Replicas
from tests.support.cluster_of_six import Cluster, Node
from tests.support.patience import eventually
from tests.support.spread_play import Table, lost
from tests.support.spread_service import Client, Mode, Spread, spread_service

CLIENTS = 8
QUIET_S = 10.0
"""How long matches are played before the kill."""
CUTS_S = (5.0, 15.0)
"""How long a replica is cut off: shorter and longer than `min-replicas-max-lag`."""
ROUNDS = 5
"""Number of masters killed in each mode; `BENCH_ROUNDS` overrides it."""
APPENDS = 300
HOTSEAT = ({"me": True}, {"me": True})


def figures(folder: Path) -> dict[str, float]:
    """Moves acknowledged and lost, and how long partitions were away, by mode."""
    rounds = int(os.environ.get("BENCH_ROUNDS", ROUNDS))
    modes: Sequence[Mode] = get_args(Mode)
    return {
        f"mode {mode}, {what}": figure
        for mode in modes
        for what, figure in measure_mode(folder / mode, mode, rounds)
    }


def measure_mode(
    folder: Path, mode: Mode, rounds: int, cuts_s: Sequence[float] = CUTS_S
) -> Iterator[tuple[str, float]]:
    """The figures of one mode."""
    with spread_service(folder, mode) as service:
        if mode == "c":
            yield from _appends(service.cluster)
        yield from _quiet(service)
        yield from KillRounds(service, "killed", lambda node, _: node.kill()).rounds(rounds)
        for seconds in cuts_s:
            cut = KillRounds(
                service, f"cut off for {seconds:.0f} s, then killed", _cut_for(seconds)
            )
            yield from cut.rounds(rounds)


class Load:
    """Players who play one match after another at full speed."""

    def __init__(self, service: Spread, name: str) -> None:
        self.tables: list[Table] = []
        self._service = service
        self._stopping = Event()
        self._threads = [
            Thread(target=self._play, args=(Client(service.urls, f"{name} {number}"),))
            for number in range(CLIENTS)
        ]

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Play during the block, and until the last move has a response."""
        for thread in self._threads:
            thread.start()
        try:
            eventually(lambda: len(self.tables) >= CLIENTS)
            yield
        finally:
            self._stopping.set()
            for thread in self._threads:
                thread.join()

    def _play(self, client: Client) -> None:
        for number in range(1_000_000):
            table = Table(client, "qin", HOTSEAT, number)
            self.tables.append(table)
            table.play_until(self._stopping.is_set)
            if self._stopping.is_set():
                return

    def count_acknowledged(self, among: Callable[[str], bool] = lambda match: True) -> int:
        """The number of acknowledged moves in matches for which `among` is true."""
        return sum(len(table.acknowledged) for table in self.tables if among(table.id))


class Round(NamedTuple):
    """The result of a round: seconds until a replica was master, and until moves were accepted once
    the killed server was back as its replica; and the number of moves in its partitions that were
    acknowledged while the replica was cut off.
    """

    elected_s: float
    back_s: float
    during_cut: int


class KillRounds:
    """Rounds in each of which a master is killed in one way."""

    def __init__(self, service: Spread, how: str, kill: Callable[[Node, Node], None]) -> None:
        self._service, self._how, self._kill = service, how, kill
        self._annals: Annals = service.annals()

    def rounds(self, count: int) -> Iterator[tuple[str, float]]:
        """The number of acknowledged moves in some rounds, and of those that still exist."""
        load = Load(self._service, f"Ben {id(self)}")
        with load.playing():
            done = [self._round(load) for _ in range(count)]
        yield f"{self._how}: masters", count
        yield f"{self._how}: moves acknowledged", load.count_acknowledged()
        yield f"{self._how}: lost", sum(lost(self._annals, table) for table in load.tables)
        yield f"{self._how}: acknowledged during the cut", sum(one.during_cut for one in done)
        yield (
            f"{self._how}: until the lists have caught up, s",
            time_call(lambda: eventually(self._is_listed)),
        )
        for what, seconds in {
            "until a replica took over": [one.elected_s for one in done],
            "from the restart until moves are accepted": [one.back_s for one in done],
        }.items():
            yield f"{self._how}: {what}, median s", median(seconds)
            yield f"{self._how}: {what}, longest s", max(seconds)

    def _round(self, load: Load) -> Round:
        cluster = self._service.cluster
        tag = self._tag(load.tables[-1].id)
        master = cluster.master_of(tag)
        assert master
        there = {
            partition
            for partition in range(self._annals.store.partitions)
            if cluster.master_of(f"{{p{partition}}}") is master
        }

        def moves() -> int:
            return load.count_acknowledged(lambda match: self._partition(match) in there)

        before = moves()
        self._kill(master, cluster.replica_of(master))
        at_kill = moves()
        elected = time_call(
            lambda: eventually(lambda: cluster.master_of(tag) not in (master, None))
        )
        master.start()  # with `min-replicas-to-write` the new master waits for a replica
        back = time_call(lambda: eventually(lambda: moves() > at_kill + CLIENTS))
        eventually(cluster.is_whole)
        return Round(elected, back, at_kill - before)

    def _is_listed(self) -> bool:
        """Whether all entries are folded; the projectors may also have folded lost entries."""
        store = self._annals.store
        return not any(one.lag for one in read_progress(store.redis, store.partitions).values())

    def _partition(self, match: str) -> int:
        return self._annals.store.partition_of(match)

    def _tag(self, match: str) -> str:
        return f"{{p{self._partition(match)}}}"


def _cut_for(seconds: float) -> Callable[[Node, Node], None]:
    """A function that cuts off the replica of a master for some seconds, and kills the master."""

    def kill(master: Node, replica: Node) -> None:
        replica.stop()
        time.sleep(seconds)
        master.kill()
        replica.kill()
        replica.start()

    return kill


def _quiet(service: Spread) -> Iterator[tuple[str, float]]:
    load = Load(service, "quiet")
    with load.playing():
        begin = load.count_acknowledged()
        time.sleep(QUIET_S)
        made = load.count_acknowledged() - begin
    yield "moves per second without a kill", made / QUIET_S
    latencies = [one for table in load.tables for one in table.latencies]
    yield from spread("a move without a kill", latencies).items()


def _appends(cluster: Cluster) -> Iterator[tuple[str, float]]:
    """Latencies of appends with and without confirmation, in turn."""
    plain, confirmed = (connect(cluster.url) for _ in range(2))
    stores = {
        "acknowledged by the server": EventStore(plain),
        "acknowledged by a replica": EventStore(confirmed, replicas=Replicas(confirmed)),
    }
    spent: dict[str, list[float]] = {name: [] for name in stores}
    for number in range(APPENDS):
        for name, store in stores.items():
            match = f"{name} {number}"
            [entry] = copy_match("open", match, "ann", "bob", number)
            spent[name].append(time_call(lambda: store.append(match, entry, {})))  # noqa: B023 - at once
    for name, seconds in spent.items():
        yield from spread(f"append {name}", seconds).items()
