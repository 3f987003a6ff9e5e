"""Where the examples of the contract come from: requests that are made, and what is answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from service.matches.container import Annals
from tests.service.api.conftest import Api, Clock
from tests.service.api.contract import operation_of, resolve

MOST, KEPT = 5, 3
"""A list of more items than this is cut after so many."""
LETTERS = 160
"""A text in JSON is cut after so many letters."""
LONG = ("$defs", "rules")
"""Objects of which one member shows what all are like."""
JSON = "application/json"


@dataclass
class Media:
    """What the contract says of one kind of content, and its examples by name."""

    name: str
    content: dict[str, Any]
    examples: dict[str, Any] = field(default_factory=dict)


@dataclass
class Stage:
    """The service with a clock that stands still between requests, and all that was shown."""

    app: Flask
    annals: Annals
    clock: Clock
    shown: dict[str, Media] = field(default_factory=dict)

    def player(self, name: str) -> Api:
        """Somebody who registers now."""
        account = Api(self.app).post("/v1/players", {"name": name}).json
        return Api(self.app, account["token"], account["player"]["id"])

    def show(
        self, caller: Api, method: str, path: str, body: Any = None, name: str = "example",
        **headers: str,
    ) -> TestResponse:  # fmt: skip
        """Ask, and keep both what was asked and what was answered."""
        self.clock.ms += 1_000
        answer = caller(method, path, body, X_Request_Id=f"example-{name}", **headers)
        operation = operation_of(method, path.partition("?")[0])
        if body is not None and answer.status_code < 400:
            content = operation["requestBody"]["content"][JSON]
            self.keep(f"{operation['operationId']}.request", content, name, short(body))
        self.keep_answer(operation, answer, name)
        return answer

    def keep_answer(self, operation: dict[str, Any], answer: TestResponse, name: str) -> None:
        """Keep what was answered, if that has a content."""
        if answer.data:
            told = short(answer.json) if answer.is_json else answer.get_data(as_text=True)
            self.keep(*said_of(operation, answer), name, told)

    def keep(self, media: str, content: dict[str, Any], name: str, example: Any) -> None:
        """Keep an example; the first of its name stays."""
        known = self.shown.setdefault(media, Media(media, content))
        known.examples.setdefault(name, example)


def said_of(operation: dict[str, Any], answer: TestResponse) -> tuple[str, dict[str, Any]]:
    """What the contract calls the content of an answer, and says of it."""
    documented = operation["responses"][str(answer.status_code)]
    name = documented.get("$ref", operation["operationId"]).rpartition("/")[2]
    contents = resolve(documented)["content"]
    kind = answer.mimetype.rpartition("/")[2]
    media = name if len(contents) == 1 or answer.mimetype == JSON else f"{name}.{kind}"
    return media, contents[answer.mimetype]


def short(thing: Any) -> Any:
    """The same without most of what is long, and numbers with few digits."""
    match thing:
        case str():
            return thing if len(thing) <= LETTERS else f"{thing[:LETTERS]}…"
        case float():
            return round(thing, 4)
        case list():
            return [short(one) for one in (thing if len(thing) <= MOST else thing[:KEPT])]
        case dict():
            return {name: short(_shown(name, one)) for name, one in thing.items()}
        case _:
            return thing


def _shown(name: str, thing: Any) -> Any:
    """Of a long object the first member that leads nowhere else."""
    if name not in LONG or not isinstance(thing, dict):
        return thing
    return dict([next(one for one in thing.items() if "$ref" not in str(one))])
