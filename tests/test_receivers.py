"""The examples that receive webhooks believe what is signed, and say what is wrong otherwise."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from http.client import HTTPMessage
from typing import Any

import pytest
from flask.testing import FlaskClient
from standardwebhooks import Webhook

from examples.push_bot import Bot
from examples.webhook_receiver import Inbox, create_app
from service.channels.webhooks.signing import new_secret

SECRET = new_secret()
NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")
Answers = Callable[[dict[str, str], bytes], int]


def signed(body: bytes, name: str = "msg_1", ago_s: int = 0) -> dict[str, str]:
    at = datetime.now(UTC) - timedelta(seconds=ago_s)  # noqa: TID251 - the library looks at it
    text = Webhook(SECRET).sign(name, at, body.decode())
    return dict(zip(NAMES, (name, str(int(at.timestamp())), text), strict=True))


def told(version: int, match: str = "m", at: str = "2026-11-22T20:00:00.000Z") -> bytes:
    return b'{"type":"move.made","timestamp":"%s","data":{"match":"%s","version":%d}}' % (
        at.encode(), match.encode(), version,
    )  # fmt: skip


@pytest.fixture
def read() -> list[Any]:
    return []


@pytest.fixture
def client(read: list[Any]) -> FlaskClient:
    return create_app(SECRET, Inbox(read.append)).test_client()


@pytest.fixture(params=["receiver", "bot"])
def answers(request: pytest.FixtureRequest, client: FlaskClient) -> Iterator[Answers]:
    """What each of the examples answers to a message."""
    if request.param == "receiver":
        yield lambda headers, raw: client.post("/hook", data=raw, headers=headers).status_code
        return
    bot = Bot("http://127.0.0.1:9", 0)
    bot.secret = SECRET
    yield lambda headers, raw: bot.hear(message(headers), raw)


def message(headers: dict[str, str]) -> Message:
    found = HTTPMessage()
    for name, text in headers.items():
        found[name] = text
    return found


def test_what_is_signed_is_taken(answers: Answers) -> None:
    assert answers(signed(told(1)), told(1)) == 204


@pytest.mark.parametrize(
    "headers",
    [
        {},
        signed(told(2)),
        {**signed(told(1)), "webhook-id": "msg_2"},
        {**signed(told(1)), "webhook-signature": "v1,nonsense"},
        {**signed(told(1)), "webhook-timestamp": "soon"},
        signed(told(1), ago_s=301),
    ],
    ids=["none", "of another body", "of another id", "nonsense", "of no time", "old"],
)
def test_what_is_not_signed_for_us_is_refused_and_said_to_be(
    answers: Answers, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(headers, told(1)) == 401
    assert [(one.levelno, one.msg.split(":")[0]) for one in caplog.records] == [
        (logging.WARNING, "not from the service, or for somebody else")
    ]


def test_what_is_signed_and_cannot_be_read_is_something_else(
    answers: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(signed(b"{"), b"{") == 400
    assert [(one.levelno, one.msg.split(":")[0]) for one in caplog.records] == [
        (logging.ERROR, "signed well, but not JSON")
    ]


def test_a_message_is_read_once_however_often_it_comes(
    client: FlaskClient, read: list[Any]
) -> None:
    for _ in range(3):
        client.post("/hook", data=told(1), headers=signed(told(1)))
    assert len(read) == 1


def test_what_is_old_news_is_left_out_for_each_match(client: FlaskClient, read: list[Any]) -> None:
    for number, (version, match) in enumerate([(1, "m"), (3, "m"), (2, "m"), (1, "n"), (3, "m")]):
        raw = told(version, match)
        client.post("/hook", data=raw, headers=signed(raw, f"msg_{number}"))
    assert [(one["data"]["match"], one["data"]["version"]) for one in read] == [
        ("m", 1), ("m", 3), ("n", 1), ("m", 3),
    ]  # fmt: skip


def test_a_match_that_went_back_to_a_backup_goes_on(client: FlaskClient, read: list[Any]) -> None:
    for number, (version, at) in enumerate([(8, "20"), (5, "21"), (6, "22"), (5, "21")]):
        raw = told(version, at=f"2026-11-22T{at}:00:00.000Z")
        client.post("/hook", data=raw, headers=signed(raw, f"msg_{number}"))
    assert [one["data"]["version"] for one in read] == [8, 5, 6]
