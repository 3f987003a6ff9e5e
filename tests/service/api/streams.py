"""Reading server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from werkzeug.test import TestResponse

from tests.service.api.conftest import Api


@contextmanager
def streaming(caller: Api, path: str, **headers: str) -> Iterator[TestResponse]:
    """An open stream."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if caller.token:
        sent["Authorization"] = f"Bearer {caller.token}"
    answer = caller.app.test_client(use_cookies=False).get(path, headers=sent)
    try:
        yield answer
    finally:
        answer.close()


def events_in(answer: TestResponse) -> Iterator[bytes]:
    """Each event or comment, even if several arrive at once."""
    for part in answer.iter_encoded():
        yield from (one + b"\n\n" for one in part.split(b"\n\n")[:-1])


def read_stream(caller: Api, path: str, entries: int, **headers: str) -> list[bytes]:
    """The first entries of a stream, as the service sends them, after its opening."""
    with streaming(caller, path, **headers) as answer:
        assert answer.status_code == 200, answer.text
        assert answer.mimetype == "text/event-stream"
        parts = events_in(answer)
        assert next(parts).startswith(b"retry: ")
        return [next(parts) for _ in range(entries)]


def news_in(answer: TestResponse) -> Iterator[tuple[str, str, Any]]:
    """The events of a change feed: id, kind and data; without a kind, only the cursor."""
    assert answer.status_code == 200, answer.text
    for part in events_in(answer):
        fields = fields_of(part)
        if "id" in fields:
            yield fields["id"], fields.get("event", ""), json.loads(fields.get("data", "null"))


def fields_of(part: bytes) -> dict[str, str]:
    """The fields of an event by name."""
    return dict(line.split(": ", 1) for line in part.decode().strip().split("\n"))


def entry_of(part: bytes) -> Any:
    """The entry that a part of a stream carries."""
    lines = fields_of(part)
    entry = json.loads(lines["data"])
    assert lines["event"] == "entry"
    assert lines["id"] == str(entry["version"])
    return entry
