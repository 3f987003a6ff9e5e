"""Messages apart from notices: examples, custom headers, signatures and bounds."""

from __future__ import annotations

from base64 import b64decode

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.games import GAMES
from domain.match.decisions import ending
from domain.notice_types import NOTICE_TYPES
from service.channels.webhooks.messages import bodies
from service.channels.webhooks.messages.bodies import MAX_BODY_BYTES, build_message
from service.channels.webhooks.messages.examples import build_example
from service.channels.webhooks.queue import retry_schedule
from service.channels.webhooks.queue.delivery_queue import ResendRequest
from service.channels.webhooks.queue.replay import notices_since
from service.channels.webhooks.queue.retry_schedule import (
    JITTER_SHARE,
    next_attempt_delay_s,
    read_retry_after,
)
from service.channels.webhooks.subscriptions import MAX_SECRETS
from service.matches.queries import iso
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch
from tests.service.api.contract import judge
from tests.service.channels.webhooks.conftest import WebhookHarness
from tests.service.channels.webhooks.test_conformance import MESSAGES
from tests.service.channels.webhooks.test_every_game import everything
from tests.support.receiver import Receiver

MAX_ENTRIES = 120
"""Maximum number of entries, since random play may never end a game."""
TRUNCATED_MEMBERS = (
    "entry",
    "time_left",
    "deadline",
    "result",
    "events",
    "seats",
    "clock",
    "end_reason",
)


@pytest.mark.parametrize("game", GAMES)
def test_an_example_has_all_members_of_its_type(harness: WebhookHarness, game: str) -> None:
    for kind in NOTICE_TYPES:
        raw = build_example(harness.annals, kind, game)
        body = msgspec.json.decode(raw)
        data = body["data"]
        assert (body["type"], data["game"], data["example"]) == (kind, game, True)
        assert data.keys() == {*MESSAGES["data"], *MESSAGES["adds"][kind], "example"}, kind
        assert (data["seat"] is not None) == (kind in MESSAGES["seats"]), kind
        assert all(
            data[name] is not None
            for name in MESSAGES["adds"][kind]
            if name in ("entry", "time_left", "deadline", "result")
        ), kind
        assert len(raw) <= MAX_BODY_BYTES, kind
    judge("Message", body)


def test_an_example_is_of_the_requested_game(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    plain, qin = (
        harness.subscribe(ann, receiver.url),
        harness.subscribe(ann, receiver.url, game="qin"),
    )
    harness.queue(plain).request_resend(ResendRequest("test", "msg_1", "move.made", "great_wall"))
    harness.queue(qin).request_resend(ResendRequest("test", "msg_2", "move.made"))
    harness.queue(plain).request_resend(ResendRequest("test", "msg_3", "ping"))
    harness.send()
    received = {one.id: (one.type, one.data["game"]) for one in receiver.got}
    assert received["msg_1"] == ("move.made", "great_wall")
    assert received["msg_2"] == ("move.made", "qin")
    assert received["msg_3"][0] == "ping"


def test_custom_headers_are_sent(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    harness.subscribe(ann, receiver.url, ["match.created"], headers={"X-Key": "hush"})
    harness.table(f"{ann} bob")
    harness.send()
    [got] = receiver.got
    assert got.headers["x-key"] == "hush"
    assert got.headers["content-type"] == "application/json"


def test_the_public_key_verifies_messages(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    harness.subscribe(ann, receiver.url, ["match.created"])
    harness.table(f"{ann} bob")
    harness.send()
    [got] = receiver.got
    [signature] = [
        one.removeprefix("v1a,")
        for one in got.headers["webhook-signature"].split()
        if one.startswith("v1a,")
    ]
    raw_key = b64decode(harness.key.public_key.removeprefix("whpk_"))
    content = f"{got.id}.{got.headers['webhook-timestamp']}.".encode() + got.raw
    Ed25519PublicKey.from_public_bytes(raw_key).verify(b64decode(signature), content)


def test_expired_secrets_do_not_sign(harness: WebhookHarness, receiver: Receiver) -> None:
    ann = harness.player("Ann")
    hook = harness.subscribe(ann, receiver.url, ["match.created"])
    for _ in range(MAX_SECRETS + 1):
        fresh = harness.subscriptions.rotate_secret(hook.id, harness.now)
    harness.table(f"{ann} bob")
    harness.send()
    [got] = receiver.got
    signatures = got.headers["webhook-signature"].split()
    assert len([one for one in signatures if one.startswith("v1,")]) == MAX_SECRETS
    assert got.verify(fresh)


@pytest.mark.parametrize("game", GAMES)
def test_no_message_of_a_full_table_is_truncated(harness: WebhookHarness, game: str) -> None:
    """This includes the largest game."""
    count = GAMES[game].seats[-1]
    players = [harness.player(f"P{n}") for n in range(count)]
    table = RecordedMatch(harness.store, " ".join(players), game=GAMES[game], match="m")
    while table.match.status == "active" and table.match.version < MAX_ENTRIES:
        table.move(table.legal()[-1])
    for notice in notices_since("m", table.entries, everything(players[0]), 1, 0):
        raw = build_message(harness.annals, players[0], "m", notice)
        assert len(raw) <= MAX_BODY_BYTES
        assert b'"truncated"' not in raw


def test_a_truncated_message_lacks_the_members_of_its_type(
    harness: WebhookHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "MAX_BODY_BYTES", 400)
    ann = harness.player("Ann")
    table = RecordedMatch(harness.store, f"{ann} bob", match="m")
    notice = next(notices_since("m", table.entries, everything(ann), 1, 0))
    data = msgspec.json.decode(build_message(harness.annals, ann, "m", notice))["data"]
    assert list(data) == [*MESSAGES["data"], "truncated"]
    assert data["truncated"] is True


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, None), ("", None), ("soon", None), ("-5", None), ("1.5", None), ("٣", None),
        ("0", 0), (" 7 ", 7), ("9" * 30, 999_999_999),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60), ("Tue, 14 Nov 2023 22:00:00 GMT", 0),
        ("Tue, 99 Nov 2023 22:00:00 GMT", None),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(text: str | None, seconds: int | None) -> None:
    assert read_retry_after(text, NOON) == seconds


def test_retries_have_jitter() -> None:
    for attempts, delay in enumerate(retry_schedule.RETRY_DELAYS_S, 1):
        least, most = (
            next_attempt_delay_s(attempts, 1, None, lambda by=by: by) for by in (0.0, 1.0)
        )
        assert least == pytest.approx((1 - JITTER_SHARE) * delay)
        assert most == pytest.approx((1 + JITTER_SHARE) * delay)
    assert (
        next_attempt_delay_s(len(retry_schedule.RETRY_DELAYS_S) + 1, 1, None, lambda: 0.5) is None
    )


def test_a_receiver_that_keeps_failing_cannot_ask_for_an_attempt_each_second() -> None:
    """A 429 may for longer than other failures; both end in the pauses of the schedule."""

    def pauses(code: int) -> list[float]:
        chain = (1, 3, 4, 20, 21, 200)
        return [retry_schedule.pause_s(failures, 0, lambda: 0.5, code) for failures in chain]

    assert pauses(503) == [1, 1, 30, 600, 600, 600]
    assert pauses(429) == [1, 1, 1, 1, 600, 600]
    assert retry_schedule.pause_s(5, 3, lambda: 0.5, 429) == 3
    assert [next_attempt_delay_s(2, failures, 0, lambda: 0.5) for failures in (20, 21)] == [1, 300]


def test_a_warning_comes_once_before_an_idle_match_ends_by_itself(
    harness: WebhookHarness, receiver: Receiver
) -> None:
    ann = harness.player("Ann")
    harness.subscribe(ann, receiver.url, ["match.idle"], my_turn=True)
    table = harness.table(f"{ann} +easy", match="m", idle_ms=1_000_000)
    assert table.match.ends_at == table.now + 1_000_000
    harness.pass_until_quiet()
    [warning] = receiver.got
    assert harness.now == table.now + 750_000
    assert warning.data["ends_at"] == iso(table.now + 1_000_000)
    assert warning.body["timestamp"] == iso(harness.now)
    table.now = harness.now
    table.act(ending.keep(table.match, ann, harness.now), ann)
    harness.pass_until_quiet()
    assert [one.body["timestamp"] for one in receiver.got[1:]] == [iso(table.now + 750_000)]
