"""Keys: made once, given by settings, and one taking over from another."""

from __future__ import annotations

from base64 import b64encode

import pytest

from domain.audit.notes import read_key, read_note, signed_by
from service.runtime.settings import BadSetting, read_settings
from tests.service.tlog.desk import Desk

ONE, OTHER = (b64encode(bytes([n]) * 32).decode() for n in (1, 2))


def vkeys(desk: Desk) -> list[str]:
    return desk.served.keys().split()


def test_a_key_is_made_at_the_first_start_and_kept(desk: Desk):
    desk.work()
    [made] = vkeys(desk)
    desk.open("m1")
    desk.work()
    assert vkeys(desk) == [made]
    assert made.startswith("annals.example/v1/log+")


def test_a_key_of_the_settings_is_used_and_none_is_made(desk: Desk):
    desk.given = (ONE,)
    desk.work()
    assert not (desk.folder.path / "secret-keys").exists()
    desk.given = ()
    desk.work()
    assert (desk.folder.path / "secret-keys").exists()


def test_one_key_takes_over_from_another(desk: Desk):
    desk.open("m1")
    notary = desk.work()
    [old] = vkeys(desk)
    desk.keys().add()
    notary.step(desk.now)  # nothing came, but there is another key
    new, kept = vkeys(desk)
    assert kept == old
    note = read_note(desk.served.checkpoint())
    assert [one.name for one in note.signatures] == 2 * ["annals.example/v1/log"]
    for vkey in (old, new):  # whoever knows one of them is content
        assert signed_by(note, [read_key(vkey)])
    assert desk.keys().drop("annals.example/v1/log", read_key(old).id.hex())
    notary.step(desk.now)
    assert vkeys(desk) == [new]
    assert not signed_by(read_note(desk.served.checkpoint()), [read_key(old)])


def test_the_last_key_stays(desk: Desk):
    desk.work()
    [only] = vkeys(desk)
    assert not desk.keys().drop("annals.example/v1/log", read_key(only).id.hex())
    assert not desk.keys().drop("annals.example/v1/log", "00000000")


def test_keys_of_the_settings_take_over_in_the_same_way(desk: Desk):
    desk.given = (ONE,)
    desk.work()
    [old] = vkeys(desk)
    desk.given = (OTHER, ONE)
    desk.work()
    assert vkeys(desk)[1:] == [old]
    desk.checkpoint()


@pytest.mark.parametrize("given", ["short", ONE[:-1], f"{ONE},x"])
def test_what_is_no_key_is_refused_and_not_repeated(given: str):
    with pytest.raises(BadSetting, match="ANNALS_TLOG_KEYS") as refused:
        read_settings({"ANNALS_TLOG_KEYS": given})
    assert given not in str(refused.value)


def test_settings_do_not_show_keys():
    assert ONE not in repr(read_settings({"ANNALS_TLOG_KEYS": ONE}))
