"""Matches continue while a master of the cluster is killed; all processes of the service are
separate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from domain.games import GAMES
from projections.progress import read_progress
from service.matches.container import Annals
from tests.support.patience import eventually
from tests.support.spread_play import Table, lost
from tests.support.spread_service import Client, Mode, Spread, spread_service

HOTSEATS = 2
"""Number of hot-seat matches of Qin that one player plays as fast as they can, so that moves are
under way.
"""
WITH_BOTS = ("qin", "tigris_euphrates")
"""The games that people play with bots."""
BEFORE, AFTER = 3, 3
"""Acknowledged moves of each match before a master is killed, and after."""


def open_tables(spread: Spread) -> Iterator[Table]:
    """A match of some games with bots, and some in which one player has both seats."""
    for game in map(GAMES.__getitem__, WITH_BOTS):
        bots = [{"bot": game.levels[0].key}] * (game.seats[0] - 1)
        yield Table(Client(spread.urls, f"Ada {game.key}"), game.key, [{"me": True}, *bots])
    for number in range(HOTSEATS):
        client = Client(spread.urls, f"Ben {number}")
        yield Table(client, "qin", [{"me": True}, {"me": True}])


@contextmanager
def playing(tables: Sequence[Table]) -> Iterator[None]:
    """Play all tables in parallel within the block; then until each has some more moves."""
    enough = Event()
    reached = {table.id: BEFORE for table in tables}

    def stop(table: Table) -> bool:
        return enough.is_set() and len(table.acknowledged) >= reached[table.id]

    with ThreadPoolExecutor(len(tables)) as pool:
        played = [pool.submit(table.play_until, partial(stop, table)) for table in tables]
        try:
            eventually(lambda: all(len(table.acknowledged) >= BEFORE for table in tables))
            yield
            reached |= {table.id: len(table.acknowledged) + AFTER for table in tables}
        finally:
            enough.set()
        for one in played:
            one.result()


def kill_the_master_of(spread: Spread, match: str) -> None:
    """Kill the master of this key, and wait until a replica has taken over."""
    key = f"{{p{spread.annals().store.partition_of(match)}}}"
    killed = spread.cluster.master_of(key)
    assert killed
    killed.kill()
    eventually(lambda: spread.cluster.master_of(key) not in (killed, None))
    killed.start()


def are_caught_up(annals: Annals) -> bool:
    """Whether the lists include every recorded entry."""
    store = annals.store
    return not any(one.lag for one in read_progress(store.redis, store.partitions).values())


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param("a", marks=pytest.mark.long),
        pytest.param("b", marks=pytest.mark.long),
        "c",
    ],
)
def test_matches_go_on_while_masters_are_killed(tmp_path: Path, mode: Mode) -> None:
    with spread_service(tmp_path / "spread", mode) as spread:
        tables = [*open_tables(spread)]
        with playing(tables):
            kill_the_master_of(spread, tables[-1].id)
        for table in tables:
            table.end()
        annals = spread.annals()
        missing = sum(lost(annals, table) for table in tables)
        assert mode != "c" or missing == 0
        eventually(lambda: are_caught_up(annals))
        said = spread.command("verify", "--all")
        assert said.returncode == 0, said.stdout
