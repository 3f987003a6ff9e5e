"""No route, requested by a crowd at one address, holds up callers elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, TypeVar

import pytest
from flask import Flask, url_for
from redis import Redis
from werkzeug.routing import Rule

from service.front.app import create_app
from service.front.asgi_adapter import CHUNK_WRITER_EXTENSION, AsgiAdapter
from service.http.context import Context
from service.matches.container import open_annals
from service.runtime.async_redis import LoopPool
from service.runtime.event_loop import StepResult
from service.runtime.settings import Settings
from service.runtime.shares.step_queue import StepQueue
from tests.service.api.contract import WRITTEN
from tests.service.api.test_scopes import PLACES
from tests.service.front.twins import request

T = TypeVar("T")
CROWD, INNOCENT = "192.0.2.1", "198.51.100.1"
CROWD_SIZE = 4
MAX_STEPS_BEFORE = 2
"""Steps of the crowd that may run before each step of the innocent: the one in progress, and its
next one if both addresses have used the same.
"""
VERBS = {"get", "post", "put", "patch", "delete"}
IN_CONTRACT = sum(len(item.keys() & VERBS) for item in WRITTEN["paths"].values())


class WatchedSteps(StepQueue):
    """Counts the steps of each address, and those of others before each step of the innocent; each
    step takes one unit of time.
    """

    def __init__(self) -> None:
        ticks = count()
        super().__init__(clock=lambda: float(next(ticks)))
        self.steps: Counter[str] = Counter()
        self.waits: list[int] = []

    def run(self, address: str, step: Callable[[], T]) -> StepResult[T]:
        before = self.steps[CROWD]

        def counted() -> T:
            if address == INNOCENT:
                self.waits.append(self.steps[CROWD] - before)
            self.steps[address] += 1
            return step()

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
        settings = Settings(redis_url=url, events_url=url, queue_url=url, tlog="off")
        annals = open_annals(settings, pool=LoopPool)
        app = create_app(annals)
        context: Context = app.extensions["annals"]
        monkeypatch.setattr(context.picture_cache, "draw", lambda *_: b"")
        self.app, self._settings = app, settings
        self.use(WatchedSteps())

    def use(self, steps: WatchedSteps) -> None:
        self.steps = steps
        self._adapter = AsgiAdapter(self.app, self._settings, steps)

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


async def crowd_out(service: Service, method: str, path: str, token: str, innocent: str) -> bool:
    """Whether a caller elsewhere is served in turn while a crowd requests this, and pays for it."""
    service.use(WatchedSteps())
    end = asyncio.Event()
    body: Any = None if method == "GET" else {}
    crowd = [
        asyncio.create_task(service(method, path, body, token, CROWD, end))
        for _ in range(CROWD_SIZE)
    ]
    await asyncio.sleep(0)
    begin, *_ = await service("GET", innocent)
    end.set()
    await asyncio.gather(*crowd)
    steps = service.steps
    is_in_turn = begin["status"] == 200 and max(steps.waits) <= MAX_STEPS_BEFORE
    return is_in_turn and steps.steps[CROWD] >= CROWD_SIZE


def test_every_route_leaves_others_their_turn(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> list[str]:
        service = Service(redis_url, monkeypatch)
        me = await service.body("POST", "/v1/players", {"name": "Ann"})
        plan = {"game": "qin", "seats": [{"me": True}, {"me": True}]}
        match = (await service.body("POST", "/v1/matches", plan, me["token"]))["id"]
        places = {**PLACES, "match_id": match, "series": match, "game": "qin"}
        places["player"] = me["player"]["id"]
        innocent = f"/v1/matches/{match}"
        return [
            f"{method} {path}"
            for method, path in routes(service.app, places)
            if not await crowd_out(service, method, path, me["token"], innocent)
        ]

    assert asyncio.run(play()) == []
