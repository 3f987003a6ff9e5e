"""The service with its dispatchers and a worker that a test runs step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from redis import Redis

from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.state import Chair, Match
from service.matches.commands import Metadata, create, execute
from service.matches.container import Annals
from workers.dispatch.due_work import Dispatcher
from workers.dispatch.log_once import FailureLog
from workers.processes.worker import Worker

QIN = GAMES["qin"]
ADA, BEN = Chair(player="ada"), Chair(player="ben")
WEAK = Chair(bot="li_mu")
FAR = MAX_JOBS = 1 << 45
FOR_EVER_S = 10_000
"""Nothing is left to a worker for so long."""


class Office:
    """The service with its dispatchers and a worker that a test runs step by step."""

    def __init__(self, annals: Annals, queue: Redis) -> None:
        self.queue = queue
        self.now = annals.now()
        self.annals = replace(annals, now=lambda: self.now)
        self._worker = Worker(queue, FailureLog())
        self._opened = 0

    def open(self, *chairs: Chair, game: str = "qin", host: str = "ada", **plan: Any) -> str:
        """A new match; its id."""
        self._opened += 1
        match_id = f"m{self._opened}"
        opened = lobby.Plan(
            match=match_id, host=host, chairs=chairs, expires=plan.pop("expires", FAR), **plan
        )
        create(self.annals, opened, GAMES[game], Metadata(host))
        return match_id

    def match(self, match_id: str) -> Match:
        return self.annals.matches.latest(match_id)

    def kinds(self, match_id: str) -> list[str]:
        return [entry.kind for entry in self.annals.store.read(match_id)]

    def do(self, match_id: str, decision: Callable[[Match, int], Any], actor: str = "ada") -> None:
        execute(self.annals, match_id, Metadata(actor), decision)

    def pass_time(self, ms: int) -> None:
        """Let this much time go by."""
        self.now += ms

    def work(self, rounds: int = MAX_JOBS) -> int:
        """Do all that is due now, and what follows from it; how many jobs that were."""
        done, passed = 0, count(step=FOR_EVER_S)
        dispatcher = Dispatcher(
            self.annals.settings, self.annals.store, self.queue, lambda: next(passed)
        )
        while rounds and (handed := dispatcher.scan(self.now) or dispatcher.scan(self.now)):
            rounds -= 1
            while found := self._worker.dequeue_job_and_maintain_ttl(None):
                self._worker.execute_job(*found)
            done += handed
        return done
