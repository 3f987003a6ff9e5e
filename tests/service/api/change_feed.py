"""Reading the change feeds."""

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
    """The events of an open stream."""
    with streaming(caller, path, **headers) as answer:
        yield news_in(answer)


def next_update(stream: Iterator[Event]) -> Event:
    """The next event that is more than a cursor: id, kind and data."""
    return next(one for one in stream if one[1])


def next_change(stream: Iterator[Event]) -> Any:
    """The next changed match."""
    _, kind, data = next_update(stream)
    assert kind == "match"
    judge("OwnMatch" if "match" in data else "MatchSummary", data)
    return data


def find_in_lists(caller: Api, match: str) -> Any:
    """A match as the lists show it."""
    found = caller.get("/v1/matches").json["matches"]
    return next(one for one in found if one["id"] == match)
