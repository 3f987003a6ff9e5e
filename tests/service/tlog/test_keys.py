"""Keys: created once, set by settings, and rotated."""

from __future__ import annotations

from base64 import b64encode

import pytest

from domain.audit.notes import find_signers, read_key, read_note
from service.runtime.settings import BadSetting, read_settings
from tests.service.tlog.harness import LogHarness

ONE, OTHER = (b64encode(bytes([n]) * 32).decode() for n in (1, 2))


def vkeys(harness: LogHarness) -> list[str]:
    return harness.served.keys().split()


def test_a_key_is_created_at_the_first_start_and_kept(harness: LogHarness):
    harness.work()
    [made] = vkeys(harness)
    harness.open("m1")
    harness.work()
    assert vkeys(harness) == [made]
    assert made.startswith("annals.example/v1/log+")


def test_a_key_in_the_settings_is_used(harness: LogHarness):
    harness.given = (ONE,)
    harness.work()
    assert not (harness.folder.path / "secret-keys").exists()
    harness.given = ()
    harness.work()
    assert (harness.folder.path / "secret-keys").exists()


def test_keys_are_rotated(harness: LogHarness):
    harness.open("m1")
    notary = harness.work()
    [old] = vkeys(harness)
    harness.keys().add()
    notary.step(harness.now)  # no entry, but another key
    new, kept = vkeys(harness)
    assert kept == old
    note = read_note(harness.served.checkpoint())
    assert [one.name for one in note.signatures] == 2 * ["annals.example/v1/log"]
    for vkey in (old, new):  # one known key is enough
        assert find_signers(note, [read_key(vkey)])
    assert harness.keys().drop("annals.example/v1/log", read_key(old).id.hex())
    notary.step(harness.now)
    assert vkeys(harness) == [new]
    assert not find_signers(read_note(harness.served.checkpoint()), [read_key(old)])


def test_the_last_key_cannot_be_removed(harness: LogHarness):
    harness.work()
    [only] = vkeys(harness)
    assert not harness.keys().drop("annals.example/v1/log", read_key(only).id.hex())
    assert not harness.keys().drop("annals.example/v1/log", "00000000")


def test_keys_in_the_settings_are_rotated(harness: LogHarness):
    harness.given = (ONE,)
    harness.work()
    [old] = vkeys(harness)
    harness.given = (OTHER, ONE)
    harness.work()
    assert vkeys(harness)[1:] == [old]
    harness.checkpoint()


@pytest.mark.parametrize("given", ["short", ONE[:-1], f"{ONE},x"])
def test_an_invalid_key_is_refused_and_not_shown(given: str):
    with pytest.raises(BadSetting, match="ANNALS_TLOG_KEYS") as refused:
        read_settings({"ANNALS_TLOG_KEYS": given})
    assert given not in str(refused.value)


def test_settings_do_not_show_keys():
    assert ONE not in repr(read_settings({"ANNALS_TLOG_KEYS": ONE}))
