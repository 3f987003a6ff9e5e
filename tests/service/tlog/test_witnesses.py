"""Witnesses sign checkpoints that extend the last one; one that does not sign has no effect."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from structlog.testing import capture_logs

from domain.audit.errors import Unproven
from domain.audit.notes import Checkpoint, Witness, find_signers, read_key, read_note, time_of
from domain.audit.tree import EMPTY_ROOT
from service.runtime.http_client import RequestError
from service.runtime.settings import BadSetting
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.folder import WITNESSED_CHECKPOINT
from service.tlog.witnesses import MAX_WITNESSES, read_witnesses, run_witness, start_threads
from tests.service.tlog.harness import LogHarness
from tests.service.tlog.witness import TEXT, StandIn, standing_in
from tests.support.patience import eventually


@pytest.fixture
def there() -> Iterator[StandIn]:
    with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def notary(harness: LogHarness, there: StandIn) -> CheckpointSigner:
    harness.open("m1")
    notary = harness.work()
    there.trusted = [read_key(line) for line in harness.served.keys().split()]
    return notary


def test_a_witness_signs_each_checkpoint_that_continues_the_last(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    [witness] = read_witnesses((there.setting,))
    for n in range(4):
        witness.request_cosignature(notary)
        note = read_note(harness.served.checkpoint())
        assert find_signers(note, [*there.trusted, there.witness.key]) == [
            *there.trusted, there.witness.key,
        ]  # fmt: skip
        assert time_of(note.signatures[-1]) == 1_700_000_000
        assert harness.folder.text(WITNESSED_CHECKPOINT) == harness.served.checkpoint()
        harness.open(f"n{n}")
        notary.step(harness.now)
        assert len(notary.checkpoint().signatures) == 1  # the signer does not wait for witnesses
    assert [body.partition(b"\n")[0] for body in there.asked] == [
        b"old 0", b"old 1", b"old 2", b"old 3",
    ]  # fmt: skip


def test_a_cosigned_checkpoint_is_not_sent_again(notary: CheckpointSigner, there: StandIn):
    [witness] = read_witnesses((there.setting,))
    witness.request_cosignature(notary)
    witness.request_cosignature(notary)
    assert len(there.asked) == 1


def test_a_witness_that_is_ahead_of_our_record_gets_a_new_proof(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    read_witnesses((there.setting,))[0].request_cosignature(notary)
    harness.open("m2")
    notary.step(harness.now)
    read_witnesses((there.setting,))[0].request_cosignature(notary)  # as after a restart
    assert [body.partition(b"\n")[0] for body in there.asked] == [b"old 0", b"old 0", b"old 1"]
    assert there.seen.size == 2


def test_a_witness_that_knows_more_leaves_reveals_an_old_copy(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    there.seen = Checkpoint("annals.example/v1/log", 7, EMPTY_ROOT)
    with pytest.raises(Unproven, match="restored from an older copy, or another service signs"):
        read_witnesses((there.setting,))[0].request_cosignature(notary)
    assert len(notary.checkpoint().signatures) == 1
    harness.open("m2")
    assert notary.step(harness.now) is False  # it is logged, and the signer continues
    assert harness.checkpoint().size == 2


def test_a_witness_that_saw_another_history_does_not_sign(notary: CheckpointSigner, there: StandIn):
    there.seen = Checkpoint("annals.example/v1/log", 1, EMPTY_ROOT)
    with pytest.raises(RequestError, match="422"):
        read_witnesses((there.setting,))[0].request_cosignature(notary)


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
def test_answers_of_a_hostile_witness_are_rejected(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn, reply: tuple[int, str, bytes]
):
    there.answers = lambda body: reply
    was = harness.served.checkpoint()
    with pytest.raises((RequestError, Unproven)):
        read_witnesses((there.setting,))[0].request_cosignature(notary)
    assert harness.served.checkpoint() == was


def test_a_signature_of_another_text_is_rejected(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    there.answers = lambda body: (200, TEXT, there.witness.cosign("other\n", 1).line.encode())
    with pytest.raises(Unproven, match="does not fit"):
        read_witnesses((there.setting,))[0].request_cosignature(notary)
    assert harness.folder.text(WITNESSED_CHECKPOINT) is None


def test_a_signature_that_comes_late_is_not_added_to_another_checkpoint(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    text = notary.checkpoint().text
    harness.open("m2")
    notary.step(harness.now)
    notary.add_cosignatures(text, there.witness.key, (there.witness.cosign(text, 1),))
    assert len(notary.checkpoint().signatures) == 1


def test_the_signature_of_a_witness_outlives_the_process(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    read_witnesses((there.setting,))[0].request_cosignature(notary)
    was = harness.served.checkpoint()
    harness.work()
    assert harness.served.checkpoint() == was


def test_a_dead_witness_is_logged_once_and_delays_no_others(
    harness: LogHarness, notary: CheckpointSigner, there: StandIn
):
    dead = f"{OTHER.key.vkey} http://127.0.0.1:1/w"
    stop = Event()
    with capture_logs() as lines:
        threads = start_threads(read_witnesses((dead, there.setting)), notary, stop)
        eventually(lambda: len(notary.checkpoint().signatures) == 2 and lines)
        stop.set()
        for thread in threads:
            thread.join()
    assert [(line["event"], line["witness"]) for line in lines] == [
        ("witness_failed", "witness.example/w2")
    ]


def test_no_witness_is_asked_after_stop(notary: CheckpointSigner, there: StandIn):
    stop = Event()
    stop.set()
    run_witness(read_witnesses((there.setting,))[0], notary, stop)
    assert there.asked == []


KEY = OTHER.key.vkey


@pytest.mark.parametrize(
    "given",
    ["", KEY, f"{KEY} ftp://w.example", f"{KEY[:-4]} https://w.example", f"{KEY} http://w.example"],
)
def test_an_invalid_witness_setting_is_refused(given: str):
    with pytest.raises(BadSetting, match="ANNALS_TLOG_WITNESSES"):
        read_witnesses((given,))


def test_a_log_key_is_not_a_witness_key(there: StandIn, notary: CheckpointSigner):
    with pytest.raises(BadSetting, match="not the key of a witness"):
        read_witnesses((f"{there.trusted[0].vkey} https://w.example",))


def test_the_number_of_witnesses_is_limited():
    with pytest.raises(BadSetting, match="at most"):
        read_witnesses((MAX_WITNESSES + 1) * (f"{KEY} https://w.example",))
