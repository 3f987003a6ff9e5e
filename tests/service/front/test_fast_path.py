"""The fast path answers moves without Flask, byte for byte as Flask does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask
from msgspec import json
from redis import Redis

from domain.engine.errors import RuleBroken
from domain.match.errors import InvalidCommand
from service.front.asgi import load
from service.http import requests
from service.http.requests import decode_json
from service.runtime.errors import KeyReused, StaleVersion
from service.runtime.shares import pace
from tests.service.api.conftest import BOTH, SEED
from tests.service.front.twins import Twins, answer_of, request

MOVES = 6
ORIGIN = "https://page.example"
PAGE_HEADERS = {"Sec-Fetch-Site": "same-origin"}
"""The headers that browsers send with a request from our page."""


class Table:
    """A match in which one player has all seats, in both services."""

    def __init__(self, twins: Twins, game: str) -> None:
        self.twins = twins
        self.token = twins.first("POST", "/v1/players", {"name": "Ann"})["token"]
        scopes = {"name": "looks", "scopes": ["read"], "expires_in_s": 3600}
        session = twins.headers("POST", "/v1/session", {"token": self.token}, PAGE_HEADERS)
        self.cookie = session["set-cookie"].partition(";")[0]
        self.looking = twins.first("POST", "/v1/me/tokens", scopes, self.token)["token"]
        seats = [{"me": True}] * max(2, min(BOTH[game].seats))
        plan = {"game": game, "seats": seats, "seed": SEED}
        self.match = twins.first("POST", "/v1/matches", plan, self.token)["id"]
        twins.copy_state()

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}/moves"

    @property
    def moves(self) -> list[Any]:
        found: list[Any] = self.twins.look(f"{self.path[:-6]}/legal-moves", self.token)["moves"]
        return found

    def __call__(self, body: Any, *more: tuple[str, str], **headers: str) -> tuple[int, Any]:
        """Status and JSON of the answer of both to a move."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if "Cookie" not in sent:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        return self.twins.both(self.path, body, sent, *more)


@pytest.fixture
def twins(redis_client: Redis, redis_url: str) -> Iterator[Twins]:
    yield Twins(redis_client, redis_url, cors_origins=(ORIGIN,), proxies=1)
    with Redis.from_url(f"{redis_url}?db=1") as other:
        other.flushdb()


@pytest.fixture
def table(twins: Twins) -> Table:
    return Table(twins, "qin")


def went(table: Table) -> object:
    """The outcome of the last request on the fast path: an answer, an error, or nothing."""
    found = table.twins.one.quick[-1]
    return type(found) if isinstance(found, Exception) else found is not None


def test_what_the_web_server_loads_has_a_pace_and_makes_moves_without_flask(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setattr(
        "service.front.asgi.configure_logs", lambda level: None
    )  # nor do other tests log
    adapter = load()

    async def ask(method: str, path: str, body: Any = None, token: str = "") -> Any:
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        status, _, content = await answer_of(adapter, *request(method, path, body, sent))
        assert status < 300, content
        return json.decode(content)

    async def play() -> None:
        token = (await ask("POST", "/v1/players", {"name": "Ann"}))["token"]
        plan = {"game": "qin", "seats": [{"me": True}, {"me": True}]}
        path = f"/v1/matches/{(await ask('POST', '/v1/matches', plan, token))['id']}"
        move = (await ask("GET", f"{path}/legal-moves", token=token))["moves"][0]
        with monkeypatch.context() as hurry:
            hurry.setattr(pace, "BURST_S", 0.0)
            hurry.setattr(pace, "MAX_WAIT_S", 0.0)
            assert (await answer_of(adapter, *request("GET", path, None, {})))[0] == 429
        monkeypatch.delattr(Flask, "__call__")
        assert (await ask("POST", f"{path}/moves", {"move": move}, token))["events"]

    asyncio.run(play())


@pytest.mark.parametrize("game", BOTH)
def test_every_game_is_played_alike(twins: Twins, game: str) -> None:
    table, random = Table(twins, game), Random(1)
    for number in range(MOVES):
        if not (moves := table.moves):
            break
        status, answer = table({"move": random.choice(moves)}, Idempotency_Key=f"k{number}")
        assert (status, went(table)) == (201, True)
        assert answer["events"]


def test_the_fast_path_honours_every_relevant_part_of_a_request(table: Table) -> None:
    body = {"move": table.moves[0]}
    assert table(body, If_Match='"9"')[0] == 412
    assert went(table) is StaleVersion
    version = table(body, If_Match='"1"', Idempotency_Key="a", Origin=ORIGIN)[1]["version"]
    assert went(table) is True
    assert table(body, Idempotency_Key="a", X_Request_Id="mine")[1]["version"] == version
    assert went(table) is True
    assert table({"move": table.moves[0]}, Idempotency_Key="a")[0] == 422
    assert went(table) is KeyReused
    assert table({**body, "seat": 1 - body["move"]["seat"]})[1]["code"] == "seat_mismatch"
    assert went(table) is InvalidCommand
    assert table({"move": table.moves[0]}, Origin="https://other.example")[0] == 201


def test_moves_from_our_page_are_quick_too(table: Table) -> None:
    sent = {"Cookie": f"annals_language=en; {table.cookie}", "Sec_Fetch_Site": "same-origin"}
    assert table({"move": table.moves[0]}, **sent)[0] == 201
    assert went(table) is True
    assert table({"move": {}}, **sent)[1]["code"] == "bad_move"
    assert table({"move": table.moves[0]}, **sent, Authorization=f"Bearer {table.token}")[0] == 201
    assert went(table) is True


@pytest.mark.parametrize("session", [None, "annals_session=nobody", "annals_session=", "a=b"])
def test_an_unknown_cookie_makes_no_move(table: Table, session: str | None) -> None:
    cookie = session or f"annals_session={table.token}"
    sent = {"Cookie": cookie, "Sec_Fetch_Site": "same-origin"}
    assert table({"move": table.moves[0]}, **sent)[0] == 401
    assert went(table) is False


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Origin": "http://annals"},
        {"Sec_Fetch_Site": "none"},
        {"Origin": ORIGIN},
        {"Origin": "null"},
    ],
)
def test_no_other_page_makes_a_move_by_the_cookie(table: Table, said: dict[str, str]) -> None:
    status, received = table({"move": table.moves[0]}, Cookie=table.cookie, **said)
    assert (status, received["code"], went(table)) == (403, "cross_site", False)


def test_a_page_makes_no_move_for_a_player_whom_it_does_not_show(table: Table) -> None:
    sent = {"Cookie": table.cookie, "Sec_Fetch_Site": "same-origin"}
    status, received = table({"move": table.moves[0]}, **sent, Annals_Player="u0123456789abcdef")
    assert (status, received["code"], went(table)) == (403, "other_player", False)


def test_without_tls_our_page_makes_a_move_the_long_way(table: Table) -> None:
    sent = {"Cookie": table.cookie, "Origin": "http://annals"}
    assert table({"move": table.moves[0]}, **sent)[0] == 201
    assert went(table) is False


def test_of_two_sessions_none_makes_a_move(table: Table) -> None:
    sent = {"Cookie": f"{table.cookie}; annals_session=other", "Sec_Fetch_Site": "same-origin"}
    assert table({"move": table.moves[0]}, **sent)[0] == 401
    sent = {"Cookie": table.cookie, "Sec_Fetch_Site": "same-origin"}
    assert table({"move": table.moves[0]}, ("Cookie", table.cookie), **sent)[0] == 401
    assert table({"move": table.moves[0]}, ("Sec-Fetch-Site", "cross-site"), **sent)[0] == 403
    assert went(table) is False


def test_a_broken_rule_is_reported_as_by_flask(twins: Twins) -> None:
    table = Table(twins, "toy")
    missing = min(set(range(1, 10)) - {move["card"] for move in table.moves})
    status, received = table({"move": {"type": "Seal", "card": missing}})
    assert (status, received["code"], went(table)) == (422, "rule_broken", RuleBroken)


UNUSUAL: dict[str, Callable[[Table, Any], tuple[int, Any]]] = {
    "nobody's token": lambda table, move: table(move, Authorization="Bearer nobody"),
    "another scheme": lambda table, move: table(move, Authorization="Basic YTpi"),
    "a token to look with": lambda table, move: table(
        move, Authorization=f"Bearer {table.looking}"
    ),
    "two tokens": lambda table, move: table(move, ("Authorization", "Bearer other")),
    "another type": lambda table, move: table(move, Content_Type="text/plain"),
    "a type with letters": lambda table, move: table(
        move, Content_Type="application/json; charset=utf-8"
    ),
    "no JSON": lambda table, move: table(b"{"),
    "nothing": lambda table, move: table(b""),
    "a doubled name": lambda table, move: table(b'{"move":{"type":"Pass","type":"Pass"}}'),
    "no object": lambda table, move: table([move]),
    "no move": lambda table, move: table({"seat": 0}),
    "no move that is an object": lambda table, move: table({"move": 1}),
    "another member": lambda table, move: table({**move, "and": 1}),
    "a seat in words": lambda table, move: table({**move, "seat": "0"}),
    "a seat with a point": lambda table, move: table({**move, "seat": float(move["move"]["seat"])}),
    "a seat that is true": lambda table, move: table({**move, "seat": True}),
    "no such seat": lambda table, move: table({**move, "seat": 99}),
    "a body that is too long": lambda table, move: table(json.encode(move) + b" " * 100_000),
    "a key that is none": lambda table, move: table(move, Idempotency_Key=""),
    "versions that are none": lambda table, move: table(move, If_Match="x"),
}


EQUALLY_GOOD = {"a type with letters", "a seat with a point"}


@pytest.mark.parametrize("what", UNUSUAL)
def test_unusual_requests_fall_back_to_flask(table: Table, what: str) -> None:
    status, received = UNUSUAL[what](table, {"move": table.moves[0]})
    assert (status >= 400, went(table)) == (what not in EQUALLY_GOOD, False), received


@pytest.mark.parametrize("what", ["?seat=0", "/", "x"])
def test_other_addresses_are_others(table: Table, what: str) -> None:
    body = {"move": table.moves[0]}
    headers = {"Authorization": f"Bearer {table.token}"}
    table.twins.both(table.path + what, body, headers)
    assert went(table) is False


def test_a_request_over_the_limit_is_not_parsed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a caller with one request left, when they send two, then one body is decoded."""
    read: list[bytes] = []
    monkeypatch.setattr(
        requests, "decode_json", lambda raw: [read.append(raw), decode_json(raw)][1]
    )
    body = {"move": table.moves[0]}
    for twin in (table.twins.one, table.twins.other):
        twin.limit(1)
    assert table(body)[0] == 201
    assert len(read) == 2  # by the one and the other
    assert table(body)[0] == 429
    assert len(read) == 2


def test_a_caller_over_the_limit_gets_429_and_nothing_is_counted_twice(table: Table) -> None:
    moves = table.moves
    for twin in (table.twins.one, table.twins.other):
        twin.limit(3)
    assert [table(body)[0] for body in ({"move": moves[0]}, {"move": {}}, b"{", {"move": {}})] == [
        201, 400, 400, 429,
    ]  # fmt: skip


def test_behind_a_proxy_each_address_has_its_own_limit(table: Table) -> None:
    for address in ("198.51.100.7", "203.0.113.1, 198.51.100.8", "", '203.0.113.1, ""'):
        assert table({"move": table.moves[0]}, X_Forwarded_For=address)[0] == 201
        assert went(table) is True
    assert set(table.twins.one.context.limits._per_address._minutes) == {
        "198.51.100.7", "198.51.100.8", "192.0.2.1",
    }  # fmt: skip
