"""Witnesses sign what continues what they saw; whoever does not sign changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from structlog.testing import capture_logs

from domain.audit.errors import Unproven
from domain.audit.notes import Checkpoint, Witness, read_key, read_note, signed_by, time_of
from domain.audit.tree import EMPTY
from service.runtime.http_client import NoAnswer
from service.runtime.settings import BadSetting
from service.tlog.checkpoint_signer import Notary
from service.tlog.folder import WITNESSED
from service.tlog.witnesses import MOST, keep_asking, read_witnesses, start
from tests.service.tlog.desk import Desk
from tests.service.tlog.witness import TEXT, StandIn, standing_in
from tests.support.patience import eventually


@pytest.fixture
def there() -> Iterator[StandIn]:
    with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def notary(desk: Desk, there: StandIn) -> Notary:
    desk.open("m1")
    notary = desk.work()
    there.trusted = [read_key(line) for line in desk.served.keys().split()]
    return notary


def test_a_witness_signs_each_checkpoint_that_continues_the_last(
    desk: Desk, notary: Notary, there: StandIn
):
    [witness] = read_witnesses((there.setting,))
    for n in range(4):
        witness.ask(notary)
        note = read_note(desk.served.checkpoint())
        assert signed_by(note, [*there.trusted, there.witness.key]) == [
            *there.trusted, there.witness.key,
        ]  # fmt: skip
        assert time_of(note.signatures[-1]) == 1_700_000_000
        assert desk.folder.text(WITNESSED) == desk.served.checkpoint()
        desk.open(f"n{n}")
        notary.step(desk.now)
        assert len(notary.checkpoint().signatures) == 1  # nobody waits for a witness
    assert [body.partition(b"\n")[0] for body in there.asked] == [
        b"old 0", b"old 1", b"old 2", b"old 3",
    ]  # fmt: skip


def test_what_is_signed_already_is_not_sent_again(notary: Notary, there: StandIn):
    [witness] = read_witnesses((there.setting,))
    witness.ask(notary)
    witness.ask(notary)
    assert len(there.asked) == 1


def test_a_witness_that_knows_some_of_it_is_asked_again_from_there(
    desk: Desk, notary: Notary, there: StandIn
):
    read_witnesses((there.setting,))[0].ask(notary)
    desk.open("m2")
    notary.step(desk.now)
    read_witnesses((there.setting,))[0].ask(notary)  # as after a restart of the service
    assert [body.partition(b"\n")[0] for body in there.asked] == [b"old 0", b"old 0", b"old 1"]
    assert there.seen.size == 2


def test_a_witness_that_knows_more_names_who_was_put_back(
    desk: Desk, notary: Notary, there: StandIn
):
    there.seen = Checkpoint("annals.example/v1/log", 7, EMPTY)
    with pytest.raises(Unproven, match="put back from an older copy, or somebody else signs"):
        read_witnesses((there.setting,))[0].ask(notary)
    assert len(notary.checkpoint().signatures) == 1
    desk.open("m2")
    assert notary.step(desk.now) is False  # it says so, and stops nobody
    assert desk.checkpoint().size == 2


def test_a_witness_that_saw_another_history_does_not_sign(notary: Notary, there: StandIn):
    there.seen = Checkpoint("annals.example/v1/log", 1, EMPTY)
    with pytest.raises(NoAnswer, match="422"):
        read_witnesses((there.setting,))[0].ask(notary)


OTHER = Witness("witness.example/w2", bytes([1]) * 32)


@pytest.mark.parametrize(
    "reply",
    [
        (200, TEXT, b""), (200, TEXT, b"\xff\n"), (200, TEXT, b"no signature\n"),
        (200, TEXT, OTHER.cosign("something", 1).line.encode()),
        (200, TEXT, 30_000 * b"x"), (409, TEXT, b""), (409, TEXT, b"-1\n"), (409, TEXT, b"1e9\n"),
        (409, TEXT, b"0\n"), (500, TEXT, b""), (301, TEXT, b""), (404, TEXT, b""),
    ],
    ids=range(12),
)  # fmt: skip
def test_whatever_a_hostile_witness_says_nothing_comes_of_it(
    desk: Desk, notary: Notary, there: StandIn, reply: tuple[int, str, bytes]
):
    there.answers = lambda body: reply
    was = desk.served.checkpoint()
    with pytest.raises((NoAnswer, Unproven)):
        read_witnesses((there.setting,))[0].ask(notary)
    assert desk.served.checkpoint() == was


def test_a_signature_of_another_text_is_not_taken(desk: Desk, notary: Notary, there: StandIn):
    there.answers = lambda body: (200, TEXT, there.witness.cosign("other\n", 1).line.encode())
    with pytest.raises(Unproven, match="does not fit"):
        read_witnesses((there.setting,))[0].ask(notary)
    assert desk.folder.text(WITNESSED) is None


def test_a_signature_that_comes_late_is_not_added_to_another_checkpoint(
    desk: Desk, notary: Notary, there: StandIn
):
    text = notary.checkpoint().text
    desk.open("m2")
    notary.step(desk.now)
    notary.cosigned(text, there.witness.key, (there.witness.cosign(text, 1),))
    assert len(notary.checkpoint().signatures) == 1


def test_the_signature_of_a_witness_outlives_the_process(
    desk: Desk, notary: Notary, there: StandIn
):
    read_witnesses((there.setting,))[0].ask(notary)
    was = desk.served.checkpoint()
    desk.work()
    assert desk.served.checkpoint() == was


def test_one_that_is_dead_is_told_once_and_holds_up_no_other(
    desk: Desk, notary: Notary, there: StandIn
):
    dead = f"{OTHER.key.vkey} http://127.0.0.1:1/w"
    stop = Event()
    with capture_logs() as lines:
        threads = start(read_witnesses((dead, there.setting)), notary, stop)
        eventually(lambda: len(notary.checkpoint().signatures) == 2 and lines)
        stop.set()
        for thread in threads:
            thread.join()
    assert [(line["event"], line["witness"]) for line in lines] == [
        ("not_witnessed", "witness.example/w2")
    ]


def test_nobody_is_asked_once_all_is_to_stop(notary: Notary, there: StandIn):
    stop = Event()
    stop.set()
    keep_asking(read_witnesses((there.setting,))[0], notary, stop)
    assert there.asked == []


KEY = OTHER.key.vkey


@pytest.mark.parametrize(
    "given",
    ["", KEY, f"{KEY} ftp://w.example", f"{KEY[:-4]} https://w.example", f"{KEY} http://w.example"],
)
def test_what_is_no_witness_is_refused(given: str):
    with pytest.raises(BadSetting, match="ANNALS_TLOG_WITNESSES"):
        read_witnesses((given,))


def test_the_key_of_a_log_is_not_that_of_a_witness(there: StandIn, notary: Notary):
    with pytest.raises(BadSetting, match="not the key of a witness"):
        read_witnesses((f"{there.trusted[0].vkey} https://w.example",))


def test_there_are_not_more_witnesses_than_signatures_may_be():
    with pytest.raises(BadSetting, match="at most"):
        read_witnesses((MOST + 1) * (f"{KEY} https://w.example",))
