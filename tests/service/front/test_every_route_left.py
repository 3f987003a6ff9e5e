"""Callers who leave, on every route that reads: their requests end soon, and nothing remains."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.runtime.shares.pace import MINUTE_S
from tests.service.front.test_every_route_in_turn import (
    CROWD,
    CROWD_SIZE,
    Service,
    World,
    routes,
    store_matches,
)
from tests.support.patience import PATIENCE_S

MAX_STEPS_AFTER = 3
"""Steps that a request may still take after its caller has left, on average: one that waits in the
queue, the one in which it ends, and one more of work that its caller shares with others. What does
not end takes 14 to 60.
"""
LEFT_AFTER = (1, 3 * CROWD_SIZE)
"""After how many steps of all of them the callers leave. They also leave when the first of them has
read the beginning of the response.
"""
MAX_PASSES = 50
"""How often at most the callers look whether these steps have run."""
Answer = tuple[int, bytes]


class Leavers:
    """Callers at one address who request the same and leave together."""

    def __init__(self, service: Service, method: str, path: str, body: Any, token: str) -> None:
        service.restart()
        service.now += MINUTE_S
        self._service = service
        self._end = asyncio.Event()
        self._on_disconnect: list[list[Callable[[], None]]] = [[] for _ in range(CROWD_SIZE)]
        self._tasks = [
            asyncio.create_task(service(method, path, body, token, CROWD, self._end, one))
            for one in self._on_disconnect
        ]

    async def leave_after(self, steps: int | None) -> int:
        """Leave after this number of steps, or when a response begins, or once there are no more
        for a while, as in a stream; return how many follow, until all requests have ended.
        """
        for _ in range(MAX_PASSES):
            if self._service.longest_part if steps is None else self._steps >= steps:
                break
            if all(task.done() for task in self._tasks):
                break
            await asyncio.sleep(0.001)
        self._end.set()
        for one in self._on_disconnect:
            self._service.adapter.departures.add(one)
        before = self._steps
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*self._tasks)
        return self._steps - before

    @property
    def _steps(self) -> int:
        return self._service.steps.steps[CROWD]


async def answer_of(service: Service, path: str, token: str) -> Answer:
    """Status and body of the answer to a caller who stays; of a stream, which they end at once."""
    service.now += MINUTE_S
    end = asyncio.Event()
    end.set()
    begin, *rest = await service("GET", path, None, token, end=end)
    return begin["status"], b"".join(one["body"] for one in rest)


async def faults_of(service: Service, path: str, token: str) -> list[str]:
    """What is wrong after callers have left who requested to read something."""
    before = [await answer_of(service, path, token) for _ in range(2)]
    found = []
    for steps in (*LEFT_AFTER, None):
        after = await Leavers(service, "GET", path, None, token).leave_after(steps)
        if after > MAX_STEPS_AFTER * CROWD_SIZE:
            found.append(f"goes on for {after} steps")
        found += held_after(service)
    after_all = await answer_of(service, path, token)
    if after_all[0] != before[0][0] or (before[0] == before[1] and after_all != before[0]):
        found.append("answers otherwise")
    return found


def held_after(service: Service) -> list[str]:
    """What the crowd still holds."""
    held = {
        "its place": service.pace._use_of(CROWD).reserved_until > service.now,
        "a stream": service.context.stream_slots._taken > 0,
        "memory": bool(service.adapter._held_bodies._held),
    }
    return [f"holds {what}" for what, is_held in held.items() if is_held]


def test_what_only_reads_ends_when_its_callers_leave(
    redis_client: Redis, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> dict[str, list[str]]:
        service = Service(redis_url, tmp_path, monkeypatch)
        store_matches(service.annals)
        world = World(service)
        for number in range(2):  # one more to compare with
            await world.prepare(number)
        found = {}
        for method, rule in routes(service.app):
            for path in await world.paths(method, rule) if method == "GET" else ():
                found[path] = await faults_of(service, path, world.token)
        return {path: faults for path, faults in found.items() if faults}

    assert asyncio.run(play()) == {}
