"""What is lost when a master of a cluster is killed amid play, in each mode; and what a mode costs.

The whole service plays on a cluster of three masters with a replica each. In some rounds a master
is killed. In others its replica hears nothing for a while first, as if the network between them
were cut: it is stopped, and before it may go on it is killed, too, so that it never reads what its
system has kept for it meanwhile. Then it starts again from its own disk, and takes over.
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

from bench.load.limits import spread, timed
from bench.load.many import as_match
from projections.progress import progress
from service.matches.container import Annals
from service.store.event_store import Store
from service.store.redis_client import connect
from service.store.replicas import Replicas
from tests.support.cluster_of_six import Cluster, Node
from tests.support.patience import eventually
from tests.support.spread_play import Table, lost
from tests.support.spread_service import Client, Mode, Spread, spread_service

CLIENTS = 8
QUIET_S = 10.0
"""How long is played before anything is killed."""
CUTS_S = (5.0, 15.0)
"""How long a replica hears nothing: shorter and longer than `min-replicas-max-lag`."""
ROUNDS = 5
"""Masters killed in each mode; `ANNALS_BENCH_ROUNDS` is another number."""
APPENDS = 300
HOTSEAT = ({"me": True}, {"me": True})


def figures(folder: Path) -> dict[str, float]:
    """Moves acknowledged and lost, and how long partitions were away, by mode."""
    rounds = int(os.environ.get("ANNALS_BENCH_ROUNDS", ROUNDS))
    modes: Sequence[Mode] = get_args(Mode)
    return {
        f"mode {mode}, {what}": figure
        for mode in modes
        for what, figure in of_mode(folder / mode, mode, rounds)
    }


def of_mode(
    folder: Path, mode: Mode, rounds: int, cuts_s: Sequence[float] = CUTS_S
) -> Iterator[tuple[str, float]]:
    """What one mode does."""
    with spread_service(folder, mode) as service:
        if mode == "c":
            yield from _appends(service.cluster)
        yield from _quiet(service)
        yield from Killed(service, "killed", lambda node, _: node.kill()).rounds(rounds)
        for seconds in cuts_s:
            cut = Killed(service, f"cut off for {seconds:.0f} s, then killed", _cut_for(seconds))
            yield from cut.rounds(rounds)


class Load:
    """Players who play one match after the other, as fast as they can."""

    def __init__(self, service: Spread, name: str) -> None:
        self.tables: list[Table] = []
        self._service = service
        self._enough = Event()
        self._threads = [
            Thread(target=self._play, args=(Client(service.urls, f"{name} {number}"),))
            for number in range(CLIENTS)
        ]

    @contextmanager
    def playing(self) -> Iterator[None]:
        """While the block runs, and until the last move is answered."""
        for thread in self._threads:
            thread.start()
        try:
            eventually(lambda: len(self.tables) >= CLIENTS)
            yield
        finally:
            self._enough.set()
            for thread in self._threads:
                thread.join()

    def _play(self, client: Client) -> None:
        for number in range(1_000_000):
            table = Table(client, "qin", HOTSEAT, number)
            self.tables.append(table)
            table.play_until(self._enough.is_set)
            if self._enough.is_set():
                return

    def acknowledged(self, among: Callable[[str], bool] = lambda match: True) -> int:
        """How many moves were, of matches that are among these."""
        return sum(len(table.acknowledged) for table in self.tables if among(table.id))


class Round(NamedTuple):
    """What came of one: how long it took until a replica was master, and until moves were taken
    once the killed server was there again, as its replica; how many moves of the partitions
    concerned were acknowledged while the replica heard nothing.
    """

    elected_s: float
    back_s: float
    meanwhile: int


class Killed:
    """Rounds in each of which a master is killed in one way."""

    def __init__(self, service: Spread, how: str, kill: Callable[[Node, Node], None]) -> None:
        self._service, self._how, self._kill = service, how, kill
        self._annals: Annals = service.annals()

    def rounds(self, count: int) -> Iterator[tuple[str, float]]:
        """What was acknowledged in so many, and what of it is there."""
        load = Load(self._service, f"Ben {id(self)}")
        with load.playing():
            done = [self._round(load) for _ in range(count)]
        yield f"{self._how}: masters", count
        yield f"{self._how}: moves acknowledged", load.acknowledged()
        yield f"{self._how}: lost", sum(lost(self._annals, table) for table in load.tables)
        yield f"{self._how}: acknowledged meanwhile", sum(one.meanwhile for one in done)
        yield f"{self._how}: until lists know all, s", timed(lambda: eventually(self._is_listed))
        for what, seconds in {
            "until a replica has taken over": [one.elected_s for one in done],
            "from the restart until moves are taken": [one.back_s for one in done],
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
            return load.acknowledged(lambda match: self._partition(match) in there)

        before = moves()
        self._kill(master, cluster.replica_of(master))
        at_kill = moves()
        elected = timed(lambda: eventually(lambda: cluster.master_of(tag) not in (master, None)))
        master.start()  # with `min-replicas-to-write` the new master waits for a replica
        back = timed(lambda: eventually(lambda: moves() > at_kill + CLIENTS))
        eventually(cluster.is_whole)
        return Round(elected, back, at_kill - before)

    def _is_listed(self) -> bool:
        """Whether all is folded that is there: the projectors may have folded what was lost."""
        store = self._annals.store
        return not any(one.lag for one in progress(store.redis, store.partitions).values())

    def _partition(self, match: str) -> int:
        return self._annals.store.partition_of(match)

    def _tag(self, match: str) -> str:
        return f"{{p{self._partition(match)}}}"


def _cut_for(seconds: float) -> Callable[[Node, Node], None]:
    """Kills a master whose replica hears nothing for so long before."""

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
        begin = load.acknowledged()
        time.sleep(QUIET_S)
        made = load.acknowledged() - begin
    yield "moves per second, nothing is killed", made / QUIET_S
    latencies = [one for table in load.tables for one in table.latencies]
    yield from spread("a move, nothing is killed", latencies).items()


def _appends(cluster: Cluster) -> Iterator[tuple[str, float]]:
    """An append that is confirmed and one that is not, in turns."""
    plain, sure = (connect(cluster.url) for _ in range(2))
    stores = {
        "acknowledged by the server": Store(plain),
        "acknowledged by a replica": Store(sure, replicas=Replicas(sure)),
    }
    spent: dict[str, list[float]] = {name: [] for name in stores}
    for number in range(APPENDS):
        for name, store in stores.items():
            match = f"{name} {number}"
            [entry] = as_match("open", match, "ann", "bob", number)
            spent[name].append(timed(lambda: store.append(match, entry, {})))  # noqa: B023 - at once
    for name, seconds in spent.items():
        yield from spread(f"an append {name}", seconds).items()
