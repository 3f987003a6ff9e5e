"""The same service twice: one with the fast path, the other without."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from msgspec import json
from prometheus_client import metrics
from redis import Redis
from structlog.testing import capture_logs

from service.front.app import create_app
from service.front.asgi_adapter import AsgiAdapter
from service.front.fast_path import MoveFastPath, RawResponse
from service.http.context import Context
from service.http.rate_limit import RateLimits
from service.matches.container import open_annals
from service.runtime.settings import Settings
from tests.service.api.conftest import BOTH, NOON

RATE = 10_000
APPS: dict[bool, Flask] = {}
"""The apps of the twins, with and without the fast path, cached: building routes takes long."""
Headers = list[tuple[bytes, bytes]]


class Twin:
    """A service as the web server calls it."""

    def __init__(self, settings: Settings, is_quick: bool) -> None:
        annals = replace(open_annals(settings, BOTH), now=lambda: NOON)
        if is_quick not in APPS:
            APPS[is_quick] = create_app(annals)
        app = APPS[is_quick]
        self.context = app.extensions["annals"] = Context(annals)
        self.limit(RATE)
        self.quick: list[RawResponse | Exception | None] = []
        """The outcome of each request on the fast path."""
        self.noted: tuple[list[Any], Counter[object]] = ([], Counter())
        """The log events of the last noted request, without its request id, and the metrics it
        counted.
        """
        self._quick = MoveFastPath(self.context)
        self._app, self._settings = app, settings
        self._fast_path = self._try if is_quick else _no_way

    def limit(self, rate: int) -> None:
        """Let each caller send `rate` requests in the current minute."""
        self.context.limits = RateLimits(rate, RATE, clock=lambda: 0.0)

    def _try(self, head: Any, body: bytes, address: str) -> RawResponse | Exception | None:
        self.quick.append(self._quick(head, body, address))
        return self.quick[-1]

    def note(self, head: dict[str, Any], body: bytes) -> RawResponse:
        """The answer to a request; `noted` has what it logged and counted."""
        with counted_metrics() as counted:
            answer = self(head, body)
        self.noted = self._lines, counted
        return answer

    def __call__(self, head: dict[str, Any], body: bytes) -> RawResponse:
        """Status, headers and body of the answer, without values that differ for each request."""
        adapter = AsgiAdapter(self._app, self._settings, fast_path=self._fast_path)  # for one loop
        with capture_logs() as lines:
            status, headers, content = asyncio.run(answer_of(adapter, head, body))
        self._lines = [{**line, "id": "ID", "ms": 0} for line in lines]
        own = dict(headers)[b"x-request-id"]
        headers = [(name, value.replace(own, b"ID")) for name, value in headers]
        return status, headers, content.replace(own, b"ID")


class Twins:
    """Both services, and clients that send them the same requests."""

    def __init__(self, redis: Redis, url: str, **settings: Any) -> None:
        self._redis = redis
        self.one, self.other = (
            Twin(Settings(redis_url=db, events_url=db, queue_url=db, **settings), is_quick)
            for db, is_quick in ((url, True), (f"{url}?db=1", False))
        )

    def copy_state(self) -> None:
        """Give the second service all data of the first."""
        for key in self._redis.scan_iter():
            self._redis.copy(key, key, destination_db=1, replace=True)
        for twin in (self.one, self.other):
            twin.limit(RATE)

    def first(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """The JSON of the first service's answer."""
        return _post(self.one, method, path, body, token)

    def headers(
        self, method: str, path: str, body: Any, headers: Mapping[str, str]
    ) -> Mapping[str, str]:
        """The headers of the first service's answer."""
        status, found, _ = self.one(*request(method, path, body, headers))
        assert status < 300
        return {name.decode(): value.decode() for name, value in found}

    def look(self, path: str, token: str) -> Any:
        """The JSON of the answer that both give to a GET request."""
        one, other = (_post(twin, "GET", path, None, token) for twin in (self.one, self.other))
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
        """Status and JSON of the answer of both, after checking that answers and logs are equal."""
        asked, raw = request("POST", path, body, headers, *more)
        one, other = (twin.note(asked | head, raw) for twin in (self.one, self.other))
        assert one == other, f"{one}\n{other}"
        assert self.one.noted == self.other.noted
        return one[0], json.decode(one[2])


async def answer_of(adapter: AsgiAdapter, head: dict[str, Any], body: bytes) -> RawResponse:
    """Status, headers and body of the answer to a request."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await adapter(head, receive, send)
    begin, end = sent
    return begin["status"], begin["headers"], end["body"]


@contextmanager
def counted_metrics() -> Iterator[Counter[object]]:
    """How often the block increases each counter, and adds to each histogram.

    To read them all, before and after, takes longer than most requests.
    """
    counted: Counter[object] = Counter()

    def counting(method: Callable[..., None]) -> Callable[..., None]:
        def call(metric: object, *amounts: Any) -> None:
            counted[metric] += 1
            method(metric, *amounts)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for kind, name in ((metrics.Counter, "inc"), (metrics.Histogram, "observe")):
            patch.setattr(kind, name, counting(getattr(kind, name)))
        yield counted


def request(
    method: str, path: str, body: Any, headers: Mapping[str, str], *more: tuple[str, str]
) -> tuple[dict[str, Any], bytes]:
    """A request as the web server passes it."""
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


def _post(twin: Twin, method: str, path: str, body: Any, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    status, _, content = twin(*request(method, path, body, headers))
    assert status < 300, content
    return json.decode(content)


def _no_way(head: Any, body: bytes, address: str) -> None:
    """Turn the fast path off."""
