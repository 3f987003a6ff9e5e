"""No route, requested by a crowd at one address, holds up callers elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from time import thread_time
from typing import Any, TypeVar

import pytest
from flask import Flask, url_for
from redis import Redis
from werkzeug.routing import Rule

from bench.load.matches import build_long_match
from service.front.app import create_app
from service.front.asgi_adapter import CHUNK_WRITER_EXTENSION, PART_BYTES, AsgiAdapter
from service.http.context import Context
from service.matches.container import open_annals
from service.runtime.async_redis import LoopPool
from service.runtime.event_loop import StepResult
from service.runtime.settings import Settings
from service.runtime.shares.pace import BURST_S, MINUTE_S, Pace
from service.runtime.shares.step_queue import StepQueue
from tests.service.api.contract import WRITTEN
from tests.service.api.test_scopes import PLACES
from tests.service.front.twins import request

T = TypeVar("T")
CROWD, INNOCENT = "192.0.2.1", "198.51.100.1"
CROWD_SIZE = 4
ENTRIES = 600
"""Length of the match that the crowd requests."""
MAX_STEP_S = 0.008
"""Processor time of the longest step; it takes 3 ms, and 9 to 18 where work does not yield."""
DEBT_S = 0.005
"""How much more than its rate the crowd has used when it requests a route."""
MAX_STEPS_BEFORE = 2
"""Steps of the crowd that may run before each step of the innocent: the one in progress, and its
next one if both addresses have used the same.
"""
VERBS = {"get", "post", "put", "patch", "delete"}
IN_CONTRACT = sum(len(item.keys() & VERBS) for item in WRITTEN["paths"].values())


class WatchedSteps(StepQueue):
    """Counts the steps of each address, and those of others before each step of the innocent; each
    step takes one unit of time. Also measures what each step of the crowd costs.
    """

    def __init__(self) -> None:
        ticks = count()
        super().__init__(clock=lambda: float(next(ticks)))
        self.steps: Counter[str] = Counter()
        self.waits: list[int] = []
        self.costs: list[float] = []
        """Processor seconds of each step of the crowd."""

    def run(self, address: str, step: Callable[[], T]) -> StepResult[T]:
        before = self.steps[CROWD]

        def counted() -> T:
            if address == INNOCENT:
                self.waits.append(self.steps[CROWD] - before)
            self.steps[address] += 1
            began = thread_time()
            try:
                return step()
            finally:
                if address == CROWD:
                    self.costs.append(thread_time() - began)

        return super().run(address, counted)


class Writer:
    """The connection of a stream that takes all."""

    def write_chunk(self, part: bytes) -> bool:
        return True

    async def wait_for_room(self) -> None:
        """There is always room."""


class Service:
    """The application as the web server calls it, for callers at two addresses."""

    def __init__(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        settings = Settings(redis_url=url, events_url=url, queue_url=url, tlog="off", history_mb=0)
        annals = open_annals(settings, pool=LoopPool)
        app = create_app(annals)
        context: Context = app.extensions["annals"]
        monkeypatch.setattr(context.picture_cache, "draw", lambda *_: b"")
        self.app, self.annals, self._settings = app, annals, settings
        self.now = 0.0
        self.restart()

    def restart(self) -> None:
        """Begin again with callers who have used nothing."""
        self.longest_part = 0
        self.steps, self.pace = WatchedSteps(), Pace(MINUTE_S, lambda: self.now)
        self._adapter = AsgiAdapter(self.app, self._settings, self.steps, self.pace)

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str = "",
        address: str = INNOCENT,
        end: asyncio.Event | None = None,
    ) -> list[Any]:
        """What the server sends; a stream lasts until `end`."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        scope, raw = request(method, path, body, headers)
        scope |= {"client": (address, 1), "extensions": {CHUNK_WRITER_EXTENSION: Writer()}}
        sent: list[Any] = []
        received = iter([{"type": "http.request", "body": raw, "more_body": False}])

        async def receive() -> Any:
            if (message := next(received, None)) is None:
                await (end or asyncio.Event()).wait()
            return message or {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self.longest_part = max(self.longest_part, len(message.get("body", b"")))
            sent.append(message)

        await self._adapter(scope, receive, send)
        return sent

    async def body(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        begin, end = await self(method, path, body, token)
        assert begin["status"] < 300, end
        return json.loads(end["body"])


def routes(app: Flask, places: Mapping[str, str]) -> list[tuple[str, str]]:
    """The method and an address of each route, of the contract and of the page; those that change
    something come last.
    """
    with app.test_request_context():
        found = [
            (method != "GET", method, url_for(rule.endpoint, **_fill(rule, places)))
            for rule in app.url_map.iter_rules()
            for method in rule.methods or ()
            if method.lower() in VERBS
        ]
    assert len(found) > IN_CONTRACT
    return [(method, path) for _, method, path in sorted(found)]


def _fill(rule: Rule, places: Mapping[str, str]) -> dict[str, Any]:
    return {name: places.get(name, "x") for name in rule.arguments}


class Crowd:
    """Callers at one address that has used more than its rate, who all request one route."""

    def __init__(self, service: Service, method: str, path: str, token: str) -> None:
        service.restart()
        service.pace.charge(CROWD, BURST_S + DEBT_S)
        self._service = service
        self._end = asyncio.Event()
        body: Any = None if method == "GET" else {}
        self._callers = [
            asyncio.create_task(service(method, path, body, token, CROWD, self._end))
            for _ in range(CROWD_SIZE)
        ]

    async def faults(self, innocent: str) -> list[str]:
        """What a caller elsewhere suffers from the crowd, and what the crowd does not pay for."""
        waits_for_pace = await self._is_held_back(innocent)
        self._service.now += DEBT_S + MINUTE_S  # all is paid
        while not self._service.steps.steps[CROWD]:
            await asyncio.sleep(0)
        begin, *_ = await self._service("GET", innocent)
        self._end.set()
        await asyncio.gather(*self._callers)
        steps = self._service.steps
        longest, part = sorted(steps.costs)[-CROWD_SIZE], self._service.longest_part
        return [
            fault
            for fault, is_fault in {
                "begins before its address has paid": not waits_for_pace,
                "fails for others": begin["status"] != 200,
                "takes the turn of others": max(steps.waits) > MAX_STEPS_BEFORE,
                "costs nothing": steps.steps[CROWD] < CROWD_SIZE,
                f"has a step of {1000 * longest:.0f} ms": longest > MAX_STEP_S,
                f"writes {part} bytes at once": part > PART_BYTES,
            }.items()
            if is_fault
        ]

    async def _is_held_back(self, innocent: str) -> bool:
        """Whether nobody of the crowd is served before a caller elsewhere."""
        await self._service("GET", innocent)
        return not self._service.steps.steps[CROWD]


def test_every_route_leaves_others_their_turn(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> dict[str, list[str]]:
        service = Service(redis_url, monkeypatch)
        me = await service.body("POST", "/v1/players", {"name": "Ann"})
        plan = {"game": "qin", "seats": [{"me": True}, {"me": True}]}
        match = (await service.body("POST", "/v1/matches", plan, me["token"]))["id"]
        for entry in build_long_match("long", ENTRIES):
            service.annals.store.append("long", entry, {})
        places = {**PLACES, "match_id": "long", "series": match, "game": "qin"}
        places["player"] = me["player"]["id"]
        found = {}
        for method, path in routes(service.app, places):
            crowd = Crowd(service, method, path, me["token"])
            found[f"{method} {path}"] = await crowd.faults(f"/v1/matches/{match}")
        return {route: faults for route, faults in found.items() if faults}

    assert asyncio.run(play()) == {}
