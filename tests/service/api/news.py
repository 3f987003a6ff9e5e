"""Listening to what changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.service.api.conftest import Api
from tests.service.api.contract import judge
from tests.service.api.streams import news_in, streaming

MINE, LOBBY = "/v1/me/stream", "/v1/lobby/stream"
Event = tuple[str, str, Any]


@contextmanager
def listening(caller: Api, path: str = MINE, **headers: str) -> Iterator[Iterator[Event]]:
    """The events of a stream that is open."""
    with streaming(caller, path, **headers) as answer:
        yield news_in(answer)


def told(stream: Iterator[Event]) -> Event:
    """The next event that says more than how far one has heard: id, kind and data."""
    return next(one for one in stream if one[1])


def changed(stream: Iterator[Event]) -> Any:
    """The next match that has changed."""
    _, kind, data = told(stream)
    assert kind == "match"
    judge("OwnMatch" if "match" in data else "Summary", data)
    return data


def listed(caller: Api, match: str) -> Any:
    """A match as the lists show it."""
    found = caller.get("/v1/matches").json["matches"]
    return next(one for one in found if one["id"] == match)
