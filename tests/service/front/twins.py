"""The same service twice: requests to one go the quick way, to the other the long one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Flask
from msgspec import json
from prometheus_client import REGISTRY
from redis import Redis
from structlog.testing import capture_logs

from service.front.app import create_app
from service.front.asgi_adapter import Gateway
from service.front.fast_path import Answer, QuickMoves
from service.http.context import Context
from service.http.rate_limit import RateLimits
from service.matches.container import open_annals
from service.runtime.settings import Settings
from tests.service.api.conftest import BOTH, NOON

RATE = 10_000
APPS: dict[bool, Flask] = {}
"""The app of a twin, with or without the quick way: to put its routes together takes long."""
Headers = list[tuple[bytes, bytes]]


class Twin:
    """A service as a server calls it."""

    def __init__(self, settings: Settings, is_quick: bool) -> None:
        annals = replace(open_annals(settings, BOTH), now=lambda: NOON)
        if is_quick not in APPS:
            APPS[is_quick] = create_app(annals)
        app = APPS[is_quick]
        self.context = app.extensions["annals"] = Context(annals)
        self.limit(RATE)
        self.quick: list[Answer | Exception | None] = []
        """What each request came to on the quick way."""
        self.noted: tuple[list[Any], Counter[str]] = ([], Counter())
        """What was logged of the last request, without what is its own, and what was counted."""
        self._quick = QuickMoves(self.context)
        self._gateway = Gateway(app, settings, quick=self._try if is_quick else _no_way)

    def limit(self, rate: int) -> None:
        """Let each caller send so many requests in the minute that there is."""
        self.context.limits = RateLimits(rate, RATE, clock=lambda: 0.0)

    def _try(self, head: Any, body: bytes) -> Answer | Exception | None:
        self.quick.append(self._quick(head, body))
        return self.quick[-1]

    def __call__(self, head: dict[str, Any], body: bytes) -> Answer:
        """Status, headers and body of the answer, without what is a request's own."""
        before = counted()
        with capture_logs() as lines:
            status, headers, content = asyncio.run(answer_of(self._gateway, head, body))
        self.noted = [{**line, "id": "ID", "ms": 0} for line in lines], counted() - before
        own = dict(headers)[b"x-request-id"]
        headers = [(name, value.replace(own, b"ID")) for name, value in headers]
        return status, headers, content.replace(own, b"ID")


class Twins:
    """Both of them, and who asks them the same."""

    def __init__(self, redis: Redis, url: str, **settings: Any) -> None:
        self._redis = redis
        self.one, self.other = (
            Twin(Settings(redis_url=db, events_url=db, queue_url=db, **settings), is_quick)
            for db, is_quick in ((url, True), (f"{url}?db=1", False))
        )

    def made_alike(self) -> None:
        """Let the other one have all that the one has."""
        for key in self._redis.scan_iter():
            self._redis.copy(key, key, destination_db=1, replace=True)
        for twin in (self.one, self.other):
            twin.limit(RATE)

    def first(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """The JSON of an answer of the one."""
        return _accepted(self.one, method, path, body, token)

    def headers(
        self, method: str, path: str, body: Any, headers: Mapping[str, str]
    ) -> Mapping[str, str]:
        """The headers of an answer of the one."""
        status, found, _ = self.one(*request(method, path, body, headers))
        assert status < 300
        return {name.decode(): value.decode() for name, value in found}

    def look(self, path: str, token: str) -> Any:
        """The JSON of what both show."""
        one, other = (_accepted(twin, "GET", path, None, token) for twin in (self.one, self.other))
        assert one == other
        return one

    def both(
        self,
        path: str,
        body: Any,
        headers: Mapping[str, str],
        *more: tuple[str, str],
        **head: Any,
    ) -> Any:
        """Status and JSON of the answer that both give, byte by byte; both note the same of it."""
        asked, raw = request("POST", path, body, headers, *more)
        one, other = self.one(asked | head, raw), self.other(asked | head, raw)
        assert one == other, f"{one}\n{other}"
        assert self.one.noted == self.other.noted
        return one[0], json.decode(one[2])


async def answer_of(gateway: Gateway, head: dict[str, Any], body: bytes) -> Answer:
    """Status, headers and body of what is answered to a request."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await gateway(head, receive, send)
    begin, end = sent
    return begin["status"], begin["headers"], end["body"]


def counted() -> Counter[str]:
    """How often anything of ours was counted, by name and labels."""
    return Counter(
        {
            f"{sample.name}{sample.labels}": int(sample.value)
            for metric in REGISTRY.collect()
            for sample in metric.samples
            if sample.name.startswith("annals_") and sample.name.endswith(("_count", "_total"))
        }
    )


def request(
    method: str, path: str, body: Any, headers: Mapping[str, str], *more: tuple[str, str]
) -> tuple[dict[str, Any], bytes]:
    """A request as a server gives it."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.encode(body)
    sent = {"Host": "annals", "Content-Type": "application/json", **headers}
    where, _, query = path.partition("?")
    head = {
        "method": method,
        "raw_path": where.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "scheme": "http",
        "server": ("annals", 80),
        "client": ("192.0.2.1", 40_000),
        "headers": [
            (name.lower().encode(), value.encode("latin-1"))
            for name, value in [*sent.items(), *more]
        ],
    }
    return head, raw


def _accepted(twin: Twin, method: str, path: str, body: Any, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    status, _, content = twin(*request(method, path, body, headers))
    assert status < 300, content
    return json.decode(content)


def _no_way(head: Any, body: bytes) -> None:
    """Nothing goes the quick way."""
