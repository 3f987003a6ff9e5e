"""If Redis fails, every route answers with what it can, or with `Retry-After`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from structlog.testing import capture_logs

from service.accounts.tokens import Tokens
from service.front.app import create_app
from service.http.cookies import SESSION_COOKIE
from service.matches.container import open_annals
from service.runtime.settings import Settings
from tests.service.api.conftest import BOTH, NOON, open_table, register
from tests.support.redis_process import RedisProcess

pytestmark = pytest.mark.slow
MATCH = "/v1/matches/<match_id:match_id>"
BODIES: dict[str, Any] = {
    "/v1/players": {"name": "Zed"},
    "/v1/matches": {"game": "toy", "seats": [{"me": True}, {"open": True}]},
    f"{MATCH}/moves": {"move": {"type": "Seal", "card": 1}},
    f"{MATCH}/undo": {},
    f"{MATCH}/resign": None,
    f"{MATCH}/talk/<any(players, spectators):room>": {"phrase": "hello"},
}
VALUES = {
    "match_id": "",
    "game": "toy",
    "seat": "0",
    "player_id": "",
    "form": "svg",
    "version": "1",
    "room": "players",
    "number": "1",
}
TROUBLES: dict[str, Callable[[Redis], object]] = {
    "is full": lambda redis: redis.config_set("maxmemory", 1),
    "is closed": lambda redis: redis.config_set("min-replicas-to-write", 1),
    "is a replica": lambda redis: redis.replicaof("127.0.0.1", 1),
}


class Place:
    """The app over a separate Redis, with a player who hosts a match."""

    def __init__(self, server: RedisProcess) -> None:
        self.server = server
        settings = Settings(redis_url=server.url, events_url=server.url, queue_url=server.url)
        self.app: Flask = create_app(open_annals(settings, BOTH))
        self.ann = register(self.app, "Ann")
        self.match = open_table(self.ann, register(self.app, "Bob"))

    def answers(self, *methods: str, turn: int | None = None) -> Iterator[tuple[str, Any]]:
        """The answer of each route to these methods; of those that have their turn, if it is given,
        and of the routes in BODIES.
        """
        values = VALUES | {"match_id": self.match.rpartition("/")[2], "player_id": self.ann.id}
        addresses = self.app.url_map.bind("here")
        for number, rule in enumerate(self.app.url_map.iter_rules()):
            if turn not in (None, number % len(TROUBLES)) and rule.rule not in BODIES:
                continue
            for method in sorted(set(methods) & (rule.methods or set())):
                known = {name: values.get(name, "x") for name in rule.arguments}
                path = addresses.build(rule.endpoint, known, method)
                yield f"{method} {path}", self.call(method, path, BODIES.get(rule.rule))

    def call(self, method: str, path: str, body: Any) -> Any:
        """An answer; of a stream only the head, since it has no end."""
        headers = {"Authorization": f"Bearer {self.ann.token}"}
        more = {} if body is None else {"json": body}
        answer = self.app.test_client().open(path, method=method, headers=headers, **more)
        if answer.mimetype == "text/event-stream":
            answer.close()
        return answer


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    server = RedisProcess(tmp_path)
    try:
        with capture_logs():
            yield Place(server)
    finally:
        server.kill()


def asks_to_come_again(answer: Any) -> bool:
    return bool(
        answer.status_code == 503
        and answer.headers.get("Retry-After") == "1"
        and answer.json["code"] == "store_unavailable"
    )


def test_without_redis_every_route_answers(place: Place) -> None:
    place.server.kill()
    try:
        received = dict(place.answers("GET", "POST", "DELETE"))
    finally:
        place.server.start()
    wrong = {
        asked: answer.status_code
        for asked, answer in received.items()
        if answer.status_code >= 500 and asked != "GET /readyz" and not asks_to_come_again(answer)
    }
    assert wrong == {}
    assert sum(map(asks_to_come_again, received.values())) > 20


@pytest.mark.parametrize("path", ["/", "/leaderboards/qin", "/matches/m", "/admin"])
def test_without_redis_people_get_a_page_that_says_so(place: Place, path: str) -> None:
    browser = place.app.test_client()
    with place.server.client() as redis:
        token = Tokens(redis).issue_session(place.ann.id, "Firefox", NOON)
        browser.set_cookie(SESSION_COOKIE, token)
    place.server.kill()
    headers = {"Accept": "text/html", "Accept-Language": "zh-TW"}
    try:
        answer = browser.get(path, headers=headers)
    finally:
        place.server.start()
    assert (answer.status_code, answer.mimetype) == (503, "text/html")
    assert (answer.headers["Retry-After"], '<html lang="zh-Hant"' in answer.text) == ("1", True)
    assert "已記錄的內容不會遺失" in answer.text
    assert ("annals doctor" in answer.text) == (path == "/admin")


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_redis_that_accepts_nothing_can_be_read(place: Place, trouble: str) -> None:
    with place.server.client() as redis:
        TROUBLES[trouble](redis)
    """Routes take turns: each meets one of the troubles."""
    turn = [*TROUBLES].index(trouble)
    read = {asked: answer.status_code for asked, answer in place.answers("GET", turn=turn)}
    assert len(read) > 20
    assert {asked: status for asked, status in read.items() if status >= 500} == {}
    written = dict(place.answers("POST", "DELETE", turn=turn))
    wrong = {
        asked: answer.status_code
        for asked, answer in written.items()
        if answer.status_code >= 500 and not asks_to_come_again(answer)
    }
    assert wrong == {}
    assert asks_to_come_again(written["POST /v1/players"])
    assert asks_to_come_again(written["POST /v1/matches"])
    assert asks_to_come_again(written[f"POST {place.match}/resign"])
