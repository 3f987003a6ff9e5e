"""Problem documents: every refusal has a status, and every error points to its location."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from flask import Flask
from marshmallow import ValidationError
from redis.exceptions import RedisClusterException, RedisError
from structlog.testing import capture_logs

import domain.engine
import domain.match
import projections
import service
from domain.engine.errors import Refusal
from domain.engine.resources.texts import read
from domain.engine.sentences import LANGUAGES
from service.front.app import create_app
from service.http.problem_codes import CODES, HTTP_CODES, STATUS_OF, TEXTS
from service.http.problems import catch_all, handle_invalid
from service.matches.container import Annals
from tests.service.api.conftest import annals, clock  # noqa: F401  fixtures


def refusals(kind: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    """Every refusal that the code raises."""
    for package in (domain.engine, domain.match, projections, service):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "service.front.asgi":  # it opens the service of this machine
                import_module(module.name)
    for one in kind.__subclasses__():
        if one.__module__.split(".")[0] in ("domain", "projections", "service"):
            yield one
            yield from refusals(one)


def test_every_refusal_has_a_status_and_is_explained() -> None:
    assert {kind.code for kind in refusals()} <= STATUS_OF.keys()
    assert sum(map(len, CODES.values())) == len(STATUS_OF)


def test_what_the_framework_refuses_is_explained() -> None:
    assert set(HTTP_CODES.values()) <= STATUS_OF.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_a_title_and_advice_in_each_language_and_nothing_else(
    language: str,
) -> None:
    texts = TEXTS[language]
    common = read("domain.engine")[language]
    received = {key for key in texts if key not in common and not key.startswith("frame_")}
    assert received == {f"{code}_{what}" for code in STATUS_OF for what in ("title", "advice")}
    assert all(texts[key] for key in received)
    assert texts.keys() == TEXTS["en"].keys()


@pytest.fixture
def app(annals: Annals) -> Flask:  # noqa: F811
    app = create_app(annals)
    app.add_url_rule("/v1/<what>", view_func=raise_error)
    return app


def raise_error(what: str) -> Any:
    raise {"redis": RedisError("no room"), "ours": KeyError("seat")}[what]


@pytest.mark.parametrize(
    ("what", "status", "code"), [("redis", 503, "store_unavailable"), ("ours", 500, "internal")]
)
def test_a_fault_appears_in_the_log_and_not_in_the_answer(
    app: Flask, what: str, status: int, code: str
) -> None:
    with capture_logs() as lines:
        answer = app.test_client().get(f"/v1/{what}")
    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert not {"no room", "seat"} & set(answer.text.split('"'))
    [fault] = [line for line in lines if line["event"] == "internal_error"]
    assert fault["id"] == answer.headers["X-Request-Id"]
    assert isinstance(fault["exc_info"], RedisError | KeyError)


@pytest.mark.parametrize(
    ("messages", "pointers"),
    [
        ({"seats": {2: {"invite": ["No."]}}}, ["#/seats/2/invite"]),
        ({"_schema": ["No."]}, ["#"]),
        ({"seats": {"_schema": ["No.", "Neither."]}}, ["#/seats", "#/seats"]),
        ({"a/b": ["No."], "c~d": ["No."], "e f": ["No."]}, ["#/a~1b", "#/c~0d", "#/e%20f"]),
    ],
)
def test_each_error_points_to_its_location(app: Flask, messages: Any, pointers: list[str]) -> None:
    with app.test_request_context():
        app.preprocess_request()
        answer = handle_invalid(ValidationError(messages))
    assert [error["pointer"] for error in answer.json["errors"]] == pointers


OUTSIDE = {
    "before all else": lambda app: app.before_request_funcs[None].insert(0, fails),
    "after the view": lambda app: app.after_request(fails),
    "around Flask": lambda app: setattr(app, "wsgi_app", catch_all(fails)),
}


def fails(*_: object) -> Any:
    raise KeyError("seat")


@pytest.mark.parametrize("where", OUTSIDE)
def test_a_fault_outside_the_views_gets_its_own_problem(app: Flask, where: str) -> None:
    OUTSIDE[where](app)
    with capture_logs() as lines:
        answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert answer.content_type == "application/problem+json"
    assert "seat" not in answer.text
    assert answer.json["instance"] in {
        line.get("id") for line in lines if line["event"] == "internal_error"
    }


def test_a_redis_in_trouble_outside_the_views_is_a_503(app: Flask) -> None:
    def refuses(*_: object) -> Any:
        raise RedisClusterException("no node")

    app.after_request(refuses)
    answer = app.test_client().get("/healthz")
    assert (answer.status_code, answer.json["code"]) == (503, "store_unavailable")
    assert answer.headers["Retry-After"] == "1"
