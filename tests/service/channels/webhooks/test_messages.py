"""What is sent besides what a match tells: examples, headers of one's own, signatures, bounds."""

from __future__ import annotations

from base64 import b64decode

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.games import GAMES
from domain.notices import NOTICE_TYPES, NoticeType
from service.channels.webhooks.messages import bodies
from service.channels.webhooks.messages.bodies import LARGEST, message
from service.channels.webhooks.messages.examples import example
from service.channels.webhooks.queue import retry_schedule
from service.channels.webhooks.queue.delivery_queue import Errand
from service.channels.webhooks.queue.replay import notices_since
from service.channels.webhooks.queue.retry_schedule import JITTER, next_try_s, read_retry_after
from service.channels.webhooks.subscriptions import MOST_SECRETS
from tests.match.table import NOON
from tests.projections.recorded import Recorded
from tests.service.channels.webhooks.conftest import Desk
from tests.service.channels.webhooks.test_conformance import MESSAGES
from tests.service.channels.webhooks.test_every_game import everything
from tests.support.receiver import Receiver

LONGEST = 120
"""Entries of a match: chance alone may never end a game."""
FILLED = ("entry", "left", "deadline", "result", "events", "seats", "clock", "end_reason")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", NOTICE_TYPES)
def test_an_example_has_all_that_a_message_of_its_type_has(
    desk: Desk, game: str, kind: NoticeType
) -> None:
    raw = example(desk.annals, kind, game)
    body = msgspec.json.decode(raw)
    data = body["data"]
    assert (body["type"], data["game"], data["example"]) == (kind, game, True)
    assert data.keys() == {*MESSAGES["data"], *MESSAGES["adds"][kind], "example"}
    assert (data["seat"] is not None) == (kind in MESSAGES["seats"])
    assert all(
        data[name] is not None
        for name in MESSAGES["adds"][kind]
        if name in ("entry", "left", "deadline", "result")
    )
    assert len(raw) <= LARGEST


def test_an_example_is_of_the_game_that_is_asked_for(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    plain, qin = desk.subscribe(ann, receiver.url), desk.subscribe(ann, receiver.url, game="qin")
    desk.mail(plain).ask(Errand("sample", "msg_1", "move.made", "great_wall"))
    desk.mail(qin).ask(Errand("sample", "msg_2", "move.made"))
    desk.mail(plain).ask(Errand("sample", "msg_3", "ping"))
    desk.send()
    told = {one.id: (one.type, one.data["game"]) for one in receiver.got}
    assert told["msg_1"] == ("move.made", "great_wall")
    assert told["msg_2"] == ("move.made", "qin")
    assert told["msg_3"][0] == "ping"


def test_headers_of_ones_own_are_sent(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    desk.subscribe(ann, receiver.url, ["match.created"], headers={"X-Key": "hush"})
    desk.table(f"{ann} bob")
    desk.send()
    [got] = receiver.got
    assert got.headers["x-key"] == "hush"
    assert got.headers["content-type"] == "application/json"


def test_the_public_key_verifies_what_is_sent(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    desk.subscribe(ann, receiver.url, ["match.created"])
    desk.table(f"{ann} bob")
    desk.send()
    [got] = receiver.got
    [signature] = [
        one.removeprefix("v1a,")
        for one in got.headers["webhook-signature"].split()
        if one.startswith("v1a,")
    ]
    raw_key = b64decode(desk.key.public.removeprefix("whpk_"))
    content = f"{got.id}.{got.headers['webhook-timestamp']}.".encode() + got.raw
    Ed25519PublicKey.from_public_bytes(raw_key).verify(b64decode(signature), content)


def test_only_some_old_secrets_sign(desk: Desk, receiver: Receiver) -> None:
    ann = desk.player("Ann")
    hook = desk.subscribe(ann, receiver.url, ["match.created"])
    for _ in range(MOST_SECRETS + 1):
        fresh = desk.subscriptions.rotate(hook.id, desk.now)
    desk.table(f"{ann} bob")
    desk.send()
    [got] = receiver.got
    signatures = got.headers["webhook-signature"].split()
    assert len([one for one in signatures if one.startswith("v1,")]) == MOST_SECRETS
    assert got.verified(fresh)


@pytest.mark.parametrize("game", GAMES)
def test_no_message_of_a_full_table_is_cut(desk: Desk, game: str) -> None:
    """Not even that of the largest game: each has room for what its type adds."""
    count = GAMES[game].seats[-1]
    players = [desk.player(f"P{n}") for n in range(count)]
    table = Recorded(desk.store, " ".join(players), game=GAMES[game], match="m")
    while table.match.status == "active" and table.match.version < LONGEST:
        table.move(table.legal()[-1])
    for notice in notices_since("m", table.entries, everything(players[0]), 1, 0):
        raw = message(desk.annals, players[0], "m", notice)
        assert len(raw) <= LARGEST
        assert b'"cut"' not in raw


def test_what_would_be_longer_leaves_out_what_its_type_adds(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "LARGEST", 400)
    ann = desk.player("Ann")
    table = Recorded(desk.store, f"{ann} bob", match="m")
    notice = next(notices_since("m", table.entries, everything(ann), 1, 0))
    data = msgspec.json.decode(message(desk.annals, ann, "m", notice))["data"]
    assert list(data) == [*MESSAGES["data"], "cut"]
    assert data["cut"] is True


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


def test_no_two_receivers_are_tried_again_in_step() -> None:
    for attempts, delay in enumerate(retry_schedule.DELAYS_S, 1):
        least, most = (next_try_s(attempts, None, lambda by=by: by) for by in (0.0, 1.0))
        assert least == pytest.approx((1 - JITTER) * delay)
        assert most == pytest.approx((1 + JITTER) * delay)
    assert next_try_s(len(retry_schedule.DELAYS_S) + 1, None, lambda: 0.5) is None
