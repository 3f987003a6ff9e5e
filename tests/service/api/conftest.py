"""The app over a real Redis, and players who call it; the client checks every answer against the
contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from domain.engine.game import Game
from domain.games import GAMES
from projections import PROJECTIONS
from projections.projector import Projector
from projections.statistics import statistics
from service.drawing.pictures.painter import Painter
from service.front.app import create_app
from service.http.context import Context
from service.matches.commands import Metadata, execute
from service.matches.container import Annals, open_annals
from service.runtime.metrics import STREAMS
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.service.api import contract
from tests.support.apps import take_back
from tests.support.small_painter import SmallPainter

BOTH: dict[str, Game[Any]] = {**GAMES, "toy": TOY}
NOON = 1_700_000_000_000
SEED = "01" * 32


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-contract", action="store_true", help="write openapi/ anew")


@pytest.fixture
def update_contract(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-contract", default=False))


@dataclass
class Clock:
    """A clock that advances only when a test sets it."""

    ms: int = NOON

    def __call__(self) -> int:
        return self.ms


class Api:
    """The service as one caller uses it."""

    is_checked = True
    """Whether the contract must describe each answer."""

    def __init__(self, app: Flask, token: str | None = None, player: str = "") -> None:
        self.app = app
        self.token = token
        self.id = player

    def __call__(
        self, method: str, path: str, body: Any = None, **headers: str | None
    ) -> TestResponse:
        sent = {name.replace("_", "-"): value for name, value in headers.items() if value}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        more = {} if body is None else {"json": body}
        answer = self.app.test_client(use_cookies=False).open(
            path, method=method, headers=sent, **more
        )
        if self.is_checked:
            contract.check(method, path.partition("?")[0], answer)
        return answer

    def unchecked(self) -> Api:
        """The same caller, for requests whose answers are compared with answers that the contract
        describes.
        """
        other = copy(self)
        other.is_checked = False
        return other

    def get(self, path: str, **headers: str) -> TestResponse:
        return self("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        return self("POST", path, body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> TestResponse:
        return self("DELETE", path, **headers)


@pytest.fixture(autouse=True)
def every_stream_is_closed() -> Iterator[None]:
    """So that no stream is left for later tests in the same process."""
    yield
    assert STREAMS.collect()[0].samples[0].value == 0


@pytest.fixture(autouse=True)
def apps_are_reused() -> Iterator[None]:
    yield
    take_back()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def annals(redis_client: Redis, redis_url: str, clock: Clock, tmp_path: Path) -> Annals:
    settings = Settings(
        redis_url=redis_url, events_url=redis_url, queue_url=redis_url, tlog=str(tmp_path / "tlog")
    )
    return replace(open_annals(settings, BOTH), now=clock)


@pytest.fixture
def painter() -> Painter:
    """The painter of the app: tests of pictures start a real one."""
    return SmallPainter()


@pytest.fixture(scope="session")
def apps() -> list[Flask]:
    """The app of this process, cached: building its routes takes longer than most tests."""
    return []


@pytest.fixture
def app(annals: Annals, painter: Painter, apps: list[Flask]) -> Flask:
    """The app, with all caches empty."""
    if not apps:
        apps.append(create_app(annals))
    [app] = apps
    context = app.extensions["annals"] = Context(annals)
    context.picture_cache.use(painter)
    return app


def register(app: Flask, name: str) -> Api:
    answer = Api(app).post("/v1/players", {"name": name})
    return Api(app, answer.json["token"], answer.json["player"]["id"])


@pytest.fixture
def ann(app: Flask) -> Api:
    return register(app, "Ann")


@pytest.fixture
def bob(app: Flask) -> Api:
    return register(app, "Bob")


@pytest.fixture
def cid(app: Flask) -> Api:
    """A player without a seat."""
    return register(app, "Cid")


@pytest.fixture
def nobody(app: Flask) -> Api:
    """A caller without a token."""
    return Api(app)


def open_table(host: Api, *others: Api, game: str = "toy", **more: Any) -> str:
    """The address of a match: started if `others` are given, else open."""
    free: list[dict[str, Any]] = [{"open": True} for _ in others] or [{"open": True}]
    plan = {"game": game, "seats": [{"me": True}, *free], "seed": SEED, **more}
    path = f"/v1/matches/{host.post('/v1/matches', plan).json['id']}"
    for other in others:
        assert other.post(f"{path}/seats").status_code == 201
    return path


@pytest.fixture
def toy(ann: Api, bob: Api) -> str:
    """The address of a match of the toy game between Ann and Bob."""
    return open_table(ann, bob)


@pytest.fixture
def qin(ann: Api, bob: Api) -> str:
    """The address of a match of Qin between Ann and Bob."""
    return open_table(ann, bob, game="qin")


def moves(player: Api, path: str) -> list[Any]:
    found: list[Any] = player.get(f"{path}/legal-moves").json["moves"]
    return found


def play_on(path: str, *players: Api, until: int = 1_000) -> int:
    """Make moves for these players, always the first legal one; returns the last version."""
    version = 0
    while version < until:
        for player in players:
            if found := moves(player, path):
                answer = player.post(f"{path}/moves", {"move": found[0]})
                assert answer.status_code == 201, answer.text
                version = answer.json["version"]
                break
        else:
            return version
    return version


def system(annals: Annals, path: str, decision: Any) -> None:
    """Record a decision of the service."""
    execute(annals, path.rpartition("/")[2], Metadata(), decision)


def fold_lists(annals: Annals) -> None:
    """Fold all feeds into the projections."""
    store = annals.store
    projector = Projector(store.redis, store, range(store.partitions), PROJECTIONS)
    while projector.fold_next(1_000):
        pass


def fold_statistics(annals: Annals) -> None:
    """Fold all feeds into the statistics."""
    store = annals.store
    folding = [statistics(annals.games, store.read)]
    projector = Projector(store.redis, store, range(store.partitions), folding)
    while projector.fold_next(1_000):
        pass


def read_everything(annals: Annals) -> Iterator[tuple[bytes, Any]]:
    """Everything that the streams and feeds hold."""
    for key in sorted(annals.store.redis.scan_iter(_type="stream")):
        yield key, annals.store.redis.xrange(key)
