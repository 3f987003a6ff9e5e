"""The source of the examples in the contract: requests and the answers to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from service.http.contract import media_types
from service.matches.container import Annals
from tests.service.api.conftest import Api, Clock
from tests.service.api.contract import contract, operation_of, resolve
from tests.service.api.streams import read_stream

MAX_ITEMS, ITEMS_SHOWN = 5, 2
"""A list with more than `MAX_ITEMS` items is cut to `ITEMS_SHOWN`."""
MAX_LETTERS = 160
"""Longest text in a JSON example, in letters; longer ones are cut."""
LONG = ("$defs", "rules", "examples")
"""Objects and lists of which one member stands for all."""
JSON = "application/json"


@dataclass
class Media:
    """The contract's description of one media type, and its examples by name."""

    name: str
    content: dict[str, Any]
    examples: dict[str, Any] = field(default_factory=dict)


@dataclass
class Stage:
    """The service with a clock that stands still between requests, and all examples recorded so
    far.
    """

    app: Flask
    annals: Annals
    clock: Clock
    chance: Random
    shown: dict[str, Media] = field(default_factory=dict)

    def player(self, name: str) -> Api:
        """A newly registered player; here no address registers too many."""
        player, token = self.annals.players.register(name, self.clock())
        return Api(self.app, token, player.id)

    def show(
        self, caller: Api, method: str, path: str, body: Any = None, name: str = "example",
        **headers: str,
    ) -> TestResponse:  # fmt: skip
        """Send a request; record both the request and its answer."""
        self.clock.ms += 1_000
        answer = caller(method, path, body, X_Request_Id=f"example-{name}", **headers)
        operation = operation_of(method, path.partition("?")[0])
        if body is not None and answer.status_code < 400:
            content = operation["requestBody"]["content"][JSON]
            self.keep(f"{operation['operationId']}.request", content, name, short(body))
        self.keep_answer(operation, answer, name)
        return answer

    def show_stream(self, caller: Api, path: str, name: str, after: int, count: int) -> None:
        """Record the first events of a stream, without heartbeats, which have the real time."""
        first = read_stream(caller, f"{path}?after={after}", count)
        parts = [part for part in first if not part.startswith(b"event: beat\n")]
        [content] = operation_of("GET", path)["responses"]["200"]["content"].values()
        self.keep(name, content, "example", b"".join(parts).decode())

    def keep_answer(self, operation: dict[str, Any], answer: TestResponse, name: str) -> None:
        """Record the answer, if it has content that is no picture."""
        if answer.data and not answer.mimetype.startswith("image/"):
            received = short(answer.json) if answer.is_json else answer.get_data(as_text=True)
            self.keep(*describe_content(operation, answer), name, received)

    def keep(self, media: str, content: dict[str, Any], name: str, example: Any) -> None:
        """Record an example; the first of each name stays."""
        known = self.shown.setdefault(media, Media(media, content))
        known.examples.setdefault(name, example)


def describe_content(operation: dict[str, Any], answer: TestResponse) -> tuple[str, dict[str, Any]]:
    """The media type of an answer in the contract, and its description there."""
    documented = resolve(operation["responses"][str(answer.status_code)])
    content = documented["content"][answer.mimetype]
    return next((name, one) for name, one in media_types(contract()) if one is content)


def short(thing: Any) -> Any:
    """The same shortened: few items, short texts, numbers with few digits."""
    match thing:
        case str():
            return thing if len(thing) <= MAX_LETTERS else f"{thing[:MAX_LETTERS]}…"
        case float():
            return round(thing, 4)
        case list():
            return [
                short(one) for one in (thing if len(thing) <= MAX_ITEMS else thing[:ITEMS_SHOWN])
            ]
        case dict():
            return {name: short(_shorten(name, one)) for name, one in thing.items()}
        case _:
            return thing


def _shorten(name: str, thing: Any) -> Any:
    """The first member of a long object without references, or of a long list."""
    match thing:
        case dict() if name in LONG:
            return dict([next(one for one in thing.items() if "$ref" not in str(one))])
        case list() if name in LONG:
            return thing[:1]
        case _:
            return thing
