"""The sample receivers of webhooks accept signed messages, and say what is wrong with others."""

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


def sign(body: bytes, name: str = "msg_1", ago_s: int = 0) -> dict[str, str]:
    at = datetime.now(UTC) - timedelta(seconds=ago_s)  # noqa: TID251 - the library looks at it
    text = Webhook(SECRET).sign(name, at, body.decode())
    return dict(zip(NAMES, (name, str(int(at.timestamp())), text), strict=True))


def webhook_body(version: int, match: str = "m", at: str = "2026-11-22T20:00:00.000Z") -> bytes:
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
    """The answer of each example to a message."""
    if request.param == "receiver":
        yield lambda headers, raw: client.post("/hook", data=raw, headers=headers).status_code
        return
    bot = Bot("http://127.0.0.1:9", 0)
    bot.secret = SECRET
    yield lambda headers, raw: bot.receive(message(headers), raw)


def message(headers: dict[str, str]) -> Message:
    found = HTTPMessage()
    for name, text in headers.items():
        found[name] = text
    return found


def test_a_signed_message_is_accepted(answers: Answers) -> None:
    assert answers(sign(webhook_body(1)), webhook_body(1)) == 204


@pytest.mark.parametrize(
    "headers",
    [
        {},
        sign(webhook_body(2)),
        {**sign(webhook_body(1)), "webhook-id": "msg_2"},
        {**sign(webhook_body(1)), "webhook-signature": "v1,nonsense"},
        {**sign(webhook_body(1)), "webhook-timestamp": "soon"},
        sign(webhook_body(1), ago_s=301),
    ],
    ids=["none", "of another body", "of another id", "nonsense", "of no time", "old"],
)
def test_a_message_with_another_signature_is_refused_with_a_reason(
    answers: Answers, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(headers, webhook_body(1)) == 401
    assert [(one.levelno, one.msg.split(":")[0]) for one in caplog.records] == [
        (logging.WARNING, "wrong signature")
    ]


def test_a_signed_but_unreadable_message_is_another_error(
    answers: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    assert answers(sign(b"{"), b"{") == 400
    assert [(one.levelno, one.msg.split(":")[0]) for one in caplog.records] == [
        (logging.ERROR, "valid signature, but no JSON")
    ]


def test_a_message_is_read_once_however_often_it_comes(
    client: FlaskClient, read: list[Any]
) -> None:
    for _ in range(3):
        client.post("/hook", data=webhook_body(1), headers=sign(webhook_body(1)))
    assert len(read) == 1


def test_outdated_messages_are_skipped_for_each_match(client: FlaskClient, read: list[Any]) -> None:
    for number, (version, match) in enumerate([(1, "m"), (3, "m"), (2, "m"), (1, "n"), (3, "m")]):
        raw = webhook_body(version, match)
        client.post("/hook", data=raw, headers=sign(raw, f"msg_{number}"))
    assert [(one["data"]["match"], one["data"]["version"]) for one in read] == [
        ("m", 1), ("m", 3), ("n", 1), ("m", 3),
    ]  # fmt: skip


def test_a_match_that_went_back_to_a_backup_goes_on(client: FlaskClient, read: list[Any]) -> None:
    for number, (version, at) in enumerate([(8, "20"), (5, "21"), (6, "22"), (5, "21")]):
        raw = webhook_body(version, at=f"2026-11-22T{at}:00:00.000Z")
        client.post("/hook", data=raw, headers=sign(raw, f"msg_{number}"))
    assert [one["data"]["version"] for one in read] == [8, 5, 6]
