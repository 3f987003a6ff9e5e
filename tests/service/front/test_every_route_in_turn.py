"""No route, requested by a crowd at one address, holds up callers elsewhere."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import chain, count
from pathlib import Path
from time import thread_time
from typing import Any, TypeVar

import pytest
from flask import Flask, url_for
from redis import Redis
from werkzeug.routing import Rule

from bench.load.matches import build_long_match, build_scored_match
from domain.analysis.analysis import analyse
from domain.games import GAMES
from projections.analyses import store_analysis
from service.front.app import create_app
from service.front.asgi_adapter import (
    CHUNK_WRITER_EXTENSION,
    DISCONNECT_EXTENSION,
    PART_BYTES,
    AsgiAdapter,
)
from service.http.context import Context
from service.http.contract import read_files
from service.matches.container import Annals, open_annals
from service.runtime.async_redis import LoopPool
from service.runtime.event_loop import StepResult
from service.runtime.settings import Settings
from service.runtime.shares.pace import BURST_S, MINUTE_S, Pace
from service.runtime.shares.step_queue import AddressShare, StepQueue
from tests.service.api.contract import WRITTEN, operation_of
from tests.service.api.mailing import SENDS_MAIL
from tests.service.api.test_scopes import PLACES
from tests.service.front.in_process import Writer
from tests.service.front.refused_routes import MATCH, REFUSED
from tests.service.front.twins import request

T = TypeVar("T")
CROWD, INNOCENT = "192.0.2.1", "198.51.100.1"
CROWD_SIZE = 4
ENTRIES = 600
"""Length of the long match."""
MAX_STEP_S = 0.008
"""Processor time of the longest step; it takes 3 ms, and 9 to 18 where work does not yield."""
TRIES = 3  # a busy machine may make a step three times as long, but hardly each time
DEBT_S = 0.005
"""How much more than its rate the crowd has used when it requests a route."""
MAX_STEPS_BEFORE = 2
"""Steps of the crowd that may run before each step of the innocent: the one in progress, and its
next one if both addresses have used the same.
"""
DECIDED = ("great_wall", "tigris_euphrates")
"""Of the games, the one with the most kinds of steps, and the one with the most legal moves."""
OF_A_DECISION = {f"GET {MATCH}/hints", f"GET {MATCH}/legal-moves"}
"""Routes that need a match in which the player has to decide, alone against bots."""
OF_AN_END = {
    f"GET {MATCH}/{name}"
    for name in ("points", "points.svg", "position", "result.png", "result.svg")
}
"""Routes that need a finished match."""
OF_A_SEAT = {f"GET {MATCH}/{name}" for name in ("forced-moves", "notices", "plan")}
"""Routes that need a match in which the player has a seat."""
OF_ANOTHER = re.compile(r"/v1/(me/(mutes|follows|blocks)|admin/players)/<player>")
"""Routes about another player."""
BETTER = 3
"""A version of the analysed match before which there was a better move."""
OF_AN_ANALYSIS = {
    f"GET {MATCH}/{name}": query
    for name, query in {
        "analysis": "", "analysis.svg": "", "better.svg": f"?version={BETTER}", "turning-points": ""
    }.items()
}  # fmt: skip
"""Routes that need an analysed match, with their queries."""
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

    def run(self, share: AddressShare, step: Callable[[], T]) -> StepResult[T]:
        address, before = share.address, self.steps[CROWD]

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

        return super().run(share, counted)


class Service:
    """The application as the web server calls it, for callers at two addresses."""

    def __init__(self, url: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        urls = dict.fromkeys(("redis_url", "events_url", "queue_url"), url)
        settings = Settings(
            **urls, **SENDS_MAIL, tlog="off", history_mb=0, data=data, registrations=0, talk_rate=0
        )
        annals = open_annals(settings, pool=LoopPool)
        app = create_app(annals)
        context: Context = app.extensions["annals"]
        monkeypatch.setattr(context.picture_cache, "draw", lambda *_: b"")
        self.app, self.annals, self.context, self._settings = app, annals, context, settings
        self.now = 0.0
        self.restart()

    def restart(self) -> None:
        """Begin again with callers who have used nothing."""
        self.longest_part = 0
        self.steps, self.pace = WatchedSteps(), Pace(MINUTE_S, lambda: self.now)
        self.adapter = AsgiAdapter(self.app, self._settings, self.steps, self.pace)

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str = "",
        address: str = INNOCENT,
        end: asyncio.Event | None = None,
        on_disconnect: list[Callable[[], None]] | None = None,
    ) -> list[Any]:
        """What the server sends; a stream lasts until `end`. The application adds to the list what
        the server calls when the caller disconnects.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        scope, raw = request(method, path, body, headers)
        extensions = {
            CHUNK_WRITER_EXTENSION: Writer(),
            DISCONNECT_EXTENSION: [] if on_disconnect is None else on_disconnect,
        }
        scope |= {"client": (address, 1), "extensions": extensions}
        sent: list[Any] = []
        received = iter([{"type": "http.request", "body": raw, "more_body": False}])

        async def receive() -> Any:
            if (message := next(received, None)) is None:
                await (end or asyncio.Event()).wait()
            return message or {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self.longest_part = max(self.longest_part, len(message.get("body", b"")))
            sent.append(message)

        await self.adapter(scope, receive, send)
        return sent

    async def body(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        begin, end = await self(method, path, body, token)
        assert begin["status"] < 300, end
        return json.loads(end["body"])


def routes(app: Flask) -> list[tuple[str, Rule]]:
    """The method and the rule of each route, of the contract and of the page."""
    found = [
        (method, rule)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method.lower() in VERBS
    ]
    assert len(found) > IN_CONTRACT
    return sorted(found, key=lambda one: (one[0] != "GET", one[0], one[1].rule))


def address(app: Flask, rule: Rule, places: Mapping[str, str]) -> str:
    """An address of a route."""
    names: dict[str, Any] = {name: places.get(name, "x") for name in rule.arguments}
    with app.test_request_context():
        return url_for(rule.endpoint, **names)


class Crowd:
    """Callers at one address that has used more than its rate, who all request one route."""

    def __init__(self, service: Service, method: str, path: str, body: Any, token: str) -> None:
        service.restart()
        service.pace.charge(CROWD, BURST_S + DEBT_S)
        self._service = service
        self._end = asyncio.Event()
        self.statuses: list[int] = []
        """Those of its responses, once they have come."""
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
        sent = await asyncio.gather(*self._callers)
        self.statuses = [messages[0]["status"] for messages in sent]
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


class World:
    """A player who may do everything, their match, webhook and long match; for one route."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.token, self.places, self._moves = "", dict(PLACES), list[Any]()
        self.innocent = ""
        """What a caller elsewhere requests meanwhile."""
        examples = read_files("openapi/examples")["common"].items()
        # Without the answers: the garbage collector would look at them all the time.
        self._examples = {name: some for name, some in examples if name.endswith(".request")}

    async def prepare(self, number: int) -> None:
        """Register the player, and open the match and the webhook."""
        ask = self._service.body
        me = await ask("POST", "/v1/players", {"name": f"Ann {number}"})
        self.token, player = me["token"], me["player"]["id"]
        self._service.context.operators.add(player)
        other = (await ask("POST", "/v1/players", {"name": f"Bob {number}"}))["player"]["id"]
        plan = {"game": "qin", "undo": "free", "seats": [{"me": True}, {"me": True}]}
        match = (await ask("POST", "/v1/matches", plan, self.token))["id"]
        hook = await ask("POST", "/v1/webhooks", {"url": "https://example.org"}, self.token)
        self.innocent = self.innocent or f"/v1/matches/{match}"
        legal = await ask("GET", f"/v1/matches/{match}/legal-moves", None, self.token)
        self._moves = legal["moves"]
        await ask("PUT", f"/v1/matches/{match}/notes/1", {"text": "A note"}, self.token)
        await ask("POST", f"/v1/matches/{match}/talk/players", {"phrase": "hello"}, self.token)
        self.places |= {
            "match_id": match, "series": match, "game": "qin", "player": player,
            "other": other,
            "webhook": hook["id"], "lesson": "first", "part": "qin", "code": "corrupt",
        }  # fmt: skip

    async def paths(self, method: str, rule: Rule) -> list[str]:
        """Addresses of a route, in matches that suit it."""
        route = f"{method} {rule.rule}"
        matches = ["long" if method == "GET" else self.places["match_id"]]
        if route in OF_A_DECISION:
            matches = [await self._open_decision(game) for game in DECIDED]
        elif route in OF_AN_END:
            matches = ["over"]
        elif route in OF_AN_ANALYSIS:
            matches = ["analysed"]
        elif route in OF_A_SEAT:
            matches = [self.places["match_id"]]
        query, room = OF_AN_ANALYSIS.get(route, ""), "spectators" if method == "GET" else "players"
        places = self.places | {"room": room}
        if OF_ANOTHER.match(rule.rule):
            places["player"] = self.places["other"]
        return [
            address(self._service.app, rule, places | {"match_id": one}) + query for one in matches
        ]

    async def _open_decision(self, game: str) -> str:
        """Open a match of the player and bots, in which the player has to decide; return its id."""
        bots = [{"bot": GAMES[game].levels[0].key}] * (max(2, min(GAMES[game].seats)) - 1)
        plan = {"game": game, "undo": "free", "seats": [{"me": True}, *bots]}
        while True:  # who begins is drawn
            match: str = (await self._service.body("POST", "/v1/matches", plan, self.token))["id"]
            path = f"/v1/matches/{match}/legal-moves"
            if (await self._service.body("GET", path, None, self.token))["moves"]:
                return match

    def body(self, operation: str) -> Any:
        """What to send: the example of the contract, unless it names what is not in this world."""
        own = {
            "makeMove": {"move": self._moves[0]},
            "previewMove": {"move": self._moves[0]},
            "previewMoveSvg": {"move": self._moves[0]},
            "forkMatch": {"version": 1},
            "say": {"phrase": "hello"},
            "replayMatch": {"match": self.places["match_id"], "from_version": 1},
        }
        examples = self._examples.get(f"{operation}.request", {})
        return own.get(operation, next(iter(examples.values()), {}))


def store_matches(annals: Annals) -> None:
    """Store a long match, a finished one and an analysed one; long ago, so they come first."""
    game, entries = GAMES["qin"], build_scored_match("analysed")
    for match, own in {
        "long": build_long_match("long", ENTRIES),
        "over": build_scored_match("over", GAMES["tigris_euphrates"]),
        "analysed": entries,
    }.items():
        for entry in own:
            annals.store.append(match, entry, {})
    partition = annals.store.partition_of("analysed")
    analysis = analyse(game, entries, lambda *_: None)
    assert any(choice.version == BETTER and choice.best for choice in analysis.choices)
    store_analysis(annals.store.redis, partition, game, analysis)


class Try:
    """A request of each address of a route by a crowd."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.is_refused = False

    async def make(self, service: Service, world: World, method: str, rule: Rule) -> Try:
        for path in await world.paths(method, rule):
            operation = (operation_of(method, path) or {}).get("operationId", "")
            body = None if method == "GET" else world.body(operation)
            crowd = Crowd(service, method, path, body, world.token)
            self.faults += [f"{path} {fault}" for fault in await crowd.faults(world.innocent)]
            self.is_refused |= min(crowd.statuses) >= 400
        return self


def test_every_route_leaves_others_their_turn(
    redis_client: Redis, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> tuple[list[str], set[str]]:
        service = Service(redis_url, tmp_path, monkeypatch)
        store_matches(service.annals)
        world = World(service)
        faults, refused, players = [], set(), count()
        for _ in range(2):  # one more to compare with
            await world.prepare(next(players))
        for method, rule in routes(service.app):
            done = Try()
            for _ in range(TRIES):
                if method != "GET":
                    await world.prepare(next(players))
                done = await Try().make(service, world, method, rule)
                if not done.faults:
                    break
            faults += done.faults
            refused |= {f"{method} {rule.rule}"} if done.is_refused else set()
        return faults, refused

    faults, refused = asyncio.run(play())
    assert faults == []
    assert refused ^ set(chain.from_iterable(REFUSED.values())) == set()
