"""Matches that are played while servers are killed, and the acknowledged moves of each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from domain.match.log import Entry
from service.matches.container import Annals
from service.runtime.random_bytes import ID_BYTES
from service.store.idempotency import command_id
from tests.support.patience import eventually
from tests.support.spread_service import Client

LATE = ("not_your_turn", "rule_broken", "no_undo_request", "no_answer_expected", "stale_version")
"""Problems that a player may get if they lose their master, or if bots move first."""


class Table:
    """A match that one player plays."""

    def __init__(
        self, client: Client, game: str, seats: Sequence[dict[str, Any]], number: int = 0
    ) -> None:
        """`number` distinguishes the tables of one client."""
        self._client = client
        self._random = Random(f"{game} {number}")
        plan = {"game": game, "seats": list(seats)}
        answer = client.insist("POST", "/v1/matches", plan, key=f"open-{game}-{number}")
        assert answer.status == 201, answer
        self.id = answer.content["id"]
        self.path = f"/v1/matches/{self.id}"
        self.asked: list[str] = []
        self.acknowledged: list[str] = []
        self.latencies: list[float] = []
        """Seconds of each request for a move, with all its retries."""
        self.over = False

    def play_until(self, enough: Callable[[], bool]) -> None:
        """Make random moves until `enough` holds, or the match is over."""
        while not (enough() or self.over):
            if moves := self._read("/legal-moves").get("moves"):
                self._make(self._random.choice(moves))
            elif state := self._read(""):
                self._read(f"/events?after={state['version']}&wait=1")

    def end(self) -> None:
        """Resign."""
        answer = self._client.insist("POST", f"{self.path}/resign", {}, key="the-end")
        assert answer.status < 300 or answer.content["code"] == "game_over", answer
        eventually(lambda: self._client.get(self.path)["status"] == "scored")

    def entries_of(self, key: str, entries: Sequence[Entry]) -> int:
        """The number of entries with a command id."""
        command = command_id(self._client.id, key, "")[:ID_BYTES]
        return sum(one.cmd[:ID_BYTES] == command for one in entries)

    def _read(self, more: str) -> dict[str, Any]:
        """The match as the player sees it; empty if it is over because its opening was lost."""
        answer = self._client.insist("GET", f"{self.path}{more}")
        content: dict[str, Any] = answer.content
        self.over |= answer.status == 404 or content.get("status") == "scored"
        return {} if self.over else content

    def _make(self, move: Any) -> None:
        key = f"move-{len(self.asked)}"
        self.asked.append(key)
        begin = time.monotonic()
        answer = self._client.insist("POST", f"{self.path}/moves", {"move": move}, key)
        self.latencies.append(time.monotonic() - begin)
        if answer.status == 201:
            self.acknowledged.append(key)
        elif answer.status != 404:
            assert answer.content["code"] in LATE, answer


def lost(annals: Annals, table: Table) -> int:
    """The number of acknowledged moves that a match lacks, after checking that none is repeated."""
    entries = annals.store.read(table.id)
    assert [one.version for one in entries] == [*range(1, len(entries) + 1)]
    found = Counter({key: table.entries_of(key, entries) for key in table.asked})
    assert set(found.values()) <= {0, 1}
    return sum(not found[key] for key in table.acknowledged)
