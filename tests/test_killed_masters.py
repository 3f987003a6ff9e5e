"""Matches go on while a master of the cluster is killed; all processes of the service are apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from domain.games import GAMES
from domain.match.log import Entry
from projections.progress import progress
from service.annals import Annals
from service.chance import SIZE
from service.idempotency import command_of
from tests.patience import eventually
from tests.spread_service import Client, Mode, Spread, spread_service

HOTSEATS = 4
"""Matches of Qin that one player plays alone as fast as they can, so that moves are under way."""
BEFORE, AFTER = 3, 3
"""Acknowledged moves of each match before a master is killed, and after."""
LATE = ("not_your_turn", "rule_broken", "nothing_asked", "not_asked", "stale_version")
"""What somebody may be told whose master was lost, or whose bots were faster."""


class Table:
    """A match that somebody plays."""

    def __init__(self, client: Client, game: str, seats: Sequence[dict[str, Any]]) -> None:
        self._client = client
        self._random = Random(game)
        plan = {"game": game, "seats": list(seats)}
        answer = client.insist("POST", "/v1/matches", plan, key=f"open-{game}")
        assert answer.status == 201, answer
        self.id = answer.content["id"]
        self.path = f"/v1/matches/{self.id}"
        self.asked: list[str] = []
        self.acknowledged: list[str] = []
        self.over = False

    def play_until(self, enough: Callable[[], bool]) -> None:
        """Make moves by chance until it is enough, or the match is over."""
        while not (enough() or self.over):
            if moves := self._client.get(f"{self.path}/legal-moves")["moves"]:
                self._make(self._random.choice(moves))
            else:
                state = self._client.get(self.path)
                self.over = state["status"] == "scored"
                self._client.get(f"{self.path}/events?after={state['version']}&wait=1")

    def end(self) -> None:
        """Give up."""
        answer = self._client.insist("POST", f"{self.path}/resign", {}, key="the-end")
        assert answer.status < 300 or answer.content["code"] == "game_over", answer
        eventually(lambda: self._client.get(self.path)["status"] == "scored")

    def entries_of(self, key: str, entries: Sequence[Entry]) -> int:
        """How many entries came of a command."""
        command = command_of(self._client.id, key, "")[:SIZE]
        return sum(one.cmd[:SIZE] == command for one in entries)

    def _make(self, move: Any) -> None:
        key = f"move-{len(self.asked)}"
        self.asked.append(key)
        answer = self._client.insist("POST", f"{self.path}/moves", {"move": move}, key)
        if answer.status == 201:
            self.acknowledged.append(key)
        else:
            assert answer.content["code"] in LATE, answer


def opened(spread: Spread) -> Iterator[Table]:
    """A match of each game with bots, and some in which one player has both seats."""
    for game in GAMES.values():
        bots = [{"bot": game.levels[0].key}] * (game.seats[0] - 1)
        yield Table(Client(spread.urls, f"Ada {game.key}"), game.key, [{"me": True}, *bots])
    for number in range(HOTSEATS):
        client = Client(spread.urls, f"Ben {number}")
        yield Table(client, "qin", [{"me": True}, {"me": True}])


@contextmanager
def playing(tables: Sequence[Table]) -> Iterator[None]:
    """All are played side by side; once the block is left, until each has some moves more."""
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
    """Kill it, and wait until another has taken over."""
    key = f"{{p{spread.annals().store.partition_of(match)}}}"
    killed = spread.cluster.master_of(key)
    assert killed
    killed.kill()
    eventually(lambda: spread.cluster.master_of(key) not in (killed, None))
    killed.start()


def lost(annals: Annals, table: Table) -> int:
    """How many acknowledged moves of a match are not there; nothing is there twice."""
    entries = annals.store.read(table.id)
    assert [one.version for one in entries] == [*range(1, len(entries) + 1)]
    found = Counter({key: table.entries_of(key, entries) for key in table.asked})
    assert set(found.values()) <= {0, 1}
    return sum(not found[key] for key in table.acknowledged)


def are_caught_up(annals: Annals) -> bool:
    """Whether the lists know all that is recorded."""
    store = annals.store
    return not any(one.lag for one in progress(store.redis, store.partitions).values())


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
        tables = [*opened(spread)]
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
